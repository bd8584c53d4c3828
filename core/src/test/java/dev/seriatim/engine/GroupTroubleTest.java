// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.GroupedSequence;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceListener;
import dev.seriatim.UnitOfWork;
import dev.seriatim.engine.QueuedCallers.Caller;
import dev.seriatim.memory.LedgerStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Units that are always in conflict, errors at every step, and steps that hang: unaffected callers continue. */
@Timeout(60)
class GroupTroubleTest {

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final LedgerStore store = new LedgerStore();
    private final HandMovedTiming time = new HandMovedTiming();
    private final List<StoreSequences> opened = new ArrayList<>();
    private final CountDownLatch gate = new CountDownLatch(1);

    @AfterEach
    void close() {
        gate.countDown();
        opened.forEach(StoreSequences::close);
    }

    @Test
    void a_unit_that_is_always_in_conflict_stops_nobody_else() throws Exception {
        GroupedSequence<LedgerStore.Pages> sequence =
                grouped(StoreSequences.builder(store.memory).patience(Duration.ofSeconds(5)));
        AtomicInteger runs = new AtomicInteger();
        UnitOfWork<LedgerStore.Pages, Long, Exception> unit = turn -> {
            runs.incrementAndGet();
            throw new LedgerStore.Conflict();
        };
        Caller<Long> always = new QueuedCallers(sequence).queue(unit);
        int committed = commitAllOf(sequence, 8, 100);
        assertThat(committed).isEqualTo(800);
        Throwable failure = always.failure();
        int runsOfOneCaller = runs.get();
        assertThat(knownFailure(failure, sequence, unit))
                .isInstanceOf(SequenceException.Overloaded.class)
                .hasMessageContaining("its own unit of work conflicted")
                .hasRootCauseInstanceOf(LedgerStore.Conflict.class);
        assertThat(runsOfOneCaller)
                .as("with pauses, so more than twice but not continuously")
                .isBetween(5, 200);
        assertLedgerIsGapless(800);
    }

    @Test
    void a_unit_whose_every_commit_is_in_conflict_stops_nobody_else() throws Exception {
        GroupedSequence<LedgerStore.Pages> sequence =
                grouped(StoreSequences.builder(store.memory).patience(PATIENCE));
        store.beforeCommitOf = entries -> {
            if (entries.contains(-1L)) {
                throw new SequenceException.Overloaded("s", "conflict", null);
            }
        };
        UnitOfWork<LedgerStore.Pages, Long, Exception> unit = turn -> {
            turn.transaction().enter(-1);
            return 0L;
        };
        Caller<Long> always = new QueuedCallers(sequence).queue(unit);
        assertThat(commitAllOf(sequence, 8, 50)).isEqualTo(400);
        assertThat(knownFailure(always.failure(), sequence, unit)).isInstanceOf(SequenceException.Overloaded.class);
        assertLedgerIsGapless(400);
    }

    /** A step at which a store, an executor or a listener throws an error. */
    enum Step {
        BEGIN,
        COUNTER,
        MARK,
        UNDO,
        COMMIT,
        ROLLBACK,
        EXECUTOR,
        LISTENER
    }

    @ParameterizedTest
    @EnumSource
    void an_error_at_any_step_is_heard_at_once_and_the_next_call_works(Step step) throws Exception {
        AtomicBoolean faulty = new AtomicBoolean();
        ExecutorService threads = Executors.newCachedThreadPool();
        Executor executor = work -> {
            if (step == Step.EXECUTOR && faulty.get()) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            threads.execute(work);
        };
        SequenceListener listener = new SequenceListener() {
            @Override
            public void failed(String sequence, SequenceException failure) {
                if (step == Step.LISTENER && faulty.get()) {
                    throw new NoSuchMethodError("a library of another version");
                }
            }
        };
        LedgerStore.Hook fails = time -> {
            if (faulty.get()) {
                throw new NoClassDefFoundError("a class of the driver");
            }
        };
        switch (step) {
            case BEGIN, LISTENER -> store.beforeBegin = fails;
            case COUNTER -> store.beforeCounter = fails;
            case MARK -> store.beforeMark = fails;
            case UNDO -> store.beforeUndo = fails;
            case COMMIT -> store.beforeCommit = fails;
            case ROLLBACK -> store.beforeRollback = fails;
            case EXECUTOR -> {}
        }
        Duration patience = Duration.ofSeconds(20);
        GroupedSequence<LedgerStore.Pages> sequence = grouped(StoreSequences.builder(store.memory)
                .patience(patience)
                .executor(executor)
                .listener(listener));
        assertThat(sequence.commit(QueuedCallers::enterOne)).isEqualTo(1);
        failInAGroup(sequence); // so that savepoints are made
        for (int round = 0; round < 6; round++) {
            faulty.set(true);
            long began = System.nanoTime();
            failInAGroup(sequence);
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(patience.dividedBy(2));
            faulty.set(false);
            int before = store.ledger.size();
            assertThat(sequence.commit(QueuedCallers::enterOne)).isEqualTo(before + 1);
        }
        assertLedgerIsGapless(store.ledger.size());
        threads.shutdown();
    }

