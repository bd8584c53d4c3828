// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static dev.seriatim.jdbc.TestedEngine.execute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.seriatim.Allocation;
import dev.seriatim.GroupedSequence;
import dev.seriatim.PooledSequence;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.Turn;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.TransactionScope;
import dev.seriatim.store.TransactionalSequence;
import dev.seriatim.testkit.Crowd;
import dev.seriatim.testkit.History;
import dev.seriatim.testkit.Landing;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Data sources whose connections have their own settings: every mode deals correct numbers there, or refuses with the
 * cause and the remedy; and each connection is returned unchanged.
 */
@Timeout(120)
abstract class SourcesContract {

    private static final String KEPT = "kept";

    private final List<AutoCloseable> opened = new ArrayList<>();
    private TestedEngine tested;

    /** Returns the engine, with a table name for this test. */
    abstract TestedEngine tested();

    @BeforeEach
    void begin() {
        tested = tested();
    }

    @AfterEach
    void close() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    private <C extends AutoCloseable> C opened(C closeable) {
        opened.add(closeable);
        return closeable;
    }

    private LentConnections lent(LentConnections.Settings settings) {
        return opened(new LentConnections(tested.database().dataSource(), settings));
    }

    @ParameterizedTest(name = "level {0}, auto-commit {1}")
    @CsvSource({"1, true", "1, false", "2, true", "2, false", "4, true", "4, false", "8, true", "8, false"})
    void every_mode_is_right_at_every_level(int level, boolean automatic) throws Exception {
        assumeTrue(tested.offers(level), "this engine has no such level");
        LentConnections lent = lent(connection -> {
            connection.setTransactionIsolation(level);
            connection.setAutoCommit(automatic);
        });
        if (tested.engine() == Engine.H2 && level == Connection.TRANSACTION_READ_UNCOMMITTED) {
            overlooksRows(lent);
            return;
        }
        boolean cannotLook = tested.engine() == Engine.H2 && level > Connection.TRANSACTION_READ_COMMITTED;
        if (cannotLook && !automatic) {
            assertThatThrownBy(() -> tested.open(lent.source()))
                    .isInstanceOf(Misconfigured.class)
                    .hasMessageContaining("READ COMMITTED")
                    .hasMessageContaining("auto-commit");
        } else {
            everyModeIsRight(lent);
        }
        assertThat(lent.out()).isZero();
        assertThat(lent.changes()).isEmpty();
    }

    @Test
    void every_mode_is_right_in_another_schema_or_catalog() throws Exception {
        assumeTrue(tested.engine() != Engine.SQLITE, "a file has one schema");
        String other = tested.table() + "_other";
        tested.database().execute((tested.isMySql() ? "CREATE DATABASE " : "CREATE SCHEMA ") + other);
        LentConnections lent = lent(connection -> {
            if (tested.isMySql()) {
                connection.setCatalog(other);
            } else {
                connection.setSchema(tested.engine() == Engine.H2 ? other.toUpperCase(java.util.Locale.ROOT) : other);
            }
        });
        everyModeIsRight(lent);
        assertThat(lent.out()).isZero();
        assertThat(lent.changes()).isEmpty();
        JdbcStore elsewhere = opened(tested.open(tested.database().dataSource()));
        assertThatThrownBy(() -> elsewhere.describe("own")).isInstanceOf(NotFound.class);
    }

    /** H2 may fail to find an existing row: then the draw says so, and deals no wrong number. */
    private void overlooksRows(LentConnections lent) throws Exception {
        JdbcStore clean = opened(tested.open(tested.database().dataSource()));
        clean.create(SequenceDefinition.of("s"));
        JdbcStore store = opened(tested.open(lent.source()));
        assertThatThrownBy(() -> store.describe("none"))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContainingAll("READ UNCOMMITTED", "use connections at READ COMMITTED or above");
        History history = new Crowd(3, 20).draw((thread, turn) -> {
            while (true) {
                try {
                    return store.reserve("s", 1).block();
                } catch (Misconfigured overlooked) {
                    assertThat(overlooked).hasMessageContaining("READ UNCOMMITTED");
                }
            }
        });
        assertThat(history.duplicates()).isZero();
        assertThat(history.largest()).isEqualTo(60);
        assertThat(lent.out()).isZero();
        assertThat(lent.changes()).isEmpty();
    }

