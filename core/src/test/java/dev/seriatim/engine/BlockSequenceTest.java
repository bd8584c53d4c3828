// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.Allocation;
import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceListener;
import dev.seriatim.conservation.Ledger;
import dev.seriatim.memory.InMemoryStore;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class BlockSequenceTest {

    private final InMemoryStore store = new InMemoryStore();

    @Test
    void large_pieces_leave_no_crumbs_while_nobody_else_reserves() {
        store.create(SequenceDefinition.of("s"));
        try (StoreSequences sequences = StoreSequences.of(store)) {
            Sequence sequence = sequences.open("s", Allocation.asyncBatch(1000, 1000));
            long expected = sequence.next() + 1;
            for (int i = 0; i < 50; i++) {
                Block piece = sequence.next(300);
                assertThat(piece).isEqualTo(new Block(expected, 300, 1));
                expected += 300;
            }
        }
    }

    @Test
    void what_is_too_small_for_a_piece_is_dealt_to_others() {
        store.create(SequenceDefinition.of("s"));
        try (StoreSequences sequences = StoreSequences.of(store)) {
            Sequence sequence = sequences.open("s", Allocation.batch(10));
            assertThat(sequence.next(7).first()).isEqualTo(1);
            store.reserve("s", 1); // another instance draws 11
            assertThat(sequence.next(7)).isEqualTo(new Block(12, 7, 1));
            List<Long> singles = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                singles.add(sequence.next());
            }
            assertThat(singles).containsExactlyInAnyOrder(8L, 9L, 10L, 19L, 20L, 21L);
        }
    }

    @Test
    void crumbs_do_not_pile_up_for_a_caller_of_pieces_alone_and_are_told_lost() {
        store.create(SequenceDefinition.of("s"));
        List<Block> lost = new ArrayList<>();
        SequenceListener listener = new SequenceListener() {
            @Override
            public void lost(String sequence, Block values) {
                lost.add(values);
            }
        };
        long dealt = 0;
        long elsewhere = 0;
        try (StoreSequences sequences =
                StoreSequences.builder(store).listener(listener).build()) {
            Sequence sequence = sequences.open("s", Allocation.batch(10));
            for (int i = 0; i < 20; i++) {
                dealt += sequence.next(7).count();
                elsewhere += store.reserve("s", 1).block().count(); // so that no block continues the previous one
            }
        }
        long told = lost.stream().mapToLong(Block::count).sum();
        assertThat(dealt + elsewhere + told).isEqualTo(store.describe("s").nextValue() - 1);
        assertThat(lost).hasSizeGreaterThan(10).doesNotHaveDuplicates();
    }

    @Test
    void a_run_goes_back_into_no_block_but_the_one_that_is_dealt_from() throws Exception {
        HookedStore hooked = new HookedStore().with("s");
        CountDownLatch sent = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        hooked.hook = (name, count) -> {
            if (hooked.asked.size() == 2) {
                sent.countDown();
                go.await();
            }
        };
        Ledger ledger = new Ledger();
        hooked.answered = ledger::reserved;
        try (StoreSequences sequences =
                StoreSequences.builder(hooked).listener(ledger).build()) {
            Sequence sequence = sequences.open("s", Allocation.asyncBatch(1000, 500));
            for (int i = 0; i < 995; i++) {
                ledger.dealt("s", new Block(sequence.next(), 1, 1)); // the rest of the block is in this thread's run
            }
            assertThat(sent.await(5, TimeUnit.SECONDS)).isTrue();
            go.countDown();
            TimeUnit.MILLISECONDS.sleep(100); // the second block arrives, and the first is used up
            ledger.dealt("s", sequence.next(5));
            ledger.dealt("s", new Block(sequence.next(), 1, 1));
        }
        assertThat(ledger.fault()).isEmpty();
    }

    @Test
    void a_piece_larger_than_a_block_comes_in_one_reservation() {
        HookedStore hooked = new HookedStore().with("s");
        try (StoreSequences sequences = StoreSequences.of(hooked)) {
            Sequence sequence = sequences.open("s", Allocation.batch(10));
            assertThat(sequence.next(1000)).isEqualTo(new Block(1, 1000, 1));
            assertThat(hooked.asked).containsExactly(1000L);
        }
    }

    @Test
    void the_last_values_are_dealt_although_a_reservation_that_was_sent_later_has_found_nothing() {
        InMemoryStore slow = new InMemoryStore(Duration.ofMillis(2));
        // The answer that contains the end arrives late, after that of the next reservation.
        SequenceStore overtaken = (name, count) -> {
            Reservation reservation = slow.reserve(name, count);
            if (reservation.definition().endsAt(reservation.block().last())) {
                LockSupport.parkNanos(Duration.ofMillis(30).toNanos());
            }
            return reservation;
        };
        for (int round = 0; round < 10; round++) {
            String name = "s" + round;
            slow.create(SequenceDefinition.named(name).maxValue(40L).cache(4).build());
            try (StoreSequences sequences = StoreSequences.of(overtaken)) {
                Sequence sequence = sequences.open(name, Allocation.adaptive(1, 8));
                Set<Long> dealt = new TreeSet<>();
                for (int i = 0; i < 40; i++) {
                    dealt.add(sequence.next());
                }
                assertThat(dealt).hasSize(40);
                assertThatThrownBy(sequence::next).isInstanceOf(SequenceException.Exhausted.class);
            }
        }
    }
}
