// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.GroupedSequence;
import dev.seriatim.SequenceException;
import dev.seriatim.engine.QueuedCallers.Caller;
import dev.seriatim.memory.LedgerStore;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Deadlines, interrupts, steps that hang, and closing, with a clock that the test controls. */
@Timeout(60)
class GroupWaitingTest {

    private static final Duration PATIENCE = Duration.ofMillis(400);

    private final LedgerStore store = new LedgerStore();
    private final HandMovedTiming time = new HandMovedTiming();
    private final StoreSequences sequences =
            StoreSequences.builder(store.memory).patience(PATIENCE).timing(time).build();
    private final GroupedSequence<LedgerStore.Pages> sequence = sequences.grouped("s", store);
    private final QueuedCallers callers = new QueuedCallers(sequence);
    private final CountDownLatch gate = new CountDownLatch(1);

    /** For tests in which no patience should end, not even that of closing, which real time ends. */
    private final StoreSequences patientSequences = StoreSequences.builder(store.memory)
            .patience(Duration.ofSeconds(20))
            .timing(time)
            .build();

    private final GroupedSequence<LedgerStore.Pages> patientSequence = patientSequences.grouped("s", store);
    private final QueuedCallers patient = new QueuedCallers(patientSequence);

    @AfterEach
    void close() {
        gate.countDown();
        sequences.close();
        patientSequences.close();
    }

    @Test
    void does_not_run_a_unit_whose_caller_has_gone() throws Exception {
        AtomicBoolean ran = new AtomicBoolean();
        Caller<Long> slow = callers.hold(gate);
        Caller<Boolean> impatient = callers.queue(turn -> ran.getAndSet(true));
        time.pass(PATIENCE);
        assertThat(impatient.failure())
                .isInstanceOf(SequenceException.Overloaded.class)
                .hasMessageContaining("no turn within 400 ms")
                .hasMessageContaining("nothing was committed");
        gate.countDown();
        assertThat(slow.result()).isEqualTo(1);
        assertThat(ran).isFalse();
        assertLedgerIsGapless(1);
    }

    @Test
    void does_not_count_how_long_a_callers_own_unit_takes() throws Exception {
        Caller<Long> slow = callers.hold(gate);
        time.pass(Duration.ofMillis(600));
        gate.countDown();
        assertThat(slow.result()).isEqualTo(1);
    }

    @Test
    void takes_the_work_back_of_a_caller_who_leaves_before_the_commit() throws Exception {
        CountDownLatch otherGate = new CountDownLatch(1);
        CountDownLatch slowRuns = new CountDownLatch(1);
        Caller<Long> leaving = callers.hold(otherGate);
        Caller<Long> slow = callers.queue(turn -> {
            slowRuns.countDown();
            gate.await();
            return QueuedCallers.enterOne(turn);
        });
        otherGate.countDown();
        slowRuns.await();
        time.pass(PATIENCE);
        assertThat(leaving.failure())
                .isInstanceOf(SequenceException.Overloaded.class)
                .hasMessageContaining("not committed within 400 ms");
        gate.countDown();
        assertThat(slow.result()).isEqualTo(1);
        assertLedgerIsGapless(1);
        assertThat(store.rollbacks).hasValue(1);
    }

    @Test
    void a_slow_unit_that_another_caller_has_made_run_again_hears_of_its_commit() throws Exception {
        CountDownLatch otherGate = new CountDownLatch(1);
        AtomicInteger runs = new AtomicInteger();
        Caller<Long> leaving = callers.hold(otherGate);
        Caller<Long> slow = callers.queue(turn -> {
            runs.incrementAndGet();
            time.pass(Duration.ofMillis(600));
            gate.await(); // the first time, until the other has left
            return QueuedCallers.enterOne(turn);
        });
        otherGate.countDown();
        assertThat(leaving.failure()).isInstanceOf(SequenceException.Overloaded.class);
        gate.countDown();
        assertThat(slow.result()).isEqualTo(1);
        assertThat(runs).hasValue(2);
        assertLedgerIsGapless(1);
    }

    @Test
    void leaves_at_once_when_interrupted_in_line_and_stays_interrupted() throws Exception {
        Caller<Long> holding = patient.hold(gate);
        AtomicBoolean stillInterrupted = new AtomicBoolean();
        Thread thread = new Thread(() -> {
            try {
                patientSequence.commit(QueuedCallers::enterOne);
            } catch (SequenceException.Unavailable e) {
                stillInterrupted.set(Thread.currentThread().isInterrupted());
            }
        });
        thread.start();
        thread.interrupt();
        thread.join(5_000);
        assertThat(stillInterrupted).isTrue();
        gate.countDown();
        assertThat(holding.result()).isEqualTo(1);
        assertLedgerIsGapless(1);
    }

    @Test
    void takes_the_work_back_of_a_caller_interrupted_before_the_commit() throws Exception {
        CountDownLatch otherGate = new CountDownLatch(1);
        CountDownLatch secondRuns = new CountDownLatch(1);
        Caller<Long> interrupted = patient.hold(otherGate);
        Caller<Long> second = patient.queue(turn -> {
            secondRuns.countDown();
            gate.await();
            return QueuedCallers.enterOne(turn);
        });
        otherGate.countDown();
        secondRuns.await();
        interrupted.thread().interrupt();
        assertThat(interrupted.failure())
                .isInstanceOf(SequenceException.Unavailable.class)
                .hasMessageContaining("nothing was committed");
        gate.countDown();
        assertThat(second.result()).isEqualTo(1);
        assertLedgerIsGapless(1);
    }