    /**
     * Like a thread pool that queues a task but cannot create a thread: a commit that is sent twice might commit
     * another group.
     */
    @Test
    void a_step_that_was_taken_although_the_executor_threw_is_done_once() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        Executor executor = work -> {
            CompletableFuture.runAsync(work, threads).join();
            throw new OutOfMemoryError("unable to create native thread, but the work is done");
        };
        GroupedSequence<LedgerStore.Pages> sequence =
                grouped(StoreSequences.builder(store.memory).patience(PATIENCE).executor(executor));
        for (int unit = 1; unit <= 20; unit++) {
            assertThat(sequence.commit(QueuedCallers::enterOne)).isEqualTo(unit);
        }
        assertLedgerIsGapless(20);
        assertThat(store.begun).hasValue(20);
        assertThat(store.commits).hasValue(20);
        threads.shutdown();
    }

    /**
     * On its own thread, the begin would wait for the turn of a group that the caller itself is called into meanwhile.
     */
    @Test
    void a_caller_does_not_begin_a_transaction_itself_when_the_executor_is_full() {
        AtomicBoolean full = new AtomicBoolean(true);
        ExecutorService threads = Executors.newCachedThreadPool();
        Executor executor = work -> {
            if (full.get()) {
                throw new RejectedExecutionException("full");
            }
            threads.execute(work);
        };
        List<Thread> beginners = new CopyOnWriteArrayList<>();
        store.beforeBegin = time -> beginners.add(Thread.currentThread());
        GroupedSequence<LedgerStore.Pages> sequence =
                grouped(StoreSequences.builder(store.memory).patience(PATIENCE).executor(executor));
        assertThatThrownBy(() -> sequence.commit(QueuedCallers::enterOne))
                .isInstanceOf(SequenceException.Unavailable.class)
                .hasMessageContaining("no thread is available")
                .hasMessageContaining("full");
        full.set(false);
        assertThat(sequence.commit(QueuedCallers::enterOne)).isEqualTo(1);
        assertThat(beginners).isNotEmpty().doesNotContain(Thread.currentThread());
        threads.shutdown();
    }

    @Test
    void a_store_that_fails_to_say_whether_it_answers_bothers_nobody_with_that() throws Exception {
        store.failsToAnswer = true;
        store.beforeBegin = time -> gate.await();
        List<Throwable> uncaught = new CopyOnWriteArrayList<>();
        ExecutorService threads = Executors.newCachedThreadPool(run -> {
            Thread thread = new Thread(run);
            thread.setUncaughtExceptionHandler((in, thrown) -> uncaught.add(thrown));
            return thread;
        });
        try {
            QueuedCallers callers = new QueuedCallers(grouped(
                    StoreSequences.builder(store.memory).patience(PATIENCE).executor(threads)));
            assertThat(callers.queueOne().failure()).isInstanceOf(SequenceException.Unavailable.class);
        } finally {
            gate.countDown();
            threads.shutdown();
            assertThat(threads.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(uncaught).isEmpty();
    }

    @Test
    void a_beginning_that_hangs_is_abandoned_though_nobody_else_comes() throws Exception {
        store.beforeBegin = time -> {
            if (time == 1) {
                gate.await();
            }
        };
        QueuedCallers callers = new QueuedCallers(
                grouped(StoreSequences.builder(store.memory).patience(PATIENCE).timing(time)));
        List<Caller<Long>> waiting = List.of(callers.queueOne(), callers.queueOne(), callers.queueOne());
        time.pass(PATIENCE.dividedBy(2).plusMillis(1));
        for (Caller<Long> caller : waiting) {
            assertThat(caller.result()).isBetween(1L, 3L);
        }
        assertThat(store.begun).hasValue(2);
        gate.countDown();
        assertLedgerIsGapless(3);
    }

    @Test
    void says_that_it_waited_for_the_lock_of_the_counter() throws Exception {
        GroupedSequence<LedgerStore.Pages> one =
                grouped(StoreSequences.builder(store.memory).patience(PATIENCE).timing(time));
        ExecutorService threads = Executors.newCachedThreadPool();
        CountDownLatch asked = new CountDownLatch(1);
        Executor executor = work -> threads.execute(() -> {
            work.run();
            asked.countDown(); // the begin does not get this far: it waits for the lock
        });
        GroupedSequence<LedgerStore.Pages> another = grouped(StoreSequences.builder(store.memory)
                .patience(Duration.ofMillis(400))
                .timing(time)
                .executor(executor));
        Caller<Long> holding = new QueuedCallers(one).hold(gate);
        store.answers = true;
        Caller<Long> waiting = new QueuedCallers(another).queueOne();
        time.pass(Duration.ofMillis(100));
        asked.await();
        time.pass(Duration.ofMillis(300));
        assertThat(waiting.failure())
                .isInstanceOf(SequenceException.Overloaded.class)
                .hasMessageContaining("no lock on its counter within 400 ms although the store answers");
        gate.countDown();
        assertThat(holding.result()).isEqualTo(1);
        threads.shutdown();
    }

    @Test
    void who_joins_a_hanging_unit_from_a_unit_abandoned_is_refused() throws Exception {
        GroupedSequence<LedgerStore.Pages> sequence =
                grouped(StoreSequences.builder(store.memory).patience(PATIENCE).timing(time));
        QueuedCallers callers = new QueuedCallers(sequence);
        CountDownLatch nestedRuns = new CountDownLatch(1);
        Caller<Long> nested = callers.queue(turn -> {
            nestedRuns.countDown();
            gate.await(20, TimeUnit.SECONDS);
            return sequence.commit(QueuedCallers::enterOne);
        });
        nestedRuns.await();
        Caller<Long> other = callers.queueOne();
        time.pass(PATIENCE);
        assertThat(other.failure()).isInstanceOf(SequenceException.Overloaded.class);
        gate.countDown();
        assertThat(nested.failure())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("draw with the turn");
    }

    @Test
    void nobody_runs_twice_when_a_rollback_finds_the_transaction_ended() throws Exception {
        GroupedSequence<LedgerStore.Pages> sequence =
                grouped(StoreSequences.builder(store.memory).patience(PATIENCE).timing(time));
        QueuedCallers callers = new QueuedCallers(sequence);
        AtomicInteger runs = new AtomicInteger();
        store.beforeRollback = time -> {
            throw new SequenceException.CommitOutcomeUnknown("s", "a unit has ended it", null);
        };
        CountDownLatch hold = new CountDownLatch(1);
        Caller<Long> first = callers.hold(hold);
        Caller<Long> second = callers.queue(turn -> (long) runs.incrementAndGet());
        Caller<Long> throwing = callers.queue(turn -> {
            throw new IllegalArgumentException("refused");
        });
        hold.countDown();
        for (Caller<Long> caller : List.of(first, second, throwing)) {
            assertThat(caller.failure())
                    .isInstanceOf(SequenceException.CommitOutcomeUnknown.class)
                    .hasMessageContaining("a unit has ended it");
        }
        assertThat(Objects.requireNonNull(throwing.failure()).getSuppressed()[0])
                .hasMessage("refused");
        assertThat(runs).hasValue(1);
        store.beforeRollback = time -> {};
        assertThat(sequence.commit(QueuedCallers::enterOne)).isEqualTo(1);
    }

    /** A unit that holds the turn, one that fails after it, and one more; each caller gets a result or a failure. */
    private static void failInAGroup(GroupedSequence<LedgerStore.Pages> sequence) throws Exception {
        QueuedCallers callers = new QueuedCallers(sequence);
        CountDownLatch hold = new CountDownLatch(1);
        List<Caller<Long>> group = new ArrayList<>();
        group.add(callers.queue(turn -> {
            hold.await(20, TimeUnit.SECONDS);
            return QueuedCallers.enterOne(turn);
        }));
        group.add(callers.queue(turn -> {
            throw new IllegalArgumentException("refused");
        }));
        group.add(callers.queueOne());
        hold.countDown();
        for (Caller<Long> caller : group) {
            caller.failure();
        }
    }

    /**
     * Returns a caller's failure; if its patience ended while the store was about to answer, that of another caller
     * with the same unit.
     */
    private static @Nullable Throwable knownFailure(
            @Nullable Throwable first,
            GroupedSequence<LedgerStore.Pages> sequence,
            UnitOfWork<LedgerStore.Pages, Long, Exception> unit)
            throws Exception {
        Throwable failure = first;
        for (int again = 0; again < 4 && failure instanceof SequenceException.CommitOutcomeUnknown; again++) {
            assertThat(failure).hasMessageContaining("ended before the store answered the");
            failure = new QueuedCallers(sequence).queue(unit).failure();
        }
        return failure;
    }

    private int commitAllOf(GroupedSequence<LedgerStore.Pages> sequence, int callers, int each) throws Exception {
        AtomicInteger committed = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            Thread thread = new Thread(() -> {
                for (int n = 0; n < each; n++) {
                    sequence.commit(QueuedCallers::enterOne);
                    committed.incrementAndGet();
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join(TimeUnit.SECONDS.toMillis(30));
        }
        return committed.get();
    }

    private GroupedSequence<LedgerStore.Pages> grouped(StoreSequences.Builder builder) {
        StoreSequences sequences = builder.build();
        opened.add(sequences);
        return sequences.grouped("s", store);
    }

    private void assertLedgerIsGapless(int size) {
        assertThat(store.ledger)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, size).boxed().toList());
        assertThat(store.memory.describe("s").nextValue()).isEqualTo(size + 1);
    }
}
