// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.Block;
import dev.seriatim.PooledSequence;
import dev.seriatim.SequenceListener;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.store.PoolingStore;
import dev.seriatim.store.SequenceStore;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * For tests of a pool: waits until its first numbers are laid out and the dealing instance knows it. On a busy machine,
 * callers would give up waiting, draw from the counter and keep it locked.
 */
public final class Landing {

    private Landing() {}

    /** Opens a sequence that has no pool yet, on an instance that is added to {@code opened}. */
    public static <T, S extends SequenceStore & PoolingStore<T>> PooledSequence<T> awaited(
            S store, String name, Collection<? super StoreSequences> opened) {
        CountDownLatch landed = new CountDownLatch(1);
        SequenceListener listener = new SequenceListener() {
            @Override
            public void reserved(String sequence, Block block, Duration took) {
                landed.countDown();
            }
        };
        StoreSequences sequences =
                StoreSequences.builder(store).listener(listener).build();
        opened.add(sequences);
        PooledSequence<T> pooled = sequences.pooled(name, store);
        try {
            assertThat(landed.await(30, TimeUnit.SECONDS)).as("laid out").isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted while numbers were laid out", e);
        }
        return pooled;
    }
}
