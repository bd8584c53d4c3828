// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.spanner.AbortedException;
import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.TransactionContext;
import com.google.cloud.spanner.TransactionManager;
import com.google.spanner.v1.ReadRequest;
import dev.seriatim.Block;
import dev.seriatim.GroupedSequence;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceTable;
import dev.seriatim.store.TransactionalSequence;
import dev.seriatim.store.TransactionalStore;
import dev.seriatim.testkit.Crowd;
import dev.seriatim.testkit.History;
import io.grpc.Status;
import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One transaction of the client counts the numbers drawn in it, whichever store or thread draws. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class OneTransactionTest {

    private final Place place = place();
    private final EmulatorDatabase database = EmulatorDatabase.at(place(), place().numbers());
    private final DatabaseClient client = database.client();
    private final SpannerStore store = database.store();
    private final SpannerStore other = database.storeOfClient();
    private final TransactionalSequence<TransactionContext> sequence = TransactionalSequence.of(store, "s");

    /** Returns where the sequences are. */
    Place place() {
        return Place.GOOGLE;
    }

    @AfterEach
    void close() {
        other.close();
        store.close();
    }

    @Test
    void two_stores_on_one_table_count_on_together() {
        store.create(SequenceDefinition.of("s"));
        String name = place.path("SERIATIM_Sequence");
        SpannerStore third = SpannerStore.open(
                database.spanner(),
                database.id(),
                SequenceTable.own(place == Place.POSTGRES ? "public." + name : name));
        TransactionalSequence<TransactionContext> others = TransactionalSequence.of(other, "s");
        TransactionalSequence<TransactionContext> thirds = TransactionalSequence.of(third, "s");
        List<Long> drawn = client.readWriteTransaction()
                .run(transaction -> List.of(
                        sequence.next(transaction),
                        others.next(transaction),
                        thirds.next(transaction),
                        sequence.next(transaction),
                        others.next(transaction)));
        assertThat(drawn).containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(store.describe("s").nextValue()).isEqualTo(6);
    }

    @Test
    void two_layouts_of_one_column_count_on_together() {
        store.create(SequenceDefinition.named("s").incrementBy(2).build());
        SpannerStore plain = SpannerStore.open(
                database.spanner(),
                database.id(),
                SequenceTable.nextValue(place.table().table(), "name", "next_value"));
        List<Long> drawn = client.readWriteTransaction()
                .run(transaction -> List.of(
                        store.reserve(transaction, "s", 1).block().first(),
                        plain.reserve(transaction, "s", 1).block().first(),
                        store.reserve(transaction, "s", 1).block().first()));
        assertThat(drawn).containsExactly(1L, 3L, 4L);
        assertThat(store.describe("s").nextValue()).isEqualTo(6);
    }

    @Test
    void a_second_draw_is_refused_where_one_was_meant_whoever_made_the_first() {
        store.create(SequenceDefinition.of("s"));
        TransactionalStore<TransactionContext> once = other.onceInTransaction();
        assertThatThrownBy(() -> store.inTransaction(transaction -> {
                    sequence.next(transaction);
                    return once.reserve(transaction, "s", 1);
                }))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("once per transaction");
        assertThatThrownBy(() -> store.inTransaction(transaction -> {
                    store.onceInTransaction().reserve(transaction, "s", 1);
                    return once.reserve(transaction, "s", 1);
                }))
                .isInstanceOf(Misconfigured.class);
        assertThat(store.describe("s").nextValue()).isEqualTo(1);
    }

    @Test
    void a_unit_of_work_draws_from_no_other_store() {
        store.create(SequenceDefinition.of("s"));
        store.create(SequenceDefinition.of("another"));
        List<Long> drawn = new ArrayList<>();
        try (StoreSequences sequences = StoreSequences.of(store)) {
            GroupedSequence<TransactionContext> grouped = sequences.grouped("s", store);
            assertThatThrownBy(() -> grouped.<Long, RuntimeException>commit(turn -> {
                        drawn.add(turn.next());
                        drawn.add(other.reserve(turn.transaction(), "s", 1)
                                .block()
                                .first());
                        return 0L;
                    }))
                    .isInstanceOf(Misconfigured.class)
                    .hasMessageContaining("turn");
            assertThat(drawn).containsExactly(1L);
            long another = grouped.<Long, RuntimeException>commit(turn -> 10 * turn.next()
                    + other.reserve(turn.transaction(), "another", 1).block().first());
            assertThat(another).isEqualTo(11);
        }
        assertThat(store.describe("s").nextValue()).isEqualTo(2);
        assertThat(store.describe("another").nextValue()).isEqualTo(2);
    }

    @Test
    void sequences_of_one_name_in_other_tables_and_databases_are_others() {
        EmulatorDatabase elsewhere = EmulatorDatabase.at(place);
        SpannerStore there = elsewhere.store();
        SpannerStore second =
                SpannerStore.open(database.spanner(), database.id(), SequenceTable.own(place.path("second")));
        store.create(SequenceDefinition.of("s"));
        second.create(SequenceDefinition.named("s").startWith(50L).build());
        there.create(SequenceDefinition.named("s").startWith(700L).build());
        try (TransactionManager here = client.transactionManager();
                TransactionManager away = elsewhere.client().transactionManager()) {
            TransactionContext one = here.begin();
            TransactionContext two = away.begin();
            assertThat(sequence.next(one)).isEqualTo(1);
            assertThat(there.reserve(two, "s", 1).block().first()).isEqualTo(700);
            assertThat(second.reserve(one, "s", 1).block().first()).isEqualTo(50);
            assertThat(sequence.next(one)).isEqualTo(2);
            assertThat(there.reserve(two, "s", 1).block().first()).isEqualTo(701);
            // The transaction determines the database, not the store.
            assertThat(there.reserve(one, "s", 1).block().first()).isEqualTo(3);
            assertThat(sequence.next(one)).isEqualTo(4);
            here.commit();
            away.commit();
        }
        assertThat(store.describe("s").nextValue()).isEqualTo(5);
        assertThat(second.describe("s").nextValue()).isEqualTo(51);
        assertThat(there.describe("s").nextValue()).isEqualTo(702);
        there.close();
    }

    @Test
    void threads_that_share_a_transaction_get_each_number_once() {
        store.create(SequenceDefinition.of("s"));
        for (int round = 0; round < 10; round++) {
            long before = store.describe("s").nextValue();
            History history = store.inTransaction(transaction -> new Crowd(8, 100).draw((thread, turn) -> {
                SpannerStore mine = thread % 2 == 0 ? store : other;
                Block drawn = mine.reserve(transaction, "s", 1).block();
                transaction.buffer(row(drawn.first()));
                return drawn;
            }));
            assertThat(history.duplicates()).isZero();
            assertThat(history.size()).isEqualTo(800);
            assertThat(store.describe("s").nextValue()).isEqualTo(before + 800);
        }
        assertThat(database.numbers("SELECT COUNT(*) FROM numbers")).containsExactly(8000L);
    }

    @Test
    void a_thread_waits_no_longer_than_patience_for_another_that_draws_in_its_transaction() throws Exception {
        store.create(SequenceDefinition.of("s"));
        store.create(SequenceDefinition.of("slow"));
        InterceptedCalls calls = new InterceptedCalls();
        try (Spanner watched = calls.client(database, Duration.ofSeconds(20));
                SpannerStore impatient = new SpannerStore(
                        new SpannerDatabase(
                                database.spanner(),
                                database.id(),
                                client,
                                SqlDialect.of(client.getDialect()),
                                new SpannerFailures("", database.id().getName(), Duration.ofMillis(300))),
                        place.table(),
                        () -> {});
                TransactionManager manager =
                        watched.getDatabaseClient(database.id()).transactionManager()) {
            TransactionContext transaction = manager.begin();
            assertThat(impatient.reserve(transaction, "s", 1).block().first()).isEqualTo(1);
            calls.answerLate("StreamingRead", Duration.ofSeconds(3));
            int before = calls.requests(ReadRequest.class).size();
            FutureTask<Reservation> slow = new FutureTask<>(() -> store.reserve(transaction, "slow", 1));
            new Thread(slow).start();
            while (calls.requests(ReadRequest.class).size() == before && !slow.isDone()) {
                Thread.sleep(1);
            }
            assertThatThrownBy(() -> impatient.reserve(transaction, "s", 1))
                    .isInstanceOf(Overloaded.class)
                    .hasMessageContaining("same transaction")
                    .hasMessageContaining("300 ms");
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> impatient.reserve(transaction, "s", 1)).hasMessageContaining("interrupted");
            assertThat(Thread.interrupted()).isTrue();
            assertThat(slow.get().block().first()).isEqualTo(1);
            assertThat(impatient.reserve(transaction, "s", 1).block().first()).isEqualTo(2);
            manager.commit();
        }
        assertThat(store.describe("s").nextValue()).isEqualTo(3);
    }

    @Test
    void a_context_that_is_not_the_clients_own_is_refused() {
        store.create(SequenceDefinition.of("s"));
        assertThatThrownBy(() -> store.inTransaction(transaction -> {
                    sequence.next(transaction);
                    return sequence.next(traced(transaction));
                }))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("wraps")
                .hasMessageContaining("that the client created");
        assertThat(store.describe("s").nextValue()).isEqualTo(1);
    }

    @Test
    void a_transaction_that_has_ended_deals_nothing_more() {
        store.create(SequenceDefinition.of("s"));
        List<TransactionContext> ended = new ArrayList<>();
        try (TransactionManager manager = client.transactionManager()) {
            ended.add(manager.begin());
            sequence.next(ended.get(0));
            manager.rollback();
        }
        try (TransactionManager manager = client.transactionManager()) {
            ended.add(manager.begin());
            manager.rollback();
        }
        try (TransactionManager manager = client.transactionManager()) {
            ended.add(manager.begin());
            sequence.next(ended.get(2));
        }
        try (TransactionManager manager = client.transactionManager()) {
            ended.add(manager.begin());
            assertThat(sequence.next(ended.get(3))).isEqualTo(1);
            manager.commit();
        }
        store.inTransaction(transaction -> ended.add(transaction) ? sequence.next(transaction) : 0);
        for (TransactionContext one : ended) {
            assertThatThrownBy(() -> sequence.next(one))
                    .as("context %s", ended.indexOf(one))
                    .isInstanceOf(Misconfigured.class)
                    .hasMessageContaining("has ended");
        }
        assertThat(store.describe("s").nextValue()).isEqualTo(3);
    }

    @Test
    void an_attempt_that_was_aborted_deals_nothing_more() {
        InterceptedCalls calls = new InterceptedCalls();
        store.create(SequenceDefinition.of("s"));
        store.create(SequenceDefinition.of("another"));
        try (Spanner watched = calls.client(database, Duration.ofSeconds(10));
                TransactionManager manager =
                        watched.getDatabaseClient(database.id()).transactionManager()) {
            TransactionContext first = manager.begin();
            assertThat(sequence.next(first)).isEqualTo(1);
            calls.refuse("StreamingRead", Status.ABORTED);
            assertThatThrownBy(() -> store.reserve(first, "another", 1)).isInstanceOf(AbortedException.class);
            assertThatThrownBy(() -> sequence.next(first)).isInstanceOf(AbortedException.class);
            TransactionContext second = manager.resetForRetry();
            assertThat(sequence.next(second)).isEqualTo(1);
            assertThatThrownBy(() -> sequence.next(first)).isInstanceOf(AbortedException.class);
            manager.commit();
        }
        assertThat(store.describe("s").nextValue()).isEqualTo(2);
    }

    @Test
    void what_was_drawn_is_forgotten_with_the_transaction() throws InterruptedException {
        store.create(SequenceDefinition.of("s"));
        WeakReference<TransactionContext> gone = drawnAndRolledBack();
        for (int i = 0; i < 100 && gone.get() != null; i++) {
            System.gc();
            Thread.sleep(20);
        }
        assertThat(gone.get()).isNull();
    }

    @Test
    void a_sequence_within_goes_on_where_another_store_has_drawn() {
        store.create(SequenceDefinition.of("s"));
        List<Long> drawn = new ArrayList<>();
        store.inTransaction(transaction -> {
            try (Sequence within = sequence.within(transaction)) {
                drawn.add(within.next());
                drawn.add(within.next());
            }
            drawn.add(other.reserve(transaction, "s", 1).block().first());
            return 0;
        });
        assertThat(drawn).containsExactly(1L, 2L, 3L);
        assertThat(store.describe("s").nextValue()).isEqualTo(4);
    }

    private WeakReference<TransactionContext> drawnAndRolledBack() {
        try (TransactionManager manager = client.transactionManager()) {
            TransactionContext transaction = manager.begin();
            sequence.next(transaction);
            manager.rollback();
            return new WeakReference<>(transaction);
        }
    }

    /** Wraps a transaction, as an agent or an application does. */
    private static TransactionContext traced(TransactionContext transaction) {
        return (TransactionContext) Proxy.newProxyInstance(
                OneTransactionTest.class.getClassLoader(),
                new Class<?>[] {TransactionContext.class},
                (proxy, method, arguments) -> {
                    try {
                        return method.invoke(transaction, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static Mutation row(long number) {
        return Mutation.newInsertBuilder("numbers").set("number").to(number).build();
    }
}