    private void everyModeIsRight(LentConnections lent) throws Exception {
        List<JdbcStore> stores = List.of(opened(tested.open(lent.source())), opened(tested.open(lent.source())));
        JdbcStore store = stores.get(0);
        ownDrawsAreRight(store);
        callersDrawsAreRight(lent.source(), store);
        groupsAreRight(lent.source(), stores);
        if (tested.pools()) {
            poolsAreRight(
                    store, opened(tested.open(opened(lent.seeingCommitted()).source())));
        }
    }

    private void ownDrawsAreRight(JdbcStore store) {
        store.create(SequenceDefinition.of("own"));
        Map<String, Allocation> modes =
                Map.of("async", Allocation.async(), "combined", Allocation.combined(), "batch", Allocation.batch(5));
        modes.forEach((name, mode) -> {
            long before = store.describe("own").nextValue();
            History history;
            try (StoreSequences sequences = StoreSequences.of(store)) {
                Sequence sequence = sequences.open("own", mode);
                history = new Crowd(3, 5).draw((thread, turn) -> sequence.next(1));
            }
            long after = store.describe("own").nextValue();
            assertThat(history.duplicates()).as(name).isZero();
            assertThat(history.largest()).as(name).isBetween(before + 14, after - 1);
            assertThat(after - before).as(name).isBetween(15L, 20L);
        });
    }

    private void callersDrawsAreRight(DataSource source, JdbcStore store) throws SQLException {
        KeptNumbers kept = create(source, "sync");
        store.create(SequenceDefinition.of("sync"));
        TransactionalSequence<Connection> sequence = TransactionalSequence.of(store, "sync");
        new Crowd(3, 5)
                .each((thread, turn) -> untilDone(store, transaction -> {
                    long number = sequence.next(transaction);
                    kept.keep(transaction, number);
                    return number;
                }));
        assertThat(all(source, kept)).containsExactlyInAnyOrderElementsOf(upTo(15));
        assertThat(store.describe("sync").nextValue()).isEqualTo(16);
    }

    private void groupsAreRight(DataSource source, List<JdbcStore> stores) throws SQLException {
        KeptNumbers kept = create(source, "grouped");
        stores.get(0).create(SequenceDefinition.of("grouped"));
        List<GroupedSequence<Connection>> instances = new ArrayList<>();
        for (JdbcStore store : stores) {
            instances.add(opened(StoreSequences.of(store)).grouped("grouped", store));
        }
        new Crowd(6, 5).each((thread, turn) -> {
            GroupedSequence<Connection> sequence = instances.get(thread % 2);
            if (turn == 3) {
                assertThatThrownBy(() -> sequence.commit(t -> {
                            keepOne(t, kept);
                            throw new IllegalArgumentException("refused");
                        }))
                        .hasMessage("refused");
            } else {
                sequence.<Long, SQLException>commit(t -> keepOne(t, kept));
            }
        });
        assertThat(all(source, kept)).containsExactlyInAnyOrderElementsOf(upTo(24));
        assertThat(stores.get(0).describe("grouped").nextValue()).isEqualTo(25);
    }

    private void poolsAreRight(JdbcStore store, JdbcStore seeingCommitted) throws SQLException {
        store.create(SequenceDefinition.of("pooled"));
        PooledSequence<Connection> sequence = Landing.awaited(store, "pooled", opened);
        List<Long> committed = new ArrayList<>();
        List<Long> held = new ArrayList<>();
        assertThatThrownBy(() -> store.inTransaction(holder -> {
                    held.addAll(sequence.next(holder, 2).toList());
                    for (int i = 0; i < 8; i++) { // numbers are repeatedly laid out meanwhile
                        committed.addAll(untilDone(
                                store,
                                transaction -> sequence.next(transaction, 40).toList()));
                    }
                    assertThat(store.poolState("pooled").orElseThrow().claimed())
                            .isEqualTo(2);
                    assertThatThrownBy(() -> store.alter(
                                    "pooled",
                                    d -> d.toBuilder()
                                            .startWith(3L)
                                            .minValue(3L)
                                            .build()))
                            .isInstanceOf(Misconfigured.class)
                            .hasMessageContaining("laid out in its pool");
                    throw new IllegalArgumentException("refused");
                }))
                .hasMessage("refused");
        assertThat(committed).hasSize(320).doesNotContainAnyElementsOf(held);
        for (int i = 0; i < 30 && !committed.containsAll(held); i++) {
            committed.addAll(untilDone(
                    store, transaction -> sequence.next(transaction, 40).toList()));
        }
        assertThat(held).as("what was put back is dealt").allMatch(committed::contains);
        List<Long> all = new ArrayList<>();
        long next;
        do { // until no refill commits between the two readings; the store under test may see an earlier counter
            next = seeingCommitted.describe("pooled").nextValue();
            all.clear();
            store.poolState("pooled").orElseThrow().laidOut().forEach(run -> run.forEach(all::add));
        } while (seeingCommitted.describe("pooled").nextValue() != next);
        all.addAll(committed);
        assertThat(all).containsExactlyInAnyOrderElementsOf(upTo(next - 1));
    }

