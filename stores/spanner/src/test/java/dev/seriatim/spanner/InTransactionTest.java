// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.spanner.AbortedException;
import com.google.cloud.spanner.ErrorCode;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.SpannerExceptionFactory;
import com.google.cloud.spanner.TransactionContext;
import com.google.cloud.spanner.TransactionManager;
import dev.seriatim.Allocation;
import dev.seriatim.GroupedSequence;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.store.TransactionalSequence;
import dev.seriatim.testkit.Crowd;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class InTransactionTest {

    private final EmulatorDatabase database = EmulatorDatabase.at(place(), place().numbers());
    private final SpannerStore store = database.store();
    private final TransactionalSequence<TransactionContext> sequence = TransactionalSequence.of(store, "s");

    /** Returns where the sequences are. */
    Place place() {
        return Place.GOOGLE;
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void reads_once_and_counts_on_however_much_is_drawn() {
        store.create(SequenceDefinition.named("s").incrementBy(10).build());
        List<Long> drawn = database.client().readWriteTransaction().run(transaction -> {
            List<Long> values = new ArrayList<>();
            values.add(sequence.next(transaction));
            values.add(sequence.next(transaction));
            sequence.next(transaction, 3).forEach(values::add);
            try (Sequence within = sequence.within(transaction)) {
                values.add(within.next());
            }
            values.add(sequence.next(transaction));
            return values;
        });
        assertThat(drawn).containsExactly(1L, 11L, 21L, 31L, 41L, 51L, 61L);
        assertThat(store.describe("s").nextValue()).isEqualTo(71);
    }

    @Test
    void refuses_a_second_draw_where_one_was_meant_instead_of_dealing_the_same_value() {
        store.create(SequenceDefinition.of("s"));
        store.create(SequenceDefinition.of("other"));
        TransactionalSequence<TransactionContext> once = TransactionalSequence.of(store.onceInTransaction(), "s");
        TransactionalSequence<TransactionContext> other = TransactionalSequence.of(store.onceInTransaction(), "other");
        assertThatThrownBy(() -> store.inTransaction(transaction -> {
                    once.next(transaction);
                    return once.next(transaction);
                }))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContaining("'s'")
                .hasMessageContaining("once per transaction");
        long sum = store.inTransaction(transaction -> once.next(transaction) + 100 * other.next(transaction));
        assertThat(sum).isEqualTo(101);
        long next = store.inTransaction(once::next);
        assertThat(next).isEqualTo(2);
    }

    @Test
    void draws_again_in_every_attempt_at_an_aborted_transaction() {
        store.create(SequenceDefinition.of("s"));
        AtomicInteger attempts = new AtomicInteger();
        List<Long> seen = new ArrayList<>();
        long committed = database.client().readWriteTransaction().run(transaction -> {
            long drawn = sequence.next(transaction) + 0 * sequence.next(transaction);
            seen.add(drawn);
            if (attempts.incrementAndGet() < 4) {
                throw aborted();
            }
            return drawn;
        });
        assertThat(seen).containsExactly(1L, 1L, 1L, 1L);
        assertThat(committed).isEqualTo(1);
        assertThat(store.describe("s").nextValue()).isEqualTo(3);
    }

    @Test
    void works_with_a_transaction_manager_and_its_retries() {
        store.create(SequenceDefinition.of("s"));
        try (TransactionManager manager = database.client().transactionManager()) {
            TransactionContext transaction = manager.begin();
            while (true) {
                long drawn = sequence.next(transaction);
                transaction.buffer(row(drawn));
                try {
                    manager.commit();
                    break;
                } catch (AbortedException e) {
                    transaction = manager.resetForRetry();
                }
            }
        }
        assertThat(database.numbers("SELECT number FROM numbers")).containsExactly(1L);
        assertThat(store.describe("s").nextValue()).isEqualTo(2);
    }

    @Test
    void can_be_drawn_in_other_transactions_from_inside_one() {
        store.create(SequenceDefinition.of("s"));
        try (StoreSequences sequences = StoreSequences.of(store)) {
            Sequence own = sequences.open("s", Allocation.async());
            // Before the first read: after one, the emulator does not let another transaction begin.
            long sum = database.client().readWriteTransaction().run(transaction -> {
                long before = own.next() + own.nextAsync().toCompletableFuture().get(20, TimeUnit.SECONDS);
                transaction.buffer(row(before));
                return before;
            });
            assertThat(sum).isEqualTo(1 + 2);
        }
    }

    @Test
    void throws_what_the_work_has_thrown_and_keeps_nothing_of_it() {
        store.create(SequenceDefinition.of("s"));
        Exception mine = new Exception("mine");
        assertThatThrownBy(() -> store.inTransaction(transaction -> {
                    transaction.buffer(row(sequence.next(transaction)));
                    throw mine;
                }))
                .isSameAs(mine);
        assertThat(store.describe("s").nextValue()).isEqualTo(1);
        assertThat(database.numbers("SELECT number FROM numbers")).isEmpty();
    }

    @Test
    void tells_a_transaction_that_breaks_a_rule_from_one_with_an_unknown_outcome() {
        store.create(SequenceDefinition.of("s"));
        store.inTransaction(transaction -> {
            transaction.buffer(row(1));
            return 1;
        });
        assertThatThrownBy(() -> store.inTransaction(transaction -> {
                    transaction.buffer(row(sequence.next(transaction)));
                    return 1;
                }))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContaining("numbers");
        assertThat(store.describe("s").nextValue()).isEqualTo(1);
    }

    @Test
    void shows_a_broken_rule_to_the_unit_that_broke_it_alone() {
        store.create(SequenceDefinition.of("s"));
        store.inTransaction(transaction -> {
            transaction.buffer(row(1000));
            return 1;
        });
        try (StoreSequences sequences = StoreSequences.of(store)) {
            GroupedSequence<TransactionContext> grouped = sequences.grouped("s", store);
            AtomicInteger refused = new AtomicInteger();
            new Crowd(6, 5).each((thread, turn) -> {
                try {
                    grouped.<Long, RuntimeException>commit(t -> {
                        long drawn = t.next();
                        t.transaction().buffer(row(thread == 0 ? 1000 : drawn));
                        return drawn;
                    });
                } catch (SequenceException.Misconfigured e) {
                    assertThat(thread).isZero();
                    refused.incrementAndGet();
                }
            });
            assertThat(refused.get()).isEqualTo(5);
        }
        assertThat(database.numbers("SELECT number FROM numbers WHERE number < 1000 ORDER BY number"))
                .hasSize(25)
                .startsWith(1L)
                .endsWith(25L);
    }

    @Test
    void refuses_a_unit_that_draws_by_other_means_than_its_turn() {
        store.create(SequenceDefinition.of("s"));
        try (StoreSequences sequences = StoreSequences.of(store)) {
            GroupedSequence<TransactionContext> grouped = sequences.grouped("s", store);
            assertThatThrownBy(() -> grouped.<Long, RuntimeException>commit(t -> sequence.next(t.transaction())))
                    .isInstanceOf(SequenceException.Misconfigured.class)
                    .hasMessageContaining("turn");
        }
        assertThat(store.describe("s").nextValue()).isEqualTo(1);
    }

    private static SpannerException aborted() {
        return SpannerExceptionFactory.newSpannerException(ErrorCode.ABORTED, "for the test");
    }

    private static Mutation row(long number) {
        return Mutation.newInsertBuilder("numbers").set("number").to(number).build();
    }
}
