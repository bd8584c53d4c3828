// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.Block;
import dev.seriatim.GroupedSequence;
import dev.seriatim.GroupingStore;
import dev.seriatim.OpenStore;
import dev.seriatim.Reservation;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceState;
import dev.seriatim.Sequences;
import dev.seriatim.SharedTransaction;
import dev.seriatim.Turn;
import dev.seriatim.UnitStart;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link GroupingStore}: units of work of many callers in one transaction, seen through
 * {@link GroupedSequence}.
 *
 * @param <T> the handle of a transaction
 * @param <S> the store under test
 */
public abstract class GroupingStoreContract<T, S extends OpenStore & GroupingStore<T>> extends StoreContract<S> {

    private static final int CALLERS = 16;

    private static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;

        Refused(String whose) {
            super(whose);
        }
    }

    private final List<Sequences> opened = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** For subclasses. */
    protected GroupingStoreContract() {}

    /** Keeps a number inside a transaction, as an application would insert a row with it. */
    protected abstract void keep(T transaction, long number) throws Exception;

    /** Every number that was kept by a committed transaction of this test, in any order. */
    protected abstract List<Long> kept() throws Exception;

    @AfterEach
    final void closeSequences() {
        opened.forEach(Sequences::close);
        threads.shutdownNow();
    }

    @Test
    void commits_one_number_and_many_in_a_unit() throws Exception {
        GroupedSequence<T> sequence = grouped(storeWith(SequenceDefinition.of("s")));
        long one = sequence.commit(turn -> keepOne(turn));
        Block many = sequence.commit(turn -> {
            Block block = turn.next(3);
            for (long number : block.values().toArray()) {
                keep(turn.transaction(), number);
            }
            return block;
        });
        assertThat(one).isEqualTo(1);
        assertThat(many.values()).containsExactly(2L, 3L, 4L);
        assertThat(kept()).containsExactlyInAnyOrder(1L, 2L, 3L, 4L);
        assertThat(store().describe("s").nextValue()).isEqualTo(5);
    }

    @Test
    void stays_gapless_and_ordered_while_many_commit() throws Exception {
        GroupedSequence<T> sequence = grouped(storeWith(SequenceDefinition.of("s")));
        History history = new Crowd(CALLERS, 25).draw((caller, turn) -> one(sequence.commit(this::keepOne)));
        assertThat(history.duplicates()).isZero();
        assertThat(history.orderViolations(true)).isZero();
        assertThat(kept()).containsExactlyInAnyOrderElementsOf(upTo(CALLERS * 25));
        assertThat(store().describe("s").nextValue()).isEqualTo(CALLERS * 25 + 1);
    }

    @Test
    void lets_those_who_come_together_share_a_commit() {
        S store = storeWith(SequenceDefinition.of("s"));
        AtomicInteger transactions = new AtomicInteger();
        GroupedSequence<T> sequence = grouped(name -> {
            transactions.incrementAndGet();
            return store.begin(name);
        });
        new Crowd(CALLERS, 25).each((caller, turn) -> sequence.commit(this::keepOne));
        assertThat(transactions.get()).isBetween(25, CALLERS * 25 / 2);
    }

    @Test
    void shows_a_failure_to_its_own_caller_only_and_leaves_no_gap() throws Exception {
        GroupedSequence<T> sequence = grouped(storeWith(SequenceDefinition.of("s")));
        AtomicInteger thrown = new AtomicInteger();
        AtomicInteger seen = new AtomicInteger();
        ConcurrentLinkedQueue<Long> committed = new ConcurrentLinkedQueue<>();
        new Crowd(CALLERS, 25).each((caller, turn) -> {
            Random random = new Random(1000L * caller + turn);
            String whose = caller + "/" + turn;
            try {
                committed.add(sequence.commit(t -> {
                    long number = keepOne(t);
                    if (random.nextInt(5) == 0) {
                        thrown.incrementAndGet();
                        throw new Refused(whose);
                    }
                    return number;
                }));
            } catch (Refused failure) {
                assertThat(failure).hasMessage(whose);
                seen.incrementAndGet();
            }
        });
        assertThat(seen.get()).isEqualTo(thrown.get()).isPositive();
        assertThat(committed).hasSize(CALLERS * 25 - seen.get());
        assertThat(kept())
                .containsExactlyInAnyOrderElementsOf(committed)
                .containsExactlyInAnyOrderElementsOf(upTo(committed.size()));
        assertThat(store().describe("s").nextValue()).isEqualTo(committed.size() + 1);
    }

    @Test
    void holds_nobody_beyond_its_deadline_when_another_unit_is_slow() throws Exception {
        S store = storeWith(SequenceDefinition.of("s"));
        GroupedSequence<T> sequence = grouped(store, Duration.ofMillis(400));
        CountDownLatch slowRuns = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Future<Long> slow = threads.submit(() -> sequence.commit(turn -> {
            slowRuns.countDown();
            go.await(20, TimeUnit.SECONDS);
            return keepOne(turn);
        }));
        slowRuns.await();
        long began = System.nanoTime();
        assertThatThrownBy(() -> sequence.commit(this::keepOne))
                .isInstanceOf(SequenceException.Overloaded.class)
                .hasMessageContaining("'s'");
        assertThat(Duration.ofNanos(System.nanoTime() - began))
                .isBetween(Duration.ofMillis(390), Duration.ofSeconds(10));
        go.countDown();
        assertThat(slow.get(20, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(sequence.commit(this::keepOne)).isEqualTo(2);
        assertThat(kept()).containsExactlyInAnyOrder(1L, 2L);
    }

    @Test
    void takes_a_unit_back_whose_caller_has_left_before_the_commit() throws Exception {
        GroupedSequence<T> sequence = grouped(storeWith(SequenceDefinition.of("s")), Duration.ofSeconds(1));
        Pair pair = new Pair(sequence);
        assertThatThrownBy(pair.first()::get).hasCauseInstanceOf(SequenceException.Overloaded.class);
        pair.letSecondGo();
        assertThat(pair.second().get(20, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(kept()).containsExactly(1L);
    }

    @Test
    void tells_nobody_before_the_commit() throws Exception {
        GroupedSequence<T> sequence = grouped(storeWith(SequenceDefinition.of("s")));
        Pair pair = new Pair(sequence);
        TimeUnit.MILLISECONDS.sleep(100);
        assertThat(pair.first().isDone()).isFalse();
        assertThat(kept()).isEmpty();
        pair.letSecondGo();
        assertThat(pair.first().get(20, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(kept()).contains(1L);
        assertThat(pair.second().get(20, TimeUnit.SECONDS)).isEqualTo(2);
        assertThat(kept()).containsExactlyInAnyOrder(1L, 2L);
    }

    @Test
    void tells_those_who_draw_beyond_the_end() throws Exception {
        GroupedSequence<T> sequence = grouped(storeWith(oneToTen("s")));
        AtomicInteger exhausted = new AtomicInteger();
        new Crowd(13, 1).each((caller, turn) -> {
            try {
                sequence.commit(this::keepOne);
            } catch (SequenceException.Exhausted e) {
                exhausted.incrementAndGet();
            }
        });
        assertThat(exhausted.get()).isEqualTo(3);
        assertThat(kept()).containsExactlyInAnyOrderElementsOf(upTo(10));
        assertThat(store().describe("s").usedUp()).isTrue();
    }

    @Test
    void stays_gapless_over_two_instances_on_one_place() throws Exception {
        List<GroupedSequence<T>> instances = List.of(grouped(storeWith(SequenceDefinition.of("s"))), grouped(store()));
        History history = new Crowd(CALLERS, 15)
                .draw((caller, turn) -> one(instances.get(caller % 2).commit(this::keepOne)));
        assertThat(history.orderViolations(true)).isZero();
        assertThat(kept()).containsExactlyInAnyOrderElementsOf(upTo(CALLERS * 15));
    }

    @Test
    void leaves_a_counter_alone_that_no_unit_drew_from() throws Exception {
        S store = storeWith(SequenceDefinition.of("s"));
        GroupedSequence<T> sequence = grouped(store);
        sequence.<Boolean, Exception>commit(turn -> {
            keep(turn.transaction(), 77);
            return true;
        });
        assertThat(kept()).containsExactly(77L);
        assertThat(store.describe("s").nextValue()).isEqualTo(1);
    }

    @Test
    void sees_at_the_next_group_what_others_did_to_the_sequence() throws Exception {
        S store = storeWith(SequenceDefinition.of("s"));
        GroupedSequence<T> sequence = grouped(store);
        assertThat(sequence.commit(this::keepOne)).isEqualTo(1);
        store.raise("s", 100);
        store.alter("s", definition -> definition.toBuilder().incrementBy(5).build());
        assertThat(sequence.commit(turn -> turn.next(2)).values()).containsExactly(100L, 105L);
        assertThat(store.reserve("s", 1).block().first()).isEqualTo(110);
    }

    @Test
    void names_the_missing_sequence() {
        GroupedSequence<T> sequence = grouped(storeWith(SequenceDefinition.of("other")));
        assertThatThrownBy(() -> sequence.commit(this::keepOne))
                .isInstanceOf(SequenceException.NotFound.class)
                .hasMessageContaining("'s'");
        store().create(SequenceDefinition.of("s"));
        assertThat(sequence.<Long, RuntimeException>commit(Turn::next)).isEqualTo(1);
    }

    @Test
    void ends_a_turn_when_its_unit_returns() {
        GroupedSequence<T> sequence = grouped(storeWith(SequenceDefinition.of("s")));
        Turn<T> over = sequence.<Turn<T>, RuntimeException>commit(turn -> turn);
        assertThatThrownBy(over::next).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(over::transaction).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void takes_the_numbers_back_with_a_part_of_a_unit() throws Exception {
        GroupedSequence<T> sequence = grouped(storeWith(SequenceDefinition.of("s")));
        for (long expected = 1; expected <= 3; expected++) {
            boolean[] marks = {true};
            long number = sequence.commit(turn -> {
                Turn<T>.Mark mark;
                try {
                    mark = turn.mark();
                } catch (UnsupportedOperationException e) {
                    marks[0] = false; // there are no savepoints, which it says
                    return keepOne(turn);
                }
                keepOne(turn);
                Turn<T>.Mark later = turn.mark();
                keepOne(turn);
                later.undo();
                keepOne(turn);
                mark.undo();
                assertThatThrownBy(later::undo).isInstanceOf(IllegalStateException.class);
                keepOne(turn);
                mark.undo();
                return keepOne(turn);
            });
            assertThat(number).isEqualTo(expected);
            if (!marks[0]) {
                break;
            }
        }
        assertThat(kept()).containsExactlyInAnyOrderElementsOf(upTo(kept().size()));
    }

    @Test
    void prepares_each_unit_on_its_own_thread_and_shows_a_failure_of_that_to_its_caller() throws Exception {
        S store = storeWith(SequenceDefinition.of("s"));
        ConcurrentLinkedQueue<Thread> prepared = new ConcurrentLinkedQueue<>();
        ThreadLocal<Boolean> refused = ThreadLocal.withInitial(() -> false);
        UnitStart<T> start = transaction -> {
            prepared.add(Thread.currentThread());
            if (refused.get()) {
                throw new Refused("not prepared");
            }
        };
        Sequences sequences = sequences(store, LIMIT);
        GroupedSequence<T> sequence = sequences.grouped("s", store, start);
        assertThat(sequences.grouped("s", store, start)).isSameAs(sequence);
        assertThatThrownBy(() -> sequences.grouped("s", store))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContaining("another start");
        new Crowd(CALLERS, 5).each((caller, turn) -> {
            refused.set(turn == 3);
            if (turn == 3) {
                assertThatThrownBy(() -> sequence.commit(this::keepOne))
                        .isInstanceOf(SequenceException.Misconfigured.class)
                        .hasMessageContaining("not prepared");
            } else {
                sequence.commit(this::keepOne);
            }
        });
        assertThat(prepared.size()).isGreaterThanOrEqualTo(CALLERS * 5);
        assertThat(prepared.stream().distinct().count()).isEqualTo(CALLERS);
        assertThat(kept()).containsExactlyInAnyOrderElementsOf(upTo(CALLERS * 4));
    }

    @Test
    void takes_no_rightful_way_back_for_a_lost_one() throws Exception {
        SequenceDefinition cycling =
                SequenceDefinition.named("s").maxValue(4L).cycle(true).build();
        S store = storeWith(cycling);
        GroupedSequence<T> sequence = grouped(store);
        for (long expected : new long[] {1, 2, 3, 4, 1, 2}) {
            assertThat(sequence.<Long, RuntimeException>commit(Turn::next)).isEqualTo(expected);
        }
        store.restart("s", 1);
        assertThat(sequence.<Long, RuntimeException>commit(Turn::next)).isEqualTo(1);
        Reservation others = store.reserve("s", 2);
        // It sees the others' values, and draws nothing; then they give them back.
        sequence.<Boolean, RuntimeException>commit(turn -> true);
        assertThat(store.giveBack("s", others.block(), others.epoch())).isTrue();
        assertThat(sequence.<Long, RuntimeException>commit(Turn::next)).isEqualTo(2);
        store.alter("s", definition -> definition.toBuilder().maxValue(100L).build());
        store.raise("s", 50);
        assertThat(sequence.<Long, RuntimeException>commit(Turn::next)).isEqualTo(50);
        store.drop("s");
        store.create(SequenceDefinition.of("s"));
        assertThat(sequence.<Long, RuntimeException>commit(Turn::next)).isEqualTo(1);
    }

    @Test
    void stops_when_the_counter_has_gone_back() throws Exception {
        S store = storeWith(SequenceDefinition.of("s"));
        AtomicReference<SequenceState> restored = new AtomicReference<>();
        GroupedSequence<T> sequence = grouped(name -> {
            SharedTransaction<T> real = store.begin(name);
            SequenceState backup = restored.get();
            return backup == null ? real : new Restored<>(real, backup);
        });
        sequence.commit(this::keepOne);
        SequenceState backup = store.describe("s");
        assertThat(sequence.commit(turn -> turn.next(3)).last()).isEqualTo(4);
        restored.set(backup);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> sequence.commit(this::keepOne))
                    .isInstanceOf(SequenceException.Regressed.class)
                    .hasMessageContaining("dealt 2 after 4");
        }
        assertThat(kept()).containsExactly(1L);
    }

    /** A transaction in which the counter stands where it stood when a backup was made. */
    private record Restored<T>(SharedTransaction<T> real, SequenceState counter) implements SharedTransaction<T> {

        @Override
        public T handle(Drawn drawn) {
            return real.handle(drawn);
        }

        @Override
        public Blame blame(Throwable thrown) {
            return real.blame(thrown);
        }

        @Override
        public void commit(SequenceState after) {
            real.commit(after);
        }

        @Override
        public void rollback() {
            real.rollback();
        }
    }

    /** Two callers in one group: the first unit has run, the second waits to be let go. */
    private final class Pair {
        private final CountDownLatch secondQueues = new CountDownLatch(1);
        private final CountDownLatch secondRuns = new CountDownLatch(1);
        private final CountDownLatch secondMayGo = new CountDownLatch(1);
        private final Future<Long> first;
        private final Future<Long> second;

        Pair(GroupedSequence<T> sequence) throws InterruptedException {
            CountDownLatch firstRuns = new CountDownLatch(1);
            first = threads.submit(() -> sequence.commit(turn -> {
                firstRuns.countDown();
                secondQueues.await();
                return keepOne(turn);
            }));
            firstRuns.await();
            AtomicReference<Thread> secondThread = new AtomicReference<>();
            second = threads.submit(() -> {
                secondThread.set(Thread.currentThread());
                return sequence.commit(turn -> {
                    secondRuns.countDown();
                    secondMayGo.await();
                    return keepOne(turn);
                });
            });
            while (secondThread.get() == null || secondThread.get().getState() != Thread.State.TIMED_WAITING) {
                TimeUnit.MILLISECONDS.sleep(1);
            }
            secondQueues.countDown();
            secondRuns.await();
        }

        Future<Long> first() {
            return first;
        }

        Future<Long> second() {
            return second;
        }

        void letSecondGo() {
            secondMayGo.countDown();
        }
    }

    private long keepOne(Turn<T> turn) throws Exception {
        long number = turn.next();
        keep(turn.transaction(), number);
        return number;
    }

    private GroupedSequence<T> grouped(S store) {
        return grouped(store, LIMIT);
    }

    private GroupedSequence<T> grouped(S store, Duration patience) {
        return sequences(store, patience).grouped("s", store);
    }

    private GroupedSequence<T> grouped(GroupingStore<T> store) {
        return sequences(store(), LIMIT).grouped("s", store);
    }

    private Sequences sequences(OpenStore store, Duration patience) {
        Sequences sequences = Sequences.over(store).patience(patience).build();
        opened.add(sequences);
        return sequences;
    }

    private static Block one(long number) {
        return new Block(number, 1, 1);
    }

    private static List<Long> upTo(long last) {
        return LongStream.rangeClosed(1, last).boxed().toList();
    }
}