    /** Retries the whole transaction, as applications must where transactions can conflict. */
    private static <R> R untilDone(JdbcStore store, TransactionScope.Work<Connection, R, SQLException> work)
            throws SQLException {
        while (true) {
            try {
                return store.inTransaction(work);
            } catch (Overloaded conflict) {
                // retry
            } catch (SQLException e) {
                if (!List.of("40001", "40P01").contains(String.valueOf(e.getSQLState()))) {
                    throw e;
                }
            }
        }
    }

    @Test
    void connections_that_are_read_only_are_told_with_the_remedy() throws Exception {
        try (JdbcStore writable = tested.open(tested.database().dataSource())) {
            writable.create(SequenceDefinition.of("s"));
            if (tested.pools()) {
                try (StoreSequences sequences = StoreSequences.of(writable)) {
                    PooledSequence<Connection> pooled = sequences.pooled("s", writable);
                    writable.inTransaction(pooled::next);
                }
            }
            long before = writable.describe("s").nextValue();
            LentConnections lent = readOnly();
            List<Throwable> refusals = new ArrayList<>();
            Throwable atOpening = catchThrowable(() -> {
                JdbcStore store = opened(tested.open(lent.source()));
                StoreSequences sequences = opened(StoreSequences.builder(store)
                        .patience(Duration.ofSeconds(5))
                        .build());
                for (Allocation mode : List.of(Allocation.async(), Allocation.batch(5))) {
                    try (Sequence sequence = sequences.open("s", mode)) {
                        refusals.add(catchThrowable(sequence::next));
                    }
                }
                refusals.add(
                        catchThrowable(() -> sequences.grouped("s", store).<Long, SQLException>commit(Turn::next)));
                TransactionalSequence<Connection> sync = TransactionalSequence.of(store, "s");
                refusals.add(catchThrowable(() -> store.inTransaction(sync::next)));
                if (tested.pools()) {
                    PooledSequence<Connection> pooled = sequences.pooled("s", store);
                    refusals.add(catchThrowable(() -> store.inTransaction(pooled::next)));
                }
            });
            if (atOpening != null) {
                refusals.add(atOpening);
            }
            assertThat(refusals).isNotEmpty().allSatisfy(this::saysThatItIsReadOnly);
            assertThat(writable.describe("s").nextValue()).isEqualTo(before);
            assertThat(lent.out()).isZero();
            assertThat(lent.changes()).isEmpty();
        }
    }

    @Test
    void a_callers_connection_that_is_read_only_is_told_with_the_remedy() throws Exception {
        JdbcStore store = opened(tested.open(tested.database().dataSource()));
        store.create(SequenceDefinition.of("s"));
        TransactionalSequence<Connection> sync = TransactionalSequence.of(store, "s");
        StoreSequences sequences = opened(StoreSequences.of(store));
        LentConnections lent = readOnly();
        for (int round = 0; round < 2; round++) { // first the counter is unknown, then it is known
            try (Connection connection = lent.source().getConnection()) {
                connection.setAutoCommit(false);
                saysThatItIsReadOnly(catchThrowable(() -> sync.next(connection)));
                connection.rollback();
                if (tested.pools()) {
                    PooledSequence<Connection> pooled = sequences.pooled("s", store);
                    saysThatItIsReadOnly(catchThrowable(() -> pooled.next(connection)));
                    connection.rollback();
                }
                connection.setAutoCommit(true);
            }
            assertThat(store.<Long, RuntimeException>inTransaction(sync::next)).isPositive();
        }
        assertThat(lent.changes()).isEmpty();
    }

