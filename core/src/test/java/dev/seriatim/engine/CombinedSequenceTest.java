// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.Allocation;
import dev.seriatim.Sequence;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CombinedSequenceTest {

    private final HookedStore store = new HookedStore().with("s");

    @Test
    void callers_join_the_next_reservation_and_never_one_already_sent() throws Exception {
        Semaphore sent = new Semaphore(0);
        Semaphore mayReturn = new Semaphore(0);
        store.hook = (name, count) -> {
            sent.release();
            mayReturn.acquire();
        };
        try (StoreSequences sequences = StoreSequences.of(store)) {
            Sequence sequence = sequences.open("s", Allocation.combined());
            CompletableFuture<Long> first = sequence.nextAsync().toCompletableFuture();
            assertThat(sent.tryAcquire(5, TimeUnit.SECONDS)).isTrue();
            // The first reservation has been sent. Another process draws now, and these callers start even later:
            long elsewhere = store.memory.reserve("s", 1).block().first();
            List<CompletableFuture<Long>> later = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                later.add(sequence.nextAsync().toCompletableFuture());
            }
            mayReturn.release(2);
            assertThat(first.get(5, TimeUnit.SECONDS)).isPositive();
            for (CompletableFuture<Long> one : later) {
                assertThat(one.get(5, TimeUnit.SECONDS)).isGreaterThan(elsewhere);
            }
            assertThat(store.asked).containsExactly(1L, 5L);
        }
    }

    @Test
    void values_are_dealt_in_the_order_of_arrival() throws Exception {
        Semaphore mayReturn = new Semaphore(0);
        store.hook = (name, count) -> mayReturn.acquire();
        try (StoreSequences sequences = StoreSequences.of(store)) {
            Sequence sequence = sequences.open("s", Allocation.combined());
            List<CompletableFuture<Long>> arrived = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                arrived.add(sequence.nextAsync().toCompletableFuture());
            }
            mayReturn.release(20);
            List<Long> values = new ArrayList<>();
            for (CompletableFuture<Long> one : arrived) {
                values.add(one.get(5, TimeUnit.SECONDS));
            }
            assertThat(values).isSorted().doesNotHaveDuplicates().hasSize(20);
        }
    }

    @Test
    void promises_no_cursor_since_that_would_break_the_order() {
        try (StoreSequences sequences = StoreSequences.of(store)) {
            Sequence sequence = sequences.open("s", Allocation.combined());
            assertThat(org.assertj.core.api.Assertions.catchThrowable(sequence::local))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("'s'");
        }
    }
}
