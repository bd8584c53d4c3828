// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.Allocation;
import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceListener;
import dev.seriatim.memory.InMemoryStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A second thread arrives at varying moments while the only thread fills its run. */
class JoiningThreadTest {

    private static final long NANOS = TimeUnit.SECONDS.toNanos(2);

    @Test
    void no_value_vanishes_when_a_second_thread_comes() throws Exception {
        ExecutorService second = Executors.newSingleThreadExecutor();
        try {
            long began = System.nanoTime();
            for (int round = 0; round < 1000 || System.nanoTime() - began < NANOS; round++) {
                accountFor(round, second);
            }
        } finally {
            second.shutdownNow();
        }
    }

    private static void accountFor(int round, ExecutorService second) throws Exception {
        InMemoryStore store = new InMemoryStore();
        store.create(SequenceDefinition.of("s"));
        AtomicLong lost = new AtomicLong();
        AtomicBoolean drawing = new AtomicBoolean();
        long dealt = 0;
        try (StoreSequences sequences = StoreSequences.builder(store)
                .listener(new SequenceListener() {
                    @Override
                    public void lost(String sequence, Block values) {
                        lost.addAndGet(values.count());
                    }
                })
                .build()) {
            Sequence sequence = sequences.open("s", Allocation.batch(64));
            CompletableFuture<Long> other = CompletableFuture.supplyAsync(
                    () -> {
                        while (!drawing.get()) {
                            Thread.onSpinWait();
                        }
                        for (int i = 0; i < round % 200; i++) {
                            Thread.onSpinWait();
                        }
                        return sequence.next();
                    },
                    second);
            drawing.set(true);
            while (!other.isDone() || dealt < 100) {
                sequence.next();
                dealt++;
            }
            other.get();
            dealt++;
        }
        assertThat(dealt + lost.get())
                .as("dealt and lost, in round %d", round)
                .isEqualTo(store.describe("s").nextValue() - 1);
    }
}
