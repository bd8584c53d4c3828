// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.seriatim.Allocation;
import dev.seriatim.Block;
import dev.seriatim.PooledSequence;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceListener;
import dev.seriatim.conservation.ForwardingStore;
import dev.seriatim.memory.InMemoryStore;
import dev.seriatim.memory.InMemoryTransaction;
import dev.seriatim.store.SequenceStore;
import dev.seriatim.striped.Striping;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever is thrown, and wherever: a caller receives it at once, and the next call works. */
@Timeout(60)
class ThrownErrorTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration AT_ONCE = PATIENCE.dividedBy(2);

    /** Without a stack trace, because each one is logged. */
    private static final class ListenerFault extends Error {
        private static final long serialVersionUID = 1L;

        ListenerFault() {
            super("a deliberate failure of the listener", null, false, false);
        }
    }

    private final HookedStore store = new HookedStore();
    private final ThreadPoolExecutor threads = (ThreadPoolExecutor) Executors.newCachedThreadPool();

    @AfterEach
    void stop() {
        threads.shutdown();
    }

    private static List<Allocation> modes() {
        return List.of(
                Allocation.async(),
                Allocation.combined(),
                Allocation.confirmed(),
                Allocation.batch(10),
                Allocation.asyncBatch(10, 5),
                Allocation.adaptive());
    }

    private static void missingClass(String name, long count) {
        throw new NoClassDefFoundError("org/driver/Some");
    }

    private static OutOfMemoryError noThread() {
        return new OutOfMemoryError("unable to create native thread");
    }

    /** Throws on the calls that {@code calls} selects, counted from 1. */
    private Executor failingAt(IntPredicate calls, AtomicInteger called) {
        return work -> {
            if (calls.test(called.incrementAndGet())) {
                throw noThread();
            }
            threads.execute(work);
        };
    }

    private static void assertHeardAtOnce(org.assertj.core.api.ThrowableAssert.ThrowingCallable draw, String cause) {
        long began = System.nanoTime();
        assertThatThrownBy(draw)
                .isInstanceOf(SequenceException.Unavailable.class)
                .hasMessageContaining(cause)
                .hasRootCauseInstanceOf(Error.class);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(AT_ONCE);
    }

    @Test
    void an_error_of_the_store_is_heard_at_once_and_the_next_call_works() {
        for (Allocation mode : modes()) {
            String name = "store " + mode;
            store.with(name);
            try (StoreSequences sequences =
                    StoreSequences.builder(store).patience(PATIENCE).build()) {
                Sequence sequence = sequences.open(name, mode);
                store.hook = ThrownErrorTest::missingClass;
                for (int i = 0; i < 3; i++) {
                    assertHeardAtOnce(sequence::next, "org/driver/Some");
                }
                assertHeardAtOnce(() -> sequence.next(3), "org/driver/Some");
                assertThatThrownBy(
                                () -> sequence.nextAsync().toCompletableFuture().get(10, TimeUnit.SECONDS))
                        .isInstanceOf(ExecutionException.class)
                        .hasCauseInstanceOf(SequenceException.Unavailable.class);
                store.hook = (n, count) -> {};
                assertThat(sequence.next()).as("%s", mode).isPositive();
            }
        }
    }

    @Test
    void what_a_store_throws_that_cannot_even_be_shown_is_heard_too() {
        store.with("s").hook = (name, count) -> {
            throw new IllegalStateException() {
                private static final long serialVersionUID = 1L;

                @Override
                public String getMessage() {
                    throw new StackOverflowError();
                }
            };
        };
        try (StoreSequences sequences =
                StoreSequences.builder(store).patience(PATIENCE).build()) {
            Sequence sequence = sequences.open("s", Allocation.combined());
            long began = System.nanoTime();
            assertThatThrownBy(sequence::next).isInstanceOf(SequenceException.Unavailable.class);
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(AT_ONCE);
            store.hook = (name, count) -> {};
            assertThat(sequence.next()).isEqualTo(1);
        }
    }

    @Test
    void a_thread_that_cannot_be_started_is_heard_at_once_and_the_next_call_works() {
        for (Allocation mode : modes()) {
            for (InMemoryStore memory : List.of(new InMemoryStore(), new InMemoryStore(Duration.ofMillis(1)))) {
                memory.create(SequenceDefinition.of("s"));
                SequenceStore store = new ForwardingStore<>(memory) {}; // called on the executor
                Executor executor = failingAt(call -> call <= 2, new AtomicInteger());
                try (StoreSequences sequences = StoreSequences.builder(store)
                        .executor(executor)
                        .patience(PATIENCE)
                        .build()) {
                    Sequence sequence = sequences.open("s", mode);
                    assertHeardAtOnce(sequence::next, "unable to create native thread");
                    assertHeardAtOnce(sequence::next, "unable to create native thread");
                    assertThat(sequence.next()).as("%s", mode).isEqualTo(1);
                }
            }
        }
    }

    @Test
    void a_future_is_completed_although_no_thread_can_be_started_for_it() throws Exception {
        for (Allocation mode : modes()) {
            String name = "future " + mode;
            store.with(name);
            Executor executor = failingAt(call -> call > 1, new AtomicInteger());
            try (StoreSequences sequences = StoreSequences.builder(store)
                    .executor(executor)
                    .patience(PATIENCE)
                    .build()) {
                assertThat(sequences
                                .open(name, mode)
                                .nextAsync()
                                .toCompletableFuture()
                                .get(10, TimeUnit.SECONDS))
                        .as("%s", mode)
                        .isEqualTo(1);
            }
        }
    }

    @Test
    void work_that_was_taken_although_the_executor_threw_is_done_once() throws Exception {
        for (Allocation mode : modes()) {
            String name = "taken " + mode;
            store.with(name);
            List<Thread> late = new ArrayList<>();
            CountDownLatch heard = new CountDownLatch(1);
            AtomicInteger calls = new AtomicInteger();
            Executor executor = work -> {
                if (calls.incrementAndGet() == 1) {
                    Thread thread = new Thread(() -> {
                        await(heard);
                        work.run();
                    });
                    thread.start();
                    late.add(thread);
                    throw noThread();
                }
                threads.execute(work);
            };
            try (StoreSequences sequences = StoreSequences.builder(store)
                    .executor(executor)
                    .patience(PATIENCE)
                    .build()) {
                Sequence sequence = sequences.open(name, mode);
                assertHeardAtOnce(sequence::next, "unable to create native thread");
                heard.countDown();
                for (Thread thread : late) {
                    thread.join();
                }
                int asked = store.asked.size();
                assertThat(sequence.next()).as("%s", mode).isEqualTo(1);
                assertThat(asked).as("%s", mode).isEqualTo(store.asked.size() - 1);
            }
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void work_that_the_executor_drops_does_not_hold_up_what_comes_after() {
        for (Allocation mode : modes()) {
            String name = "dropped " + mode;
            store.with(name);
            AtomicInteger calls = new AtomicInteger();
            int dropped = mode instanceof Allocation.Async ? 5 * StoreSequences.ASYNC_RESERVATIONS : 5;
            Executor executor = work -> {
                if (calls.incrementAndGet() > dropped) {
                    threads.execute(work);
                }
            };
            try (StoreSequences sequences = StoreSequences.builder(store)
                    .executor(executor)
                    .patience(Duration.ofMillis(20))
                    .build()) {
                Sequence sequence = sequences.open(name, mode);
                long began = System.nanoTime();
                Throwable failure = new IllegalStateException("never drawn");
                while (failure != null && System.nanoTime() - began < TimeUnit.SECONDS.toNanos(20)) {
                    failure = catchThrowable(
                            sequence::next); // on a busy machine, other values than those dropped may be late
                }
                assertThat(failure).as("%s", mode).isNull();
            }
        }
    }

    @Test
    void draws_that_the_executor_has_dropped_cost_nobody_anything_once_their_patience_is_over() throws Exception {
        store.with("s");
        AtomicInteger calls = new AtomicInteger();
        Executor executor = work -> {
            if (calls.incrementAndGet() > 3) {
                threads.execute(work);
            }
        };
        try (StoreSequences sequences = StoreSequences.builder(store)
                .executor(executor)
                .patience(Duration.ofSeconds(1))
                .build()) {
            Sequence sequence = sequences.open("s", Allocation.async());
            List<CompletableFuture<Long>> dropped = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                dropped.add(sequence.nextAsync().toCompletableFuture());
            }
            assertThatThrownBy(dropped.get(0)::join).isInstanceOf(CompletionException.class);
            int served = 0; // those behind the first may be served once it is given up
            for (CompletableFuture<Long> draw : dropped) {
                served += catchThrowable(draw::join) == null ? 1 : 0;
            }
            assertThat(sequence.next()).isEqualTo(served + 1);
        }
    }

    @Test
    void a_background_fetch_is_repeated_although_no_thread_could_be_started_for_it_either() throws Exception {
        store.with("s");
        AtomicInteger calls = new AtomicInteger();
        Executor executor = failingAt(call -> call == 2 || call == 3, calls);
        try (StoreSequences sequences = StoreSequences.builder(store)
                .executor(executor)
                .patience(PATIENCE)
                .build()) {
            Sequence sequence = sequences.open("s", Allocation.asyncBatch(10, 5));
            sequence.next();
            for (int i = 0; i < 2000 && threads.getActiveCount() > 0; i++) {
                TimeUnit.MILLISECONDS.sleep(
                        10); // otherwise, the thread of the first fetch would continue with the next
            }
            sequence.next(6);
            for (int i = 0; i < 2000 && store.asked.size() < 2; i++) {
                TimeUnit.MILLISECONDS.sleep(10);
            }
            assertThat(store.asked).hasSize(2);
            assertThat(calls).hasValue(4);
        }
    }

    @Test
    void an_error_of_the_listener_costs_nothing_whatever_it_is_told() {
        SequenceListener failing = new SequenceListener() {
            @Override
            public void reserved(String sequence, Block block, Duration took) {
                throw new ListenerFault();
            }

            @Override
            public void waited(String sequence, Duration howLong) {
                throw new ListenerFault();
            }

            @Override
            public void failed(String sequence, SequenceException failure) {
                throw new ListenerFault();
            }

            @Override
            public void lost(String sequence, Block values) {
                throw new ListenerFault();
            }

            @Override
            public void outcomeUnknown(String sequence, long count) {
                throw new ListenerFault();
            }

            @Override
            public void givenBack(String sequence, Block values) {
                throw new ListenerFault();
            }

            @Override
            public void nearlyExhausted(String sequence, BigInteger valuesLeft) {
                throw new ListenerFault();
            }
        };
        for (Allocation mode : modes()) {
            for (boolean back : new boolean[] {true, false}) {
                String name = mode + " " + back;
                store.create(
                        SequenceDefinition.named(name).maxValue(20L).cache(5).build());
                StoreSequences sequences = StoreSequences.builder(store)
                        .patience(PATIENCE)
                        .listener(failing)
                        .giveBackOnClose(back)
                        .build();
                Sequence sequence = sequences.open(name, mode);
                AtomicInteger failures = new AtomicInteger(1);
                store.hook = (n, count) -> {
                    if (failures.getAndDecrement() > 0) {
                        missingClass(n, count);
                    }
                };
                store.committed = (n, count) -> {
                    if (failures.get() == -1) {
                        throw new SequenceException.CommitOutcomeUnknown(n, null);
                    }
                };
                assertHeardAtOnce(sequence::next, "org/driver/Some");
                long began = System.nanoTime();
                long last = sequence.next();
                while (last < 19) {
                    last = sequence.next();
                }
                assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(AT_ONCE);
                sequences.close();
                store.committed = (n, count) -> {};
                assertThat(last).as("%s", mode).isEqualTo(19);
            }
        }
    }

    @Test
    void an_error_while_giving_back_does_not_keep_a_sequence_from_being_closed_and_opened_anew() {
        store.with("s").givingBack = ThrownErrorTest::missingClass;
        List<Long> unknown = new ArrayList<>();
        SequenceListener listener = new SequenceListener() {
            @Override
            public void outcomeUnknown(String sequence, long count) {
                unknown.add(count);
            }
        };
        try (StoreSequences sequences = StoreSequences.builder(store)
                .listener(listener)
                .giveBackOnClose(true)
                .build()) {
            Sequence sequence = sequences.open("s", Allocation.batch(10));
            sequence.next(3);
            sequence.close();
            store.givingBack = (name, count) -> {};
            assertThat(unknown).containsExactly(7L);
            assertThat(sequences.open("s", Allocation.batch(10)).next()).isEqualTo(11);
        }
    }

    @Test
    void closing_all_closes_each_whatever_one_of_them_throws() {
        store.with("a").with("b").givingBack = ThrownErrorTest::missingClass;
        StoreSequences sequences =
                StoreSequences.builder(store).giveBackOnClose(true).build();
        Sequence a = sequences.open("a", Allocation.batch(10));
        Sequence b = sequences.open("b", Allocation.batch(10));
        a.next();
        b.next();
        sequences.close();
        assertThatThrownBy(a::next).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(b::next).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void a_striped_sequence_hears_it_and_goes_on() throws Exception {
        Striping striping = new Striping("striped", 3);
        striping.create(store, SequenceDefinition.of("striped"));
        store.hook = ThrownErrorTest::missingClass;
        try (StoreSequences sequences =
                StoreSequences.builder(store).patience(PATIENCE).build()) {
            Sequence sequence = sequences.striped(striping, Allocation.combined());
            assertHeardAtOnce(sequence::next, "org/driver/Some");
            assertHeardAtOnce(() -> sequence.local().next(), "org/driver/Some");
            assertThatThrownBy(() -> sequence.nextAsync().toCompletableFuture().get(10, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(SequenceException.Unavailable.class);
            store.hook = (n, count) -> {};
            assertThat(sequence.next()).isPositive();
        }
    }

    @Test
    void an_error_while_numbers_are_laid_out_is_heard_at_once_and_the_next_call_works() {
        HookedPools pools = new HookedPools();
        pools.before = count -> missingClass("s", count);
        try (StoreSequences sequences =
                StoreSequences.builder(pools.memory).patience(PATIENCE).build()) {
            PooledSequence<InMemoryTransaction> pooled = sequences.pooled("s", pools);
            for (int i = 0; i < 3; i++) {
                assertHeardAtOnce(() -> pools.drawn(pooled), "org/driver/Some");
            }
            pools.before = count -> {};
            assertThat(pools.drawn(pooled)).isEqualTo(1);
        }
    }

    @Test
    void a_thread_that_cannot_be_started_to_lay_out_is_heard_at_once_and_the_next_call_works() {
        HookedPools pools = new HookedPools();
        AtomicInteger calls = new AtomicInteger();
        try (StoreSequences sequences = StoreSequences.builder(pools.memory)
                .executor(failingAt(call -> call <= 3, calls))
                .patience(PATIENCE)
                .build()) {
            PooledSequence<InMemoryTransaction> pooled = sequences.pooled("s", pools); // the first call
            assertThat(calls).hasValue(1);
            assertHeardAtOnce(() -> pools.drawn(pooled), "unable to create native thread");
            assertHeardAtOnce(() -> pools.drawn(pooled), "unable to create native thread");
            assertThat(pools.drawn(pooled)).isEqualTo(1);
            assertThat(pools.asked).hasSize(1);
        }
    }

    @Test
    void a_laying_out_that_the_executor_drops_does_not_hold_up_what_comes_after() {
        HookedPools pools = new HookedPools();
        AtomicInteger calls = new AtomicInteger();
        Executor executor = work -> {
            if (calls.incrementAndGet() > 5) {
                threads.execute(work);
            }
        };
        try (StoreSequences sequences = StoreSequences.builder(pools.memory)
                .executor(executor)
                .patience(Duration.ofMillis(30))
                .build()) {
            PooledSequence<InMemoryTransaction> pooled = sequences.pooled("s", pools);
            int drawn = 0;
            long began = System.nanoTime();
            while ((drawn == 0 || pools.asked.isEmpty()) && System.nanoTime() - began < TimeUnit.SECONDS.toNanos(20)) {
                LockSupport.parkNanos(Duration.ofMillis(35).toNanos());
                drawn += catchThrowable(() -> pools.drawn(pooled)) == null ? 1 : 0;
            }
            assertThat(drawn).isPositive();
            assertThat(pools.asked).isNotEmpty();
        }
    }
}
