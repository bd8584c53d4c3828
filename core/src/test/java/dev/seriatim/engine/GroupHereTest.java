// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.GroupedSequence;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceListener;
import dev.seriatim.memory.LedgerStore;
import dev.seriatim.memory.LedgerStore.Pages;
import dev.seriatim.store.GroupingStore;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SharedTransaction;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Transactions that begin and are committed on a caller's own thread, where the store offers that. */
@Timeout(60)
class GroupHereTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final LedgerStore ledger = new LedgerStore();

    /** What was asked of the store, as {@code begin} or {@code commit}, followed by {@code here} on a caller's thread. */
    private final Queue<String> asked = new ConcurrentLinkedQueue<>();

    private final List<Thread> here = new CopyOnWriteArrayList<>();
    private final List<Duration> limits = new CopyOnWriteArrayList<>();
    private final List<SequenceException> told = new CopyOnWriteArrayList<>();
    private volatile BooleanSupplier mayBegin = () -> true;
    private volatile BooleanSupplier mayCommit = () -> true;
    private volatile Runnable afterCommit = () -> {};
    private final StoreSequences sequences = StoreSequences.builder(ledger.memory)
            .patience(PATIENCE)
            .listener(new SequenceListener() {
                @Override
                public void failed(String name, SequenceException failure) {
                    told.add(failure);
                }
            })
            .build();
    private final GroupedSequence<Pages> sequence = sequences.grouped("s", new Here());
    private final QueuedCallers callers = new QueuedCallers(sequence);

    @AfterEach
    void close() {
        sequences.close();
    }

    private final class Here implements GroupingStore<Pages> {
        @Override
        public SharedTransaction<Pages> begin(String name) {
            asked.add("begin");
            return new Shared(ledger.begin(name));
        }

        @Override
        public Optional<SharedTransaction<Pages>> beginHere(String name, Duration atMost) {
            asked.add("begin here");
            here.add(Thread.currentThread());
            limits.add(atMost);
            return mayBegin.getAsBoolean() ? Optional.of(new Shared(ledger.begin(name))) : Optional.empty();
        }
    }

    private final class Shared implements SharedTransaction<Pages> {
        private final SharedTransaction<Pages> of;

        Shared(SharedTransaction<Pages> of) {
            this.of = of;
        }

        @Override
        public Pages handle(Drawn drawn) {
            return of.handle(drawn);
        }

        @Override
        public SequenceState counter() {
            return of.counter();
        }

        @Override
        public Blame blame(Throwable thrown) {
            return of.blame(thrown);
        }

        @Override
        public void commit(SequenceState counter) {
            asked.add("commit");
            of.commit(counter);
        }

        @Override
        public boolean commitHere(SequenceState counter, Duration atMost) {
            asked.add("commit here");
            here.add(Thread.currentThread());
            limits.add(atMost);
            try {
                if (!mayCommit.getAsBoolean()) {
                    return false;
                }
            } catch (SequenceException refused) {
                of.rollback(); // it has ended, whatever is thrown
                throw refused;
            }
            of.commit(counter);
            afterCommit.run();
            return true;
        }

        @Override
        public void rollback() {
            asked.add("rollback");
            of.rollback();
        }
    }

    private void assertGapless(int last) {
        assertThat(ledger.ledger)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, last).boxed().toList());
        assertThat(ledger.memory.describe("s").nextValue()).isEqualTo(last + 1);
    }

    @Test
    void a_lone_caller_does_everything_on_its_thread_within_its_patience() {
        for (int i = 1; i <= 3; i++) {
            assertThat(sequence.<Long, RuntimeException>commit(QueuedCallers::enterOne))
                    .isEqualTo(i);
        }
        assertThat(asked)
                .containsExactly("begin here", "commit here", "begin here", "commit here", "begin here", "commit here");
        assertThat(here).containsOnly(Thread.currentThread());
        assertThat(limits).allMatch(limit -> limit.compareTo(Duration.ZERO) > 0 && limit.compareTo(PATIENCE) <= 0);
        assertThat(limits.get(0)).as("a beginning").isEqualTo(Duration.ofSeconds(1));
        assertGapless(3);
    }

    /** An interrupt closes the socket on which a virtual thread waits, perhaps for the answer to a commit. */
    @Test
    void a_virtual_thread_leaves_everything_to_the_executor() throws Exception {
        FutureTask<Long> caller =
                new FutureTask<>(() -> sequence.<Long, RuntimeException>commit(QueuedCallers::enterOne));
        OnVirtualThread.start(caller);
        assertThat(caller.get()).isEqualTo(1);
        assertThat(asked).containsExactly("begin", "commit");
        assertGapless(1);
    }

    @Test
    void what_is_not_possible_there_is_handed_over() {
        mayBegin = () -> false;
        mayCommit = () -> false;
        assertThat(sequence.<Long, RuntimeException>commit(QueuedCallers::enterOne))
                .isEqualTo(1);
        assertThat(asked).containsExactly("begin here", "begin", "commit here", "commit");
        assertGapless(1);
    }

    @Test
    void whatever_a_beginning_throws_there_another_one_finds_out_why() {
        mayBegin = () -> {
            throw new NoClassDefFoundError("for/the/Test");
        };
        assertThat(sequence.<Long, RuntimeException>commit(QueuedCallers::enterOne))
                .isEqualTo(1);
        assertThat(asked).containsExactly("begin here", "begin", "commit here");
        assertThat(told).isEmpty();
        assertGapless(1);
    }

    @Test
    void a_commit_that_is_not_answered_is_unknown_and_the_listener_hears_it() {
        SequenceException lost =
                new SequenceException.CommitOutcomeUnknown("s", new IllegalStateException("no answer"));
        afterCommit = () -> {
            throw lost;
        };
        assertThatThrownBy(() -> sequence.commit(QueuedCallers::enterOne))
                .isInstanceOf(SequenceException.CommitOutcomeUnknown.class)
                .hasMessage(lost.getMessage());
        assertThat(told).containsExactly(lost);
        afterCommit = () -> {
            throw new StackOverflowError();
        };
        assertThatThrownBy(() -> sequence.commit(QueuedCallers::enterOne))
                .isInstanceOf(SequenceException.CommitOutcomeUnknown.class);
        afterCommit = () -> {};
        assertThat(sequence.<Long, RuntimeException>commit(QueuedCallers::enterOne))
                .isEqualTo(3);
        assertGapless(3);
    }

    @Test
    void a_conflict_at_the_commit_makes_the_unit_run_again() {
        int[] times = {0};
        mayCommit = () -> {
            if (times[0]++ == 0) {
                throw new SequenceException.Overloaded("s", "others were first", null);
            }
            return true;
        };
        assertThat(sequence.<Integer, RuntimeException>commit(turn -> {
                    turn.next();
                    return times[0];
                }))
                .isEqualTo(1);
    }

    @Test
    void a_unit_that_throws_is_undone_before_its_caller_goes() {
        assertThatThrownBy(() -> sequence.commit(turn -> {
                    QueuedCallers.enterOne(turn);
                    throw new IllegalArgumentException("its own");
                }))
                .hasMessage("its own");
        assertThat(asked).containsExactly("begin here", "rollback");
        assertThat(ledger.memory.describe("s").nextValue()).isEqualTo(1);
    }

    @Test
    void a_caller_who_was_interrupted_waits_for_no_store() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        QueuedCallers.Caller<Boolean> caller = callers.queue(turn -> {
            QueuedCallers.enterOne(turn);
            gate.countDown();
            Thread.currentThread().interrupt();
            return true;
        });
        gate.await();
        assertThat(caller.failure())
                .satisfiesAnyOf(
                        failure -> assertThat(failure).isNull(), // the commit was faster
                        failure -> assertThat(failure).isInstanceOf(SequenceException.CommitOutcomeUnknown.class));
        assertThat(asked).doesNotContain("commit here").contains("commit");
    }

    @Test
    void the_last_of_a_group_commits_for_all_and_the_next_transaction_is_handed_over() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        QueuedCallers.Caller<Long> first = callers.hold(gate);
        QueuedCallers.Caller<Long> second = callers.queueOne();
        CountDownLatch commits = new CountDownLatch(1);
        CountDownLatch joined = new CountDownLatch(1);
        mayCommit = () -> {
            commits.countDown();
            try {
                joined.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return true;
        };
        gate.countDown();
        commits.await();
        QueuedCallers.Caller<Long> third = callers.queueOne();
        joined.countDown();
        assertThat(List.of(first.result(), second.result(), third.result())).containsExactly(1L, 2L, 3L);
        assertThat(asked).containsExactly("begin here", "commit here", "begin", "commit here");
        assertThat(here).containsExactly(first.thread(), second.thread(), third.thread());
        assertGapless(3);
    }
}
