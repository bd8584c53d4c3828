// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.TransactionScope;
import dev.seriatim.store.TransactionalSequence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The contract of {@link dev.seriatim.store.TransactionalStore}: numbers drawn inside the caller's transaction. */
public abstract class TransactionalStoreContract<T, S extends OpenStore & TransactionScope<T>>
        extends TransactionContract<T, S> {

    @Test
    void deals_one_and_many_values_in_one_transaction() {
        TransactionalSequence<T> sequence = sequence(storeWith("s"));
        List<Long> drawn = store.inTransaction(transaction -> {
            List<Long> values = new ArrayList<>();
            values.add(sequence.next(transaction));
            values.add(sequence.next(transaction));
            sequence.next(transaction, 3).forEach(values::add);
            return values;
        });
        assertThat(drawn).containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(store().describe("s").nextValue()).isEqualTo(6);
    }

    @Test
    void takes_the_numbers_of_a_rolled_back_transaction_back() {
        TransactionalSequence<T> sequence = sequence(storeWith("s"));
        assertThat(drawn(sequence)).isEqualTo(1);
        assertThatThrownBy(() -> store.inTransaction(transaction -> {
                    sequence.next(transaction, 5);
                    throw new Refused("refused");
                }))
                .isInstanceOf(Refused.class);
        assertThat(drawn(sequence)).isEqualTo(2);
    }

    @Test
    void stays_gapless_when_some_transactions_fail_while_many_draw() {
        TransactionalSequence<T> sequence = sequence(storeWith("s"));
        ConcurrentLinkedQueue<Long> committed = new ConcurrentLinkedQueue<>();
        new Crowd(4, 20).each((thread, turn) -> {
            try {
                committed.add(retrying(store, transaction -> {
                    long value = sequence.next(transaction);
                    if (turn % 5 == 4) {
                        throw new Refused("refused");
                    }
                    return value;
                }));
            } catch (Refused expected) {
                // the next transaction gets its number
            }
        });
        assertThat(committed).containsExactlyInAnyOrderElementsOf(numbers(1, 64));
        assertThat(store.describe("s").nextValue()).isEqualTo(65);
    }

    @Test
    void draws_many_values_within_a_transaction_and_leaves_no_gap() {
        TransactionalSequence<T> sequence =
                sequence(storeWith(SequenceDefinition.named("s").cache(10)));
        for (int round = 0; round < 2; round++) {
            long expected = 1 + 37L * round;
            store.inTransaction(transaction -> {
                try (Sequence within = sequence.within(transaction)) {
                    for (long value = expected; value < expected + 25; value++) {
                        assertThat(within.next()).isEqualTo(value);
                    }
                    assertThat(within.next(12).values())
                            .containsExactlyElementsOf(numbers(expected + 25, expected + 36));
                }
                return true;
            });
        }
        assertThat(store().describe("s").nextValue()).isEqualTo(75);
    }

    @Test
    void draws_within_a_transaction_up_to_the_very_end() {
        TransactionalSequence<T> sequence = sequence(storeWith(oneToTen("s")));
        store.inTransaction(transaction -> {
            try (Sequence within = sequence.within(transaction)) {
                for (long value = 1; value <= 9; value++) {
                    assertThat(within.next()).isEqualTo(value);
                }
            }
            return true;
        });
        assertThat(store.inTransaction(t -> sequence.next(t, 5)).values()).containsExactly(10L);
        assertThatThrownBy(() -> drawn(sequence)).isInstanceOf(SequenceException.Exhausted.class);
    }

    @Test
    void a_rollback_to_a_savepoint_takes_back_what_was_drawn_after_it() throws Exception {
        TransactionalSequence<T> sequence = sequence(storeWith("s"));
        store.inTransaction(transaction -> {
            ReturnPoint first = savepointIn(transaction);
            assertThat(sequence.next(transaction)).isEqualTo(1);
            first.goBack();
            assertThat(sequence.next(transaction)).isEqualTo(1);
            ReturnPoint second = savepointIn(transaction);
            assertThat(sequence.next(transaction, 3).values()).containsExactly(2L, 3L, 4L);
            second.goBack();
            assertThat(sequence.next(transaction)).isEqualTo(2);
            return true;
        });
        assertThat(drawn(sequence)).isEqualTo(3);
    }

    @Test
    void savepoints_inside_savepoints_take_back_what_was_drawn_after_each() throws Exception {
        TransactionalSequence<T> sequence = sequence(storeWith("s"));
        store.inTransaction(transaction -> {
            assertThat(sequence.next(transaction)).isEqualTo(1);
            ReturnPoint outer = savepointIn(transaction);
            assertThat(sequence.next(transaction)).isEqualTo(2);
            ReturnPoint inner = savepointIn(transaction);
            assertThat(sequence.next(transaction, 5).last()).isEqualTo(7);
            inner.goBack();
            assertThat(sequence.next(transaction)).isEqualTo(3);
            inner.goBack(); // remains valid unless the transaction rolls back to an earlier point
            assertThat(sequence.next(transaction)).isEqualTo(3);
            outer.goBack();
            assertThat(sequence.next(transaction)).isEqualTo(2);
            ReturnPoint unused = savepointIn(transaction);
            unused.goBack();
            assertThat(sequence.next(transaction)).isEqualTo(3);
            return true;
        });
        assertThat(store().describe("s").nextValue()).isEqualTo(4);
        assertThat(drawn(sequence)).isEqualTo(4);
    }

    @Test
    void a_transaction_that_takes_back_all_it_drew_leaves_the_counter_where_it_was() throws Exception {
        TransactionalSequence<T> sequence = sequence(storeWith("s"));
        store.inTransaction(transaction -> {
            ReturnPoint before = savepointIn(transaction);
            sequence.next(transaction, 100);
            before.goBack();
            return true;
        });
        assertThat(store().describe("s").nextValue()).isEqualTo(1);
        assertThat(store().reserve("s", 1).block().first()).isEqualTo(1);
    }

    @Test
    void whatever_the_work_throws_comes_out_as_it_is_and_its_numbers_go_back() {
        TransactionalSequence<T> sequence = sequence(storeWith("s"));
        List<Throwable> thrown = new ArrayList<>(Errors.all());
        thrown.add(new Refused("refused"));
        thrown.add(new SequenceException.Unavailable("another", "as others of its kind are", null));
        for (Throwable each : thrown) {
            assertThatThrownBy(() -> store.inTransaction(transaction -> {
                        sequence.next(transaction, 5);
                        throw Errors.thrown(each);
                    }))
                    .isSameAs(each);
            assertThat(store.describe("s").nextValue()).isEqualTo(1);
        }
        assertThat(drawn(sequence)).isEqualTo(1);
    }

    @Test
    void a_refused_commit_takes_the_numbers_back_and_says_so() throws Exception {
        TransactionalSequence<T> sequence = sequence(storeWith("s"));
        AtomicBoolean checked = new AtomicBoolean();
        for (int i = 0; i < 2; i++) {
            Throwable failure = catchThrowable(() -> store.inTransaction(transaction -> {
                sequence.next(transaction, 5);
                checked.set(breakAtCommit(transaction));
                return true;
            }));
            assumeTrue(checked.get(), "commits of this store check nothing");
            assertThat(failure)
                    .isInstanceOf(SequenceException.Misconfigured.class)
                    .hasMessageContaining("nothing was committed");
            assertThat(store.describe("s").nextValue()).isEqualTo(1);
        }
        assertThat(drawn(sequence)).isEqualTo(1);
    }

    @Test
    void callers_in_a_deadlock_fail_and_get_their_numbers_when_they_begin_again() {
        storeWith("a");
        store.create(SequenceDefinition.of("b"));
        Duration patience = Duration.ofMillis(200);
        List<TransactionalSequence<T>> sequences = List.of(
                TransactionalSequence.of(store, "a").patience(patience),
                TransactionalSequence.of(store, "b").patience(patience));
        CountDownLatch bothHoldOne = new CountDownLatch(2);
        ConcurrentLinkedQueue<List<Long>> committed = new ConcurrentLinkedQueue<>();
        new Crowd(2, 1)
                .each((thread, turn) -> committed.add(retrying(store, transaction -> {
                    long one = sequences.get(thread).next(transaction);
                    bothHoldOne.countDown();
                    bothHoldOne.await(
                            300, TimeUnit.MILLISECONDS); // if only one transaction can write, the other never gets here
                    long another = sequences.get(1 - thread).next(transaction);
                    return thread == 0 ? List.of(one, another) : List.of(another, one);
                })));
        assertThat(committed).extracting(drawn -> drawn.get(0)).containsExactlyInAnyOrder(1L, 2L);
        assertThat(committed).extracting(drawn -> drawn.get(1)).containsExactlyInAnyOrder(1L, 2L);
        assertThat(store.describe("a").nextValue()).isEqualTo(3);
        assertThat(store.describe("b").nextValue()).isEqualTo(3);
    }

    @Test
    void draws_within_a_transaction_that_goes_back_to_a_savepoint_are_never_dealt_twice() throws Exception {
        TransactionalSequence<T> sequence =
                sequence(storeWith(SequenceDefinition.named("s").cache(10)));
        List<Long> committed = new ArrayList<>();
        for (int round = 0; round < 2; round++) {
            committed.addAll(store.inTransaction(transaction -> {
                List<Long> kept = new ArrayList<>();
                try (Sequence within = sequence.within(transaction)) {
                    kept.add(within.next());
                    ReturnPoint refused = savepointIn(transaction);
                    within.next();
                    within.next(20);
                    refused.goBack();
                    kept.add(within.next());
                    within.next(3).forEach(kept::add);
                }
                return kept;
            }));
            committed.add(drawn(sequence));
        }
        assertThat(committed).containsExactlyElementsOf(numbers(1, 12));
    }

    @Test
    void who_forgets_to_close_leaves_neither_a_duplicate_nor_a_gap() throws Exception {
        TransactionalSequence<T> sequence =
                sequence(storeWith(SequenceDefinition.named("s").cache(10)));
        long kept = store.inTransaction(transaction -> {
            Sequence within = sequence.within(transaction);
            ReturnPoint refused = savepointIn(transaction);
            within.next();
            refused.goBack();
            within.next();
            return within.next();
        });
        assertThat(kept).isEqualTo(2);
        assertThat(drawn(sequence)).isEqualTo(3);
    }

    @Test
    void a_new_round_that_a_savepoint_takes_back_begins_again() throws Exception {
        TransactionalSequence<T> sequence = sequence(storeWith(oneToTen("s").cycle(true)));
        store.inTransaction(transaction -> {
            assertThat(sequence.next(transaction, 10).last()).isEqualTo(10);
            ReturnPoint refused = savepointIn(transaction);
            assertThat(sequence.next(transaction, 2).values()).containsExactly(1L, 2L);
            refused.goBack();
            assertThat(sequence.next(transaction)).isEqualTo(1);
            return true;
        });
        assertThat(drawn(sequence)).isEqualTo(2);
        assertThat(store.reserve("s", 1).block().first()).isEqualTo(3);
    }

    @Test
    void a_last_step_ends_its_transaction_or_is_refused_before_the_draw() {
        TransactionalSequence<T> sequence = sequence(storeWith("s"));
        List<Long> stored = new ArrayList<>();
        if (!endsTransactions()) {
            assertThatThrownBy(() -> store.inTransaction(transaction -> sequence.last(transaction, stored::add)))
                    .isInstanceOf(SequenceException.Misconfigured.class)
                    .hasMessageContaining("draw with next");
            assertThat(stored).isEmpty();
            assertThat(drawn(sequence)).isEqualTo(1);
            return;
        }
        assertThatThrownBy(() -> store.inTransaction(transaction -> {
                    assertThat(sequence.last(transaction, stored::add)).isEqualTo(1);
                    assertThat(store.describe("s").nextValue()).isEqualTo(2);
                    throw new Refused("too late");
                }))
                .isInstanceOf(Refused.class);
        assertThat(store.<Long, RuntimeException>inTransaction(t -> sequence.last(t, stored::add)))
                .isEqualTo(2);
        assertThat(stored).containsExactly(1L, 2L);
        assertThat(store().describe("s").nextValue()).isEqualTo(3);
    }

    @Test
    void a_last_step_that_throws_takes_the_transaction_back() {
        assumeTrue(endsTransactions());
        TransactionalSequence<T> sequence = sequence(storeWith("s"));
        List<Throwable> thrown = new ArrayList<>(Errors.all());
        thrown.add(new Refused("refused"));
        thrown.add(new SequenceException.Unavailable("another", "as others of its kind are", null));
        for (Throwable each : thrown) {
            assertThatThrownBy(() -> store.inTransaction(transaction -> {
                        Throwable failure = catchThrowable(() -> {
                            sequence.next(transaction, 5);
                            sequence.last(transaction, number -> {
                                throw Errors.thrown(each);
                            });
                        });
                        assertThat(store.describe("s").nextValue()).isEqualTo(1);
                        throw Errors.thrown(failure);
                    }))
                    .isSameAs(each);
        }
        assertThat(drawn(sequence)).isEqualTo(1);
    }

    @Test
    void a_refused_commit_of_a_last_step_takes_the_number_back_and_says_so() throws Exception {
        TransactionalSequence<T> sequence = sequence(storeWith("s"));
        AtomicBoolean checked = new AtomicBoolean();
        Throwable failure = catchThrowable(() -> store.inTransaction(transaction -> {
            checked.set(endsTransactions() && breakAtCommit(transaction));
            return checked.get() ? sequence.last(transaction, number -> {}) : 0;
        }));
        assumeTrue(checked.get(), "commits of this store check nothing");
        assertThat(failure)
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContaining("nothing was committed");
        assertThat(drawn(sequence)).isEqualTo(1);
    }

    @Test
    void a_last_step_does_not_run_without_a_number() throws Exception {
        assumeTrue(endsTransactions());
        TransactionalSequence<T> sequence = sequence(storeWith(oneToTen("s")));
        TransactionalSequence<T> missing = TransactionalSequence.of(store, "missing");
        AtomicBoolean ran = new AtomicBoolean();
        AtomicBoolean kept = new AtomicBoolean();
        AtomicBoolean drewLast = new AtomicBoolean();
        assertThatThrownBy(() -> store.inTransaction(t -> missing.last(t, number -> ran.set(true))))
                .isInstanceOf(SequenceException.NotFound.class);
        store.inTransaction(t -> sequence.next(t, 10));
        assertThatThrownBy(() -> store.inTransaction(t -> sequence.last(t, number -> ran.set(true))))
                .isInstanceOf(SequenceException.Exhausted.class);
        store.restart("s", 1);
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch refused = new CountDownLatch(1);
        new Crowd(2, 1).each((thread, turn) -> {
            if (thread == 0) {
                try {
                    store.inTransaction(transaction -> {
                        sequence.next(transaction);
                        held.countDown();
                        return refused.await(60, TimeUnit.SECONDS);
                    });
                    kept.set(true);
                } catch (SequenceException.Overloaded aborted) {
                    // A store may settle the conflict against the one that holds the counter.
                }
            } else {
                held.await();
                try {
                    TransactionalSequence<T> hurried = sequence.patience(Duration.ofMillis(200));
                    store.inTransaction(t -> hurried.last(t, number -> ran.set(true)));
                    drewLast.set(true);
                } catch (SequenceException late) {
                    // It waited for the other, or was aborted.
                } finally {
                    refused.countDown();
                }
            }
        });
        assertThat(kept.get() && ran.get()).isFalse();
        assertThat(drawn(sequence)).isEqualTo(kept.get() || drewLast.get() ? 2 : 1);
    }

    @Test
    void last_steps_of_many_callers_are_gapless_and_in_the_order_of_their_commits() {
        assumeTrue(endsTransactions());
        TransactionalSequence<T> sequence = sequence(storeWith("s"));
        History history = new History();
        new Crowd(4, 20)
                .each((thread, turn) -> retrying(store, transaction -> {
                    long began = System.nanoTime();
                    try {
                        long number = sequence.last(transaction, drawn -> {
                            if (turn % 5 == 4) {
                                throw new Refused("refused");
                            }
                        });
                        history.add(began, System.nanoTime(), one(number));
                    } catch (Refused expected) {
                        // the next transaction gets its number
                    }
                    return true;
                }));
        assertUniqueAndOrdered(history);
        assertThat(history.largest()).isEqualTo(64);
        assertThat(store.describe("s").nextValue()).isEqualTo(65);
    }

    @Test
    void refuses_a_patience_that_is_not_positive() {
        TransactionalSequence<T> sequence = sequence(storeWith("s"));
        assertThatThrownBy(() -> sequence.patience(Duration.ZERO))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessage("patience must be positive, not 0 ms");
    }

    @Test
    void a_short_patience_is_enough_if_the_lock_is_free() {
        TransactionalSequence<T> hurried = sequence(storeWith("s")).patience(Duration.ofMillis(900));
        for (long expected = 1; expected <= 3; expected++) {
            assertThat(drawn(hurried)).isEqualTo(expected);
        }
    }

    @Test
    void draws_from_several_sequences_in_one_transaction() {
        storeWith("a");
        store.create(SequenceDefinition.of("b"));
        long sum = store.inTransaction(
                transaction -> store.reserve(transaction, "a", 3).block().last()
                        + store.reserve(transaction, "b", 4).block().last()
                        + store.reserve(transaction, "a", 1).block().last());
        assertThat(sum).isEqualTo(3 + 4 + 4);
    }

    @Test
    void names_the_missing_sequence_inside_a_transaction() {
        storeWith("other");
        assertThatThrownBy(() -> store.inTransaction(t -> store.reserve(t, "s", 1)))
                .isInstanceOf(SequenceException.NotFound.class)
                .hasMessageContaining("'s'");
    }

    @Test
    void deals_in_the_order_of_the_transactions() {
        TransactionalSequence<T> sequence = sequence(storeWith("s"));
        History history = new Crowd(4, 15).draw((thread, turn) -> retrying(store, t -> sequence.next(t, 1)));
        assertUniqueAndOrdered(history);
        assertThat(history.largest()).isEqualTo(60);
    }

    private TransactionalSequence<T> sequence(S of) {
        return TransactionalSequence.of(of, "s");
    }

    private long drawn(TransactionalSequence<T> sequence) {
        return store.<Long, RuntimeException>inTransaction(sequence::next);
    }
}
