// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.seriatim.Allocation;
import dev.seriatim.Block;
import dev.seriatim.GroupedSequence;
import dev.seriatim.PooledSequence;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceListener;
import dev.seriatim.conservation.Ledger;
import dev.seriatim.memory.InMemoryTransaction;
import dev.seriatim.memory.LedgerStore;
import dev.seriatim.striped.Striping;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ClosingTest {

    private static final class Diary implements SequenceListener {
        final List<Block> lost = new CopyOnWriteArrayList<>();
        final List<Block> givenBack = new CopyOnWriteArrayList<>();
        final List<BigInteger> nearlyExhausted = new ArrayList<>();

        @Override
        public void lost(String sequence, Block values) {
            lost.add(values);
        }

        @Override
        public void givenBack(String sequence, Block values) {
            givenBack.add(values);
        }

        @Override
        public void nearlyExhausted(String sequence, BigInteger valuesLeft) {
            nearlyExhausted.add(valuesLeft);
        }
    }

    private final HookedStore store = new HookedStore().with("s");
    private final Diary diary = new Diary();

    @Test
    void what_is_in_hand_is_lost_and_told_unless_it_shall_go_back() {
        try (StoreSequences sequences =
                StoreSequences.builder(store).listener(diary).build()) {
            sequences.open("s", Allocation.batch(10)).next(3);
        }
        assertThat(diary.lost).containsExactly(new Block(4, 7, 1));
        assertThat(diary.givenBack).isEmpty();
        assertThat(store.describe("s").nextValue()).isEqualTo(11);
    }

    @Test
    void who_gets_nothing_of_a_short_block_while_it_is_closed_hears_that_at_once() throws Exception {
        store.memory.create(
                SequenceDefinition.named("short").cache(1).maxValue(1L).build());
        List<Runnable> held = new CopyOnWriteArrayList<>();
        Executor executor = work -> {
            if (held.isEmpty()) {
                held.add(work);
            } else {
                new Thread(work).start();
            }
        };
        Gate gate = new Gate();
        store.hook = gate;
        StoreSequences sequences = StoreSequences.builder(store)
                .executor(executor)
                .patience(Duration.ofSeconds(30))
                .build();
        Sequence sequence = sequences.open("short", Allocation.batch(5));
        CompletableFuture<Long> first = sequence.nextAsync().toCompletableFuture();
        CompletableFuture<Long> second = sequence.nextAsync().toCompletableFuture();
        new Thread(held.get(0)).start();
        gate.awaitFirst();
        Thread closing = closing(sequence);
        gate.open();
        assertThat(first.get(10, TimeUnit.SECONDS)).isEqualTo(1);
        assertThatThrownBy(() -> second.get(10, TimeUnit.SECONDS)).hasRootCauseInstanceOf(IllegalStateException.class);
        closing.join();
        sequences.close();
    }

    /** Closes the sequence, and returns when that waits for a running reservation. */
    private static Thread closing(Sequence sequence) throws InterruptedException {
        Thread closing = new Thread(sequence::close);
        closing.start();
        while (closing.getState() != Thread.State.TIMED_WAITING) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
        return closing;
    }

    @Test
    void what_is_in_hand_goes_back_where_that_was_asked_for() {
        try (StoreSequences sequences = StoreSequences.builder(store)
                .listener(diary)
                .giveBackOnClose(true)
                .build()) {
            sequences.open("s", Allocation.batch(10)).next(3);
        }
        assertThat(diary.givenBack).containsExactly(new Block(4, 7, 1));
        assertThat(diary.lost).isEmpty();
        assertThat(store.describe("s").nextValue()).isEqualTo(4);
    }

    @Test
    void what_is_in_hand_is_lost_when_somebody_has_reserved_since() {
        try (StoreSequences sequences = StoreSequences.builder(store)
                .listener(diary)
                .giveBackOnClose(true)
                .build()) {
            sequences.open("s", Allocation.batch(10)).next(3);
            store.memory.reserve("s", 1);
        }
        assertThat(diary.lost).containsExactly(new Block(4, 7, 1));
        assertThat(store.describe("s").nextValue()).isEqualTo(12);
    }

    @ParameterizedTest
    @MethodSource("modesThatGiveBack")
    void closing_waits_no_longer_than_patience_for_a_store_that_hangs_while_values_go_back(Allocation mode)
            throws Exception {
        Gate gate = new Gate();
        store.givingBack = gate;
        StoreSequences sequences = StoreSequences.builder(store)
                .listener(diary)
                .giveBackOnClose(true)
                .patience(Duration.ofMillis(300))
                .build();
        Sequence sequence = sequences.open("s", mode);
        long drawn = sequence.next();
        while (store.describe("s").nextValue() == drawn + 1) { // until a reserved value is left
            drawn = sequence.next();
        }
        Thread closing = new Thread(sequence::close);
        closing.start();
        gate.awaitFirst();
        closing.join(5000);
        assertThat(closing.isAlive()).as("still waits").isFalse();
        assertThat(diary.lost).isEmpty();
        gate.open();
        sequences.close();
        for (int i = 0; i < 500 && diary.givenBack.isEmpty(); i++) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        assertThat(diary.givenBack).hasSize(1);
        assertThat(diary.lost).isEmpty();
    }

    /** Returns sequences with values reserved but not dealt. */
    private StoreSequences sixteenOpen(SequenceListener listener, boolean giveBack, Duration patience) {
        StoreSequences sequences = StoreSequences.builder(store)
                .listener(listener)
                .giveBackOnClose(giveBack)
                .patience(patience)
                .build();
        for (int i = 0; i < 16; i++) {
            store.with("each" + i);
            sequences.open("each" + i, Allocation.batch(10)).next();
        }
        return sequences;
    }

    @Test
    void sequences_that_wait_for_a_store_that_hangs_wait_together() throws Exception {
        Gate gate = new Gate();
        store.givingBack = gate;
        StoreSequences sequences = sixteenOpen(diary, true, Duration.ofMillis(500));
        long began = System.nanoTime();
        sequences.close();
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(3));
        gate.open();
        for (int i = 0; i < 500 && diary.givenBack.size() < 16; i++) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        assertThat(diary.givenBack).hasSize(16);
    }

    @Test
    void an_interrupt_while_sequences_wait_together_ends_all_waits() throws Exception {
        Gate gate = new Gate();
        store.givingBack = gate;
        StoreSequences sequences = sixteenOpen(diary, true, Duration.ofMinutes(5));
        boolean[] stillInterrupted = new boolean[1];
        Thread closing = new Thread(() -> {
            sequences.close();
            stillInterrupted[0] = Thread.currentThread().isInterrupted();
        });
        closing.start();
        gate.awaitFirst();
        closing.interrupt();
        closing.join(20_000);
        assertThat(closing.isAlive()).as("still waits").isFalse();
        assertThat(stillInterrupted[0]).isTrue();
        gate.open();
    }

    /** As where both are synchronized methods of one class. */
    @Test
    void a_listener_that_needs_a_lock_of_the_thread_that_closes_holds_it_up_no_longer_than_patience() {
        Object lock = new Object();
        SequenceListener locking = new SequenceListener() {
            @Override
            public void lost(String sequence, Block values) {
                synchronized (lock) {
                    diary.lost.add(values);
                }
            }
        };
        StoreSequences sequences = sixteenOpen(locking, false, Duration.ofMillis(300));
        long began = System.nanoTime();
        synchronized (lock) {
            sequences.close();
        }
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(3));
        for (int i = 0; i < 500 && diary.lost.size() < 16; i++) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
        assertThat(diary.lost).hasSize(16);
    }

    static List<Allocation> modesThatGiveBack() {
        return List.of(Allocation.batch(10), Allocation.confirmed());
    }

    @Test
    void blocks_fetched_ahead_go_back_too_the_last_one_first() throws Exception {
        CountDownLatch fetched = new CountDownLatch(2);
        store.hook = (name, count) -> fetched.countDown();
        try (StoreSequences sequences = StoreSequences.builder(store)
                .listener(diary)
                .giveBackOnClose(true)
                .build()) {
            sequences.open("s", Allocation.asyncBatch(10, 5)).next(6);
            assertThat(fetched.await(5, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(diary.givenBack).containsExactly(new Block(11, 10, 1), new Block(7, 4, 1));
        assertThat(store.describe("s").nextValue()).isEqualTo(7);
    }

    @Test
    void what_the_only_thread_has_taken_of_a_spent_block_goes_back_too() throws Exception {
        BlockingQueue<Long> arrived = new LinkedBlockingQueue<>();
        Executor executor = work -> new Thread(() -> {
                    work.run();
                    arrived.add(1L);
                })
                .start();
        try (StoreSequences sequences = StoreSequences.builder(store)
                .executor(executor)
                .listener(diary)
                .giveBackOnClose(true)
                .build()) {
            Sequence sequence = sequences.open("s", Allocation.asyncBatch(100, 1));
            for (int i = 1; i <= 98; i++) { // 99 and 100 are in this thread's run, and the next block is fetched
                assertThat(sequence.next()).isEqualTo(i);
            }
            assertThat(arrived.poll(5, TimeUnit.SECONDS)).isNotNull();
            assertThat(arrived.poll(5, TimeUnit.SECONDS)).isNotNull();
        }
        assertThat(diary.lost).isEmpty();
        assertThat(diary.givenBack).containsExactly(new Block(101, 100, 1), new Block(99, 2, 1));
        assertThat(store.describe("s").nextValue()).isEqualTo(99);
    }

    /** Returns a gate that holds the reservations after the first. */
    private Gate gateAfterTheFirst() {
        Gate gate = new Gate();
        store.hook = (name, count) -> {
            if (store.asked.size() > 1) {
                gate.before(name, count);
            }
        };
        return gate;
    }

    @Test
    void closing_waits_one_patience_in_all_where_a_reservation_hangs_and_values_would_hang_too() throws Exception {
        Gate gate = gateAfterTheFirst();
        store.givingBack = gate;
        StoreSequences sequences = StoreSequences.builder(store)
                .listener(diary)
                .giveBackOnClose(true)
                .patience(Duration.ofSeconds(2))
                .build();
        sequences.open("s", Allocation.asyncBatch(10, 5)).next(6);
        gate.awaitFirst();
        long began = System.nanoTime();
        sequences.close();
        assertThat(Duration.ofNanos(System.nanoTime() - began))
                .isBetween(Duration.ofSeconds(2), Duration.ofMillis(3500));
        assertThat(diary.lost).containsExactly(new Block(7, 4, 1));
        gate.open();
        for (int i = 0; i < 500 && diary.lost.size() < 2; i++) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        assertThat(diary.lost).containsExactly(new Block(7, 4, 1), new Block(11, 10, 1));
        assertThat(diary.givenBack).isEmpty();
    }

    @Test
    void the_counters_of_a_striped_sequence_wait_together_for_a_store_that_hangs() throws Exception {
        Gate gate = new Gate();
        store.givingBack = gate;
        Striping striping = new Striping("striped", 8);
        striping.create(store, SequenceDefinition.of("striped"));
        StoreSequences sequences = StoreSequences.builder(store)
                .listener(diary)
                .giveBackOnClose(true)
                .patience(Duration.ofMillis(500))
                .build();
        Sequence sequence = sequences.striped(striping, Allocation.batch(10));
        for (int stripe = 0; stripe < 8; stripe++) {
            sequences.open(striping.counter(stripe), Allocation.batch(10)).next();
        }
        long began = System.nanoTime();
        sequence.close();
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(3));
        assertThat(sequences.opened()).isEmpty();
        gate.open();
        for (int i = 0; i < 500 && diary.givenBack.size() < 8; i++) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        assertThat(diary.givenBack).hasSize(8);
    }

    @Test
    void a_late_reservation_of_values_that_were_given_back_is_lost_and_no_regression() throws Exception {
        Gate gate = gateAfterTheFirst();
        Ledger ledger = new Ledger();
        store.answered = ledger::reserved;
        Executor executor = work -> {
            if (Thread.interrupted()) { // the thread that closes
                work.run();
                Thread.currentThread().interrupt();
            } else {
                new Thread(work).start();
            }
        };
        StoreSequences sequences = StoreSequences.builder(store)
                .executor(executor)
                .listener(ledger)
                .giveBackOnClose(true)
                .build();
        ledger.dealt("s", sequences.open("s", Allocation.asyncBatch(10, 5)).next(6));
        gate.awaitFirst();
        Thread.currentThread().interrupt(); // values go back without a wait for the reservation
        sequences.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(store.describe("s").nextValue()).isEqualTo(7);
        gate.open();
        for (int i = 0; i < 500 && store.describe("s").nextValue() == 7; i++) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        for (int i = 0; i < 500 && !ledger.fault().isEmpty(); i++) { // until the loss is reported
            TimeUnit.MILLISECONDS.sleep(10);
        }
        assertThat(ledger.fault()).isEmpty();
    }

    @Test
    void a_draw_that_gets_too_few_values_while_its_sequence_is_closed_hears_so_at_once() throws Exception {
        Gate gate = new Gate();
        store.hook = gate;
        store.dealing = count -> 1;
        try (StoreSequences sequences = StoreSequences.of(store)) {
            Sequence sequence = sequences.open("s", Allocation.async());
            CompletableFuture<Block> drawn = CompletableFuture.supplyAsync(() -> sequence.next(5));
            gate.awaitFirst();
            Thread closing = closing(sequence);
            gate.open();
            assertThatThrownBy(() -> drawn.get(5, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is closed");
            closing.join();
        }
    }

    @Test
    void a_closed_sequence_deals_no_more_and_can_be_opened_anew() {
        try (StoreSequences sequences = StoreSequences.of(store)) {
            Sequence first = sequences.open("s", Allocation.batch(10));
            first.next();
            first.close();
            first.close();
            assertThatThrownBy(first::next)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'s'");
            assertThat(sequences.open("s", Allocation.adaptive()).next()).isEqualTo(11);
        }
    }

    @Test
    void closing_one_again_does_nothing_to_the_one_that_was_opened_in_its_place() {
        Striping striping = new Striping("striped", 2);
        striping.create(store, SequenceDefinition.of("striped"));
        StoreSequences sequences =
                StoreSequences.builder(store).giveBackOnClose(true).build();
        for (Supplier<Sequence> open : List.<Supplier<Sequence>>of(
                () -> sequences.open("s", Allocation.batch(10)),
                () -> sequences.open("s", Allocation.combined()),
                () -> sequences.striped(striping, Allocation.batch(10)))) {
            Sequence first = open.get();
            first.next();
            first.close();
            Sequence second = open.get();
            second.next();
            first.close();
            assertThat(open.get()).isSameAs(second);
            assertThat(second.next()).isPositive();
            second.close();
        }
        HookedPools pools = new HookedPools();
        PooledSequence<InMemoryTransaction> first = sequences.pooled("s", pools);
        first.close();
        PooledSequence<InMemoryTransaction> second = sequences.pooled("s", pools);
        first.close();
        assertThat(sequences.pooled("s", pools)).isSameAs(second);
        LedgerStore ledger = new LedgerStore();
        GroupedSequence<LedgerStore.Pages> old = sequences.grouped("s", ledger);
        old.close();
        GroupedSequence<LedgerStore.Pages> anew = sequences.grouped("s", ledger);
        old.close();
        assertThat(sequences.grouped("s", ledger)).isSameAs(anew);
        sequences.close();
        assertThatThrownBy(() -> pools.drawn(second)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void what_another_thread_has_in_hand_goes_back_too() throws Exception {
        StoreSequences sequences = StoreSequences.builder(store)
                .listener(diary)
                .giveBackOnClose(true)
                .build();
        Sequence sequence = sequences.open("s", Allocation.batch(1000));
        Thread only = new Thread(() -> {
            for (int i = 0; i < 10; i++) {
                sequence.next();
            }
        });
        only.start();
        only.join();
        sequences.close();
        assertThat(diary.lost).isEmpty();
        assertThat(diary.givenBack).containsExactly(new Block(11, 990, 1));
    }

    @Test
    void closing_while_the_only_thread_deals_accounts_for_each_value_once() throws Exception {
        for (int round = 0; round < 200; round++) {
            String name = "only " + round;
            store.with(name);
            Ledger ledger = new Ledger();
            store.answered = ledger::reserved;
            Sequence sequence =
                    StoreSequences.builder(store).listener(ledger).build().open(name, Allocation.batch(100_000));
            CountDownLatch begun = new CountDownLatch(1);
            Thread only = new Thread(() -> {
                BitSet dealt = new BitSet();
                try {
                    while (true) {
                        dealt.set((int) sequence.next());
                        begun.countDown();
                    }
                } catch (IllegalStateException closed) {
                    dealt.stream().forEach(value -> ledger.dealt(name, new Block(value, 1, 1)));
                }
            });
            only.start();
            begun.await();
            sequence.close();
            only.join();
            assertThat(ledger.fault()).as("round %s", round).isEmpty();
        }
    }

    @Test
    void a_caller_who_waits_is_turned_away_on_closing() throws Exception {
        Gate gate = new Gate();
        store.hook = gate;
        StoreSequences sequences = StoreSequences.builder(store).listener(diary).build();
        Sequence sequence = sequences.open("s", Allocation.combined());
        CompletableFuture<Long> sent = sequence.nextAsync().toCompletableFuture();
        gate.awaitFirst();
        CompletableFuture<Long> waiting = sequence.nextAsync().toCompletableFuture();
        Thread closing = new Thread(sequences::close);
        closing.start();
        assertThat(catchThrowable(() -> waiting.get(5, TimeUnit.SECONDS)))
                .hasCauseInstanceOf(IllegalStateException.class);
        gate.open();
        closing.join(5000);
        assertThat(sent.get(5, TimeUnit.SECONDS)).isEqualTo(1);
    }

    @Test
    void one_name_is_open_in_one_mode() {
        try (StoreSequences sequences = StoreSequences.of(store)) {
            Sequence sequence = sequences.open("s", Allocation.batch(10));
            assertThat(sequences.open("s", Allocation.batch(10))).isSameAs(sequence);
            assertThatThrownBy(() -> sequences.open("s", Allocation.async()))
                    .isInstanceOf(SequenceException.Misconfigured.class)
                    .hasMessageContainingAll("'s'", "Batch");
        }
    }

    @Test
    void a_listener_hears_when_the_end_comes_near_and_may_fail_without_harm() {
        store.create(SequenceDefinition.named("short").maxValue(100L).build());
        SequenceListener failing = new SequenceListener() {
            @Override
            public void reserved(String sequence, Block block, java.time.Duration took) {
                throw new IllegalStateException("a failure of the listener");
            }
        };
        try (StoreSequences sequences =
                StoreSequences.builder(store).listener(failing).build()) {
            assertThat(sequences.open("short", Allocation.async()).next(80).count())
                    .isEqualTo(80);
        }
        try (StoreSequences sequences =
                StoreSequences.builder(store).listener(diary).build()) {
            Sequence sequence = sequences.open("short", Allocation.async());
            for (int i = 0; i < 20; i++) {
                sequence.next();
            }
        }
        assertThat(diary.nearlyExhausted).containsExactly(BigInteger.TEN, BigInteger.ONE);
    }

    @Test
    void a_caller_that_is_gone_leaves_a_value_that_is_told_lost() throws Exception {
        Gate gate = new Gate();
        store.hook = gate;
        StoreSequences sequences = StoreSequences.builder(store)
                .listener(diary)
                .patience(Duration.ofSeconds(1))
                .build();
        Sequence sequence = sequences.open("s", Allocation.async());
        while (store.asked.isEmpty()) { // on a busy machine, it may not have been sent when the patience ends
            assertThatThrownBy(sequence::next).isInstanceOf(SequenceException.Unavailable.class);
        }
        gate.open();
        sequences.close();
        for (int i = 0; i < 500 && diary.lost.isEmpty(); i++) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        assertThat(diary.lost).containsExactly(new Block(1, 1, 1));
    }
}