    @Test
    void does_not_know_the_outcome_when_it_leaves_while_the_commit_is_under_way() throws Exception {
        CountDownLatch sent = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        store.beforeCommit = attempt -> {
            sent.countDown();
            answer.await();
        };
        Caller<Long> caller = callers.queueOne();
        sent.await();
        Caller<Long> next = callers.queueOne();
        time.pass(PATIENCE);
        assertThat(caller.failure()).isInstanceOf(SequenceException.CommitOutcomeUnknown.class);
        assertThat(next.failure()).isInstanceOf(SequenceException.Unavailable.class);
        answer.countDown();
        assertThat(sequence.commit(QueuedCallers::enterOne)).isEqualTo(2);
    }

    @Test
    void does_not_wait_for_ever_for_a_transaction_whose_beginning_hangs() throws Exception {
        store.beforeBegin = attempt -> {
            if (attempt <= 2) {
                gate.await();
            }
        };
        Duration half = PATIENCE.dividedBy(2).plusMillis(1);
        Caller<Long> caller = callers.queueOne();
        time.pass(half);
        awaitBegun(2);
        time.pass(half);
        assertThat(caller.failure())
                .isInstanceOf(SequenceException.Unavailable.class)
                .hasMessageContainingAll(
                        "no answer from the store within 400 ms",
                        "runs and is reachable",
                        "that no transaction holds the lock on this sequence");
        assertThat(sequence.commit(QueuedCallers::enterOne)).isEqualTo(1);
        gate.countDown();
        assertThat(sequence.commit(QueuedCallers::enterOne)).isEqualTo(2);
        assertLedgerIsGapless(2);
    }

    @Test
    void does_not_wait_for_ever_for_an_answer_to_a_commit() throws Exception {
        CountDownLatch committed = new CountDownLatch(1);
        store.afterCommit = attempt -> {
            if (attempt == 1) {
                committed.countDown();
                gate.await();
            }
        };
        Caller<Long> caller = callers.queueOne();
        committed.await();
        time.pass(PATIENCE);
        assertThat(caller.failure()).isInstanceOf(SequenceException.CommitOutcomeUnknown.class);
        assertThat(sequence.commit(QueuedCallers::enterOne)).isEqualTo(2);
        gate.countDown();
        assertLedgerIsGapless(2);
    }

    @Test
    void commits_a_unit_that_was_abandoned_when_it_comes_to_an_end() throws Exception {
        Caller<Long> slow = callers.hold(gate);
        Caller<Long> one = callers.queueOne();
        time.pass(PATIENCE);
        assertThat(one.failure()).isInstanceOf(SequenceException.Overloaded.class);
        Caller<Long> next = callers.queueOne(); // a second transaction begins, and waits for the counter's lock
        gate.countDown();
        assertThat(slow.result()).isEqualTo(1);
        assertThat(next.result()).isEqualTo(2);
        assertThat(store.begun).hasValue(2);
        assertLedgerIsGapless(2);
    }

    @Test
    void gives_up_repeating_when_conflicts_outlast_the_patience() {
        // Time passes only while it waits for a turn: during a commit, its outcome would be unknown.
        store.beforeBegin = attempt -> time.pass(PATIENCE.dividedBy(8));
        store.beforeCommit = attempt -> {
            throw new SequenceException.Overloaded("s", "another session is in the way", null);
        };
        assertThatThrownBy(() -> sequence.commit(QueuedCallers::enterOne))
                .isInstanceOf(SequenceException.Overloaded.class)
                .hasMessageContaining("nothing was committed")
                .hasRootCauseMessage("sequence 's': another session is in the way");
        assertLedgerIsGapless(0);
    }

    @Test
    void turns_away_those_who_wait_when_it_closes_and_serves_those_who_have_worked() throws Exception {
        CountDownLatch otherGate = new CountDownLatch(1);
        CountDownLatch works = new CountDownLatch(1);
        Caller<Long> worked = patient.hold(otherGate);
        Caller<Long> working = patient.queue(turn -> {
            works.countDown();
            gate.await();
            return QueuedCallers.enterOne(turn);
        });
        otherGate.countDown();
        works.await();
        Caller<Long> waiting = patient.queueOne();
        Thread closing = new Thread(patientSequence::close);
        closing.start();
        assertThat(waiting.failure()).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
        gate.countDown();
        assertThat(worked.result()).isEqualTo(1);
        assertThat(working.result()).isEqualTo(2);
        closing.join(10_000);
        assertThat(closing.isAlive()).isFalse();
        assertThatThrownBy(() -> patientSequence.commit(QueuedCallers::enterOne))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void ends_on_the_callers_thread_what_was_begun_before_the_executor_took_no_more_work_and_begins_nothing_new() {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        GroupedSequence<LedgerStore.Pages> own =
                StoreSequences.builder(store.memory).executor(executor).build().grouped("s", store);
        long number = own.<Long, RuntimeException>commit(turn -> {
            executor.shutdown();
            return QueuedCallers.enterOne(turn);
        });
        assertThat(number).isEqualTo(1);
        assertThatThrownBy(() -> own.commit(QueuedCallers::enterOne))
                .isInstanceOf(SequenceException.Unavailable.class)
                .hasMessageContaining("no thread is available");
        assertLedgerIsGapless(1);
    }

    private void awaitBegun(int times) throws InterruptedException {
        while (store.begun.get() < times) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    private void assertLedgerIsGapless(int size) {
        assertThat(store.ledger)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, size).boxed().toList());
    }
}
