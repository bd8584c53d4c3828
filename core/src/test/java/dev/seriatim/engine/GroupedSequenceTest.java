// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.seriatim.GroupedSequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.Turn;
import dev.seriatim.engine.QueuedCallers.Caller;
import dev.seriatim.memory.InMemoryTransaction;
import dev.seriatim.memory.LedgerStore;
import dev.seriatim.store.TransactionalSequence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120) // patience does not end while the clock stands still
class GroupedSequenceTest {

    private final LedgerStore store = new LedgerStore();
    private final HandMovedTiming time = new HandMovedTiming();
    private final StoreSequences sequences = StoreSequences.builder(store.memory)
            .patience(Duration.ofSeconds(10))
            .timing(time)
            .build();
    private final GroupedSequence<LedgerStore.Pages> sequence = sequences.grouped("s", store);
    private final QueuedCallers callers = new QueuedCallers(sequence);
    private final CountDownLatch gate = new CountDownLatch(1);

    private static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;
    }

    @AfterEach
    void close() {
        gate.countDown();
        sequences.close();
    }

    @Test
    void runs_each_unit_on_its_own_thread_in_the_order_of_arrival() throws Exception {
        List<Thread> ran = new CopyOnWriteArrayList<>();
        Caller<Long> first = callers.hold(gate);
        List<Caller<Long>> others = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            others.add(callers.queue(turn -> {
                ran.add(Thread.currentThread());
                return QueuedCallers.enterOne(turn);
            }));
        }
        gate.countDown();
        assertThat(first.result()).isEqualTo(1);
        for (int i = 0; i < 5; i++) {
            assertThat(others.get(i).result()).isEqualTo(i + 2);
            assertThat(ran.get(i)).isSameAs(others.get(i).thread());
        }
        assertThat(store.ledger).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
        assertThat(store.begun).hasValue(1);
        assertThat(store.commits).hasValue(1);
    }

    @Test
    void makes_no_savepoints_until_a_unit_has_failed_and_again_none_when_none_has_for_a_while() throws Exception {
        failInAGroup();
        assertThat(store.marks).as("while it failed, and in the repetition").hasValue(1);
        twoInAGroup();
        assertThat(store.marks).hasValue(2);
        for (int i = 0; i < 16; i++) {
            sequence.commit(QueuedCallers::enterOne);
        }
        int before = store.marks.get();
        twoInAGroup();
        assertThat(store.marks).hasValue(before);
    }

    @Test
    void repeats_the_others_when_a_unit_fails_without_a_savepoint() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        Caller<Long> first = callers.hold(gate);
        Caller<Long> second = callers.queue(turn -> {
            runs.incrementAndGet();
            return QueuedCallers.enterOne(turn);
        });
        Caller<Long> failing = callers.queue(this::enterAndFail);
        Caller<Long> last = callers.queueOne();
        gate.countDown();
        assertThat(failing.failure()).isInstanceOf(Refused.class);
        assertThat(first.result()).isEqualTo(1);
        assertThat(second.result()).isEqualTo(2);
        assertThat(last.result()).isEqualTo(3);
        assertThat(runs).hasValue(2);
        assertThat(store.ledger).containsExactly(1L, 2L, 3L);
        assertThat(store.rollbacks).hasValue(1);
    }

    @Test
    void repeats_nobody_when_a_unit_fails_behind_a_savepoint() throws Exception {
        failInAGroup();
        int rollbacks = store.rollbacks.get();
        AtomicInteger runs = new AtomicInteger();
        Caller<Long> first = callers.hold(gate);
        Caller<Long> second = callers.queue(turn -> {
            runs.incrementAndGet();
            return QueuedCallers.enterOne(turn);
        });
        Caller<Long> failing = callers.queue(this::enterAndFail);
        Caller<Long> spoiling = callers.queue(turn -> {
            turn.transaction().spoil();
            return 0L;
        });
        Caller<Long> last = callers.queueOne();
        gate.countDown();
        assertThat(failing.failure()).isInstanceOf(Refused.class);
        assertThat(spoiling.failure()).hasMessage("a statement failed");
        assertThat(last.result()).isEqualTo(second.result() + 1);
        assertThat(second.result()).isEqualTo(first.result() + 1);
        assertThat(runs).hasValue(1);
        assertThat(store.undone).hasValue(2);
        assertThat(store.rollbacks).hasValue(rollbacks);
        assertLedgerIsGapless();
    }

    @Test
    void repeats_the_others_when_a_savepoint_cannot_be_returned_to() throws Exception {
        failInAGroup();
        store.beforeUndo = time -> {
            throw new SequenceException.Unavailable("s", "the connection is gone", null);
        };
        Caller<Long> first = callers.hold(gate);
        Caller<Long> failing = callers.queue(this::enterAndFail);
        Caller<Long> last = callers.queueOne();
        gate.countDown();
        assertThat(failing.failure()).isInstanceOf(Refused.class);
        assertThat(last.result()).isEqualTo(first.result() + 1);
        assertLedgerIsGapless();
    }

    @Test
    void gives_each_a_transaction_of_its_own_when_a_savepoint_cannot_be_made() throws Exception {
        failInAGroup();
        store.beforeMark = time -> {
            store.beforeMark = again -> {};
            throw new SequenceException.Unavailable("s", "the connection is gone", null);
        };
        int begun = store.begun.get();
        assertThat(fourInAGroup()).allMatch(caller -> caller > 0);
        assertThat(store.begun.get() - begun).isGreaterThanOrEqualTo(3);
        assertLedgerIsGapless();
    }

    @Test
    void finds_the_unit_that_spoiled_the_transaction_and_kept_that_to_itself() throws Exception {
        Caller<Long> first = callers.hold(gate);
        Caller<Long> spoiling = callers.queue(turn -> {
            long number = QueuedCallers.enterOne(turn);
            try {
                turn.transaction().spoil();
            } catch (IllegalArgumentException swallowed) {
                // like a unit that tries an insert, and continues without it
            }
            return number;
        });
        Caller<Long> innocent = callers.queueOne();
        Caller<Long> last = callers.queueOne();
        gate.countDown();
        assertThat(spoiling.failure())
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContaining("without reporting it");
        assertThat(first.result()).isEqualTo(1);
        assertThat(List.of(innocent.result(), last.result())).containsExactly(2L, 3L);
        assertLedgerIsGapless();
    }

    @Test
    void repeats_the_group_after_a_conflict_at_its_commit() throws Exception {
        store.beforeCommit = time -> {
            if (time < 3) {
                throw new SequenceException.Overloaded("s", "conflict", null);
            }
        };
        assertThat(fourInAGroup()).containsExactly(1L, 2L, 3L, 4L);
        assertThat(store.commits).hasValue(3);
        assertLedgerIsGapless();
    }

    @Test
    void repeats_the_group_after_a_conflict_inside_a_unit() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        Caller<Long> first = callers.hold(gate);
        Caller<Long> second = callers.queue(turn -> {
            long number = QueuedCallers.enterOne(turn);
            if (tries.incrementAndGet() < 3) {
                throw new LedgerStore.Conflict();
            }
            return number;
        });
        gate.countDown();
        assertThat(first.result()).isEqualTo(1);
        assertThat(second.result()).isEqualTo(2);
        assertThat(tries).hasValue(3);
        assertLedgerIsGapless();
    }

    @Test
    void begins_again_after_a_conflict_at_the_beginning() throws Exception {
        store.beforeBegin = time -> {
            if (time < 3) {
                throw new SequenceException.Overloaded("s", "locked", null);
            }
        };
        assertThat(sequence.commit(QueuedCallers::enterOne)).isEqualTo(1);
        assertThat(store.begun).hasValue(3);
    }

    @Test
    void tells_every_caller_of_the_group_that_the_outcome_is_unknown_and_repeats_nothing() throws Exception {
        store.afterCommit = time -> {
            throw new SequenceException.CommitOutcomeUnknown("s", null);
        };
        Caller<Long> first = callers.hold(gate);
        Caller<Long> second = callers.queueOne();
        gate.countDown();
        assertThat(first.failure()).isInstanceOf(SequenceException.CommitOutcomeUnknown.class);
        assertThat(second.failure()).isInstanceOf(SequenceException.CommitOutcomeUnknown.class);
        store.afterCommit = time -> {};
        assertThat(sequence.commit(QueuedCallers::enterOne)).isEqualTo(3);
        assertThat(store.commits).hasValue(2);
    }

    @Test
    void takes_whatever_else_a_store_throws_at_the_commit_for_an_unknown_outcome() {
        store.afterCommit = time -> {
            throw new IllegalStateException("a failure of the driver");
        };
        assertThatThrownBy(() -> sequence.commit(QueuedCallers::enterOne))
                .isInstanceOf(SequenceException.CommitOutcomeUnknown.class)
                .hasRootCauseMessage("a failure of the driver");
    }

    @Test
    void tells_the_only_caller_why_nothing_was_committed() {
        store.beforeCommit = time -> {
            throw new SequenceException.Unavailable("s", "the disk is full", null);
        };
        assertThatThrownBy(() -> sequence.commit(QueuedCallers::enterOne))
                .isInstanceOf(SequenceException.Unavailable.class)
                .hasMessageContaining("the disk is full");
        assertThat(store.commits).hasValue(1);
    }

    @Test
    void finds_the_unit_because_of_which_nothing_could_be_committed() throws Exception {
        Caller<Long> first = callers.hold(gate);
        Caller<Long> second = callers.queueOne();
        Caller<Long> third = callers.queue(turn -> {
            turn.transaction().enter(-turn.next());
            return -1L;
        });
        Caller<Long> last = callers.queueOne();
        store.beforeCommitOf = entries -> {
            if (entries.stream().anyMatch(number -> number < 0)) {
                throw new SequenceException.Unavailable("s", "a number must not be negative", null);
            }
        };
        gate.countDown();
        assertThat(third.failure()).hasMessageContaining("must not be negative");
        assertThat(first.result()).isEqualTo(1);
        assertThat(second.result()).isEqualTo(2);
        assertThat(last.result()).isEqualTo(3);
        assertLedgerIsGapless();
    }

    @Test
    void tells_those_who_wait_when_no_transaction_can_be_had_and_recovers() {
        store.beforeBegin = time -> {
            throw new SequenceException.Unavailable("s", "the server is down", null);
        };
        assertThatThrownBy(() -> sequence.commit(QueuedCallers::enterOne))
                .isInstanceOf(SequenceException.Unavailable.class)
                .hasMessageContaining("the server is down");
        store.beforeBegin = time -> {};
        assertThat(sequence.commit(QueuedCallers::enterOne)).isEqualTo(1);
    }

    @Test
    void lets_an_error_of_a_unit_through_and_goes_on() {
        assertThatThrownBy(() -> sequence.<Long, RuntimeException>commit(turn -> {
                    QueuedCallers.enterOne(turn);
                    throw new AssertionError("an error");
                }))
                .isInstanceOf(AssertionError.class);
        assertThat(sequence.commit(QueuedCallers::enterOne)).isEqualTo(1);
    }

    @Test
    @SuppressWarnings("NullAway") // which assumes that no type argument allows null
    void allows_a_unit_that_returns_nothing() {
        Object nothing = sequence.<@Nullable Object, RuntimeException>commit(turn -> {
            QueuedCallers.enterOne(turn);
            return null;
        });
        assertThat(nothing).isNull();
        assertThat(store.ledger).containsExactly(1L);
    }

    @Test
    void refuses_a_unit_inside_a_unit_of_the_same_sequence() {
        assertThatThrownBy(
                        () -> sequence.<Long, RuntimeException>commit(turn -> sequence.commit(QueuedCallers::enterOne)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'s'")
                .hasMessageContaining("draw with the turn");
        assertThat(sequence.commit(QueuedCallers::enterOne)).isEqualTo(1);
    }

    @Test
    void a_unit_whose_own_threads_draw_hears_that_and_no_number_is_dealt_twice() throws Exception {
        List<Throwable> refused = new CopyOnWriteArrayList<>();
        long last = sequence.<Long, Exception>commit(turn -> {
            turn.next();
            List<Thread> threads = IntStream.range(0, 4)
                    .mapToObj(i -> new Thread(() -> refused.add(catchThrowable(turn::next))))
                    .toList();
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
            return turn.next();
        });
        assertThat(refused)
                .hasSize(4)
                .allSatisfy(e -> assertThat(e)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("a turn belongs to the thread that runs its unit of work"));
        assertThat(last).isEqualTo(2);
    }

    @Test
    void who_waits_crosswise_in_units_of_two_sequences_hears_which_turn_it_holds() throws Exception {
        store.memory.create(SequenceDefinition.of("x"));
        store.memory.create(SequenceDefinition.of("y"));
        StoreSequences impatient = StoreSequences.builder(store.memory)
                .patience(Duration.ofMillis(300))
                .build();
        GroupedSequence<InMemoryTransaction> x = impatient.grouped("x", store.memory);
        GroupedSequence<InMemoryTransaction> y = impatient.grouped("y", store.memory);
        CyclicBarrier both = new CyclicBarrier(2);
        FutureTask<Long> other = new FutureTask<>(() -> nested(y, x, both));
        new Thread(other).start();
        Throwable mine = catchThrowable(() -> nested(x, y, both));
        Throwable others = catchThrowable(other::get);
        if (mine != null) {
            assertThat(mine)
                    .isInstanceOf(SequenceException.Overloaded.class)
                    .hasMessage(
                            "sequence 'y': no turn within 300 ms, nothing was committed; this thread holds the turn of"
                                    + " sequence 'x', and units of two sequences deadlock if nested in"
                                    + " different orders: nest them in the same order everywhere");
        }
        if (others != null) {
            assertThat(others)
                    .hasRootCauseInstanceOf(SequenceException.Overloaded.class)
                    .hasStackTraceContaining("sequence 'x': no turn")
                    .hasStackTraceContaining("this thread holds the turn of sequence 'y'");
        }
        assertThat(mine != null || others != null)
                .as("one gives up, and lets the other on")
                .isTrue();
        assertThat(nested(x, y, new CyclicBarrier(1))).isPositive();
        impatient.close();
    }

    private static long nested(
            GroupedSequence<InMemoryTransaction> outer, GroupedSequence<InMemoryTransaction> inner, CyclicBarrier both)
            throws Exception {
        AtomicInteger runs = new AtomicInteger();
        return outer.commit(turn -> {
            if (runs.incrementAndGet() == 1) {
                both.await();
            }
            return turn.next() + inner.commit(Turn::next);
        });
    }

    @Test
    void who_has_left_a_unit_holds_no_turn_any_more() throws Exception {
        assertThat(sequence.commit(QueuedCallers::enterOne)).isEqualTo(1);
        CountDownLatch runs = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        store.memory.create(SequenceDefinition.of("x"));
        StoreSequences impatient = StoreSequences.builder(store.memory)
                .patience(Duration.ofMillis(200))
                .build();
        GroupedSequence<InMemoryTransaction> x = impatient.grouped("x", store.memory);
        FutureTask<Long> slow = new FutureTask<>(() -> x.commit(turn -> {
            runs.countDown();
            end.await();
            return turn.next();
        }));
        new Thread(slow).start();
        runs.await();
        assertThatThrownBy(() -> x.commit(Turn::next)).hasMessageContaining("make the units of work shorter");
        end.countDown();
        assertThat(slow.get()).isEqualTo(1);
        impatient.close();
    }

    @Test
    void refuses_to_overwrite_what_a_unit_drew_beside_its_turn() {
        TransactionalSequence<InMemoryTransaction> beside = TransactionalSequence.of(store.memory, "s");
        GroupedSequence<InMemoryTransaction> plain =
                StoreSequences.of(store.memory).grouped("s", store.memory);
        assertThatThrownBy(() -> plain.<Long, RuntimeException>commit(turn -> {
                    beside.next(turn.transaction());
                    return turn.next();
                }))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContaining("moved its counter without its turn");
        assertThat(store.memory.describe("s").nextValue()).isEqualTo(1);
    }

    @Test
    void closes_a_group_that_is_large_enough() throws Exception {
        List<Integer> sizes = new CopyOnWriteArrayList<>();
        store.beforeCommitOf = entries -> sizes.add(entries.size());
        Caller<Long> first = callers.hold(gate);
        List<Caller<Long>> others = new ArrayList<>();
        for (int i = 0; i < 150; i++) {
            others.add(callers.queueOne());
        }
        gate.countDown();
        for (Caller<Long> other : others) {
            other.result();
        }
        assertThat(first.result()).isEqualTo(1);
        assertThat(sizes.stream().mapToInt(i -> i).sum()).isEqualTo(151);
        assertThat(sizes).allMatch(size -> size <= GroupedSequence.MOST_UNITS).hasSizeGreaterThan(1);
        assertLedgerIsGapless();
    }

    @Test
    void closes_a_group_that_is_old_enough() throws Exception {
        Caller<Long> first = callers.hold(gate);
        Caller<Long> slow = callers.queue(turn -> {
            time.pass(Duration.ofMillis(150));
            return QueuedCallers.enterOne(turn);
        });
        Caller<Long> last = callers.queueOne();
        gate.countDown();
        assertThat(List.of(first.result(), slow.result(), last.result())).containsExactly(1L, 2L, 3L);
        assertThat(store.commits).hasValue(2);
    }

    @Test
    void stays_gapless_when_a_fifth_of_ten_thousand_units_fail() throws Exception {
        AtomicInteger thrown = new AtomicInteger();
        AtomicInteger seen = new AtomicInteger();
        AtomicInteger left = new AtomicInteger(10_000);
        StoreSequences real = StoreSequences.builder(store.memory)
                .patience(Duration.ofSeconds(10))
                .build();
        GroupedSequence<LedgerStore.Pages> timed = real.grouped("s", store);
        List<Thread> threads = new ArrayList<>();
        List<Throwable> unexpected = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 32; i++) {
            Random random = new Random(i);
            Thread thread = new Thread(() -> {
                while (left.getAndDecrement() > 0) {
                    Refused mine = new Refused();
                    try {
                        timed.commit(turn -> {
                            long number = QueuedCallers.enterOne(turn);
                            if (random.nextInt(5) == 0) {
                                thrown.incrementAndGet();
                                throw mine;
                            }
                            return number;
                        });
                    } catch (Refused e) {
                        if (e == mine) {
                            seen.incrementAndGet();
                        } else {
                            unexpected.add(e);
                        }
                    } catch (RuntimeException e) {
                        unexpected.add(e);
                    }
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join(60_000);
        }
        real.close();
        assertThat(unexpected).isEmpty();
        assertThat(seen.get()).isEqualTo(thrown.get()).isPositive();
        assertThat(store.ledger).hasSize(10_000 - seen.get());
        assertThat(store.commits.get()).isLessThan(5_000);
        assertLedgerIsGapless();
    }

    @Test
    void is_opened_once_over_one_store() {
        assertThat(sequences.grouped("s", store)).isSameAs(sequence);
        assertThatThrownBy(() -> sequences.grouped("s", store.memory))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContaining("'s'");
        sequence.close();
        sequence.close();
        assertThat(sequences.grouped("s", store.memory).<Long, RuntimeException>commit(Turn::next))
                .isEqualTo(1);
    }

    /** Makes the sequence use savepoints. */
    private void failInAGroup() throws Exception {
        CountDownLatch hold = new CountDownLatch(1);
        Caller<Long> first = callers.hold(hold);
        Caller<Long> failing = callers.queue(this::enterAndFail);
        Caller<Long> last = callers.queueOne();
        hold.countDown();
        assertThat(failing.failure()).isInstanceOf(Refused.class);
        assertThat(first.result() + 1).isEqualTo(last.result());
    }

    private void twoInAGroup() throws Exception {
        CountDownLatch hold = new CountDownLatch(1);
        Caller<Long> first = callers.hold(hold);
        Caller<Long> second = callers.queueOne();
        hold.countDown();
        assertThat(first.result() + 1).isEqualTo(second.result());
    }

    private List<Long> fourInAGroup() throws Exception {
        CountDownLatch hold = new CountDownLatch(1);
        List<Caller<Long>> group = new ArrayList<>(List.of(callers.hold(hold)));
        for (int i = 0; i < 3; i++) {
            group.add(callers.queueOne());
        }
        hold.countDown();
        List<Long> numbers = new ArrayList<>();
        for (Caller<Long> caller : group) {
            numbers.add(caller.result());
        }
        return numbers;
    }

    private Long enterAndFail(Turn<LedgerStore.Pages> turn) throws Refused {
        QueuedCallers.enterOne(turn);
        throw new Refused();
    }

    private void assertLedgerIsGapless() {
        assertThat(store.ledger)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, store.ledger.size()).boxed().toList());
        assertThat(store.memory.describe("s").nextValue()).isEqualTo(store.ledger.size() + 1);
    }
}