    private LentConnections readOnly() {
        assumeTrue(tested.engine() != Engine.H2, "its connections write all the same");
        return switch (tested.engine()) {
            case SQLITE ->
                opened(new LentConnections(
                        tested.database().option("open_mode", "1").dataSource(), connection -> {}));
            // MariaDB's driver only stores it.
            case MARIADB, GALERA -> lent(connection -> execute(connection, "SET SESSION TRANSACTION READ ONLY"));
            default -> lent(connection -> connection.setReadOnly(true));
        };
    }

    private void saysThatItIsReadOnly(Throwable refusal) {
        assertThat(refusal)
                .isInstanceOf(SequenceException.class)
                .hasMessageContaining("is read-only")
                .message()
                .containsPattern(
                        tested.engine() == Engine.SQLITE
                                ? "allow this user to write to the file"
                                : "draw (on read-write connections|in a read-write transaction)");
    }

    @Test
    void every_mode_is_right_inside_a_transaction_that_the_data_source_knows_of() throws Exception {
        DataSource target = tested.database().dataSource();
        DataSource aware = new TransactionAwareDataSourceProxy(target);
        JdbcStore store = opened(tested.open(aware));
        store.create(SequenceDefinition.of("s"));
        store.create(SequenceDefinition.of("g"));
        store.create(SequenceDefinition.of("t"));
        store.create(SequenceDefinition.of("p"));
        KeptNumbers own = create(target, "own");
        KeptNumbers ofGroups = create(target, "groups");
        StoreSequences sequences = opened(StoreSequences.of(store));
        Sequence async = sequences.open("s", Allocation.async());
        GroupedSequence<Connection> grouped = sequences.grouped("g", store);
        TransactionalSequence<Connection> sync = TransactionalSequence.of(store, "t");
        TransactionTemplate transactions = new TransactionTemplate(new JdbcTransactionManager(target));
        boolean oneWriter = tested.engine() == Engine.SQLITE;
        for (boolean committing : new boolean[] {false, true}) {
            int before = committing ? 1 : 0;
            transactions.executeWithoutResult(status -> {
                Connection transaction = DataSourceUtils.getConnection(target);
                try {
                    if (!oneWriter) {
                        own.keep(transaction, -1);
                    }
                    assertThat(async.next()).isEqualTo(before + 1);
                    assertThat(grouped.<Long, SQLException>commit(turn -> keepOne(turn, ofGroups)))
                            .isEqualTo(before + 1);
                    own.keep(transaction, sync.next(transaction));
                    if (tested.pools()) {
                        assertThat(sequences.pooled("p", store).next(transaction))
                                .isEqualTo(1);
                    }
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
                if (!committing) {
                    status.setRollbackOnly();
                }
            });
            assertThat(all(target, own))
                    .containsExactlyInAnyOrderElementsOf(
                            !committing ? List.of() : oneWriter ? List.of(1L) : List.of(-1L, 1L));
            assertThat(all(target, ofGroups)).containsExactlyInAnyOrderElementsOf(upTo(before + 1));
            assertThat(store.describe("t").nextValue()).isEqualTo(before + 1);
        }
    }

    private KeptNumbers create(DataSource source, String purpose) throws SQLException {
        KeptNumbers kept = tested.kept(KEPT + "_" + purpose);
        try (Connection connection = source.getConnection()) {
            execute(connection, kept.create());
            if (!connection.getAutoCommit()) {
                connection.commit();
            }
        }
        return kept;
    }

    private static List<Long> all(DataSource source, KeptNumbers kept) throws SQLException {
        try (Connection connection = source.getConnection()) {
            List<Long> all = kept.all(connection);
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
            return all;
        }
    }

    private static long keepOne(Turn<Connection> turn, KeptNumbers kept) throws SQLException {
        long number = turn.next();
        kept.keep(turn.transaction(), number);
        return number;
    }

    private static List<Long> upTo(long last) {
        return LongStream.rangeClosed(1, last).boxed().toList();
    }
}
