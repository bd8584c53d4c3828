// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.spanner.connection.ConnectionOptions;
import com.google.cloud.spanner.jdbc.JdbcDataSource;
import dev.seriatim.Allocation;
import dev.seriatim.Block;
import dev.seriatim.GroupedSequence;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.servers.Server;
import dev.seriatim.servers.SpannerEmulator;
import dev.seriatim.store.ColumnName;
import dev.seriatim.store.ColumnScanner;
import dev.seriatim.store.NumberColumn;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceTable;
import dev.seriatim.store.TransactionalSequence;
import dev.seriatim.testkit.Crowd;
import dev.seriatim.testkit.History;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Properties of Spanner's driver, over its own data source, on an emulator that aborts at random. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
@ResourceLock(JdbcEmulator.CONNECTIONS)
class JdbcTransactionsTest {

    private static final String KEPT = "SELECT number FROM kept ORDER BY number";
    private static final int THREADS = 4;
    private static final int DRAWS = 25;
    private static @Nullable Server emulator;

    private final JdbcEmulator database = JdbcEmulator.on(
            Objects.requireNonNull(emulator).address(),
            form(),
            "CREATE TABLE kept (number INT64 NOT NULL PRIMARY KEY, made TIMESTAMP)");
    private final JdbcDataSource source = source(database.driverUrl());
    private final JdbcStore store = JdbcStore.open(source, SequenceTable.own(database.table()));

    JdbcEmulator.Form form() {
        return JdbcEmulator.Form.GOOGLE_SQL;
    }

    private static JdbcDataSource source(String url) {
        JdbcDataSource source = new JdbcDataSource();
        source.setUrl(url);
        return source;
    }

    @BeforeAll
    static void start() {
        emulator = SpannerEmulator.start("--enable_fault_injection");
    }

    @AfterAll
    static void stop() {
        if (emulator != null) {
            ConnectionOptions.closeSpanner(); // fails if connections were not returned
            emulator.close();
        }
    }

    static List<Allocation> modes() {
        return List.of(Allocation.async(), Allocation.combined(), Allocation.batch(10), Allocation.adaptive());
    }

    @ParameterizedTest
    @MethodSource("modes")
    void deals_each_number_once_in_transactions_of_its_own(Allocation mode) {
        store.create(SequenceDefinition.of("s"));
        try (StoreSequences sequences = StoreSequences.builder(store).build()) {
            Sequence sequence = sequences.open("s", mode);
            History history = new Crowd(THREADS, DRAWS).draw((thread, turn) -> new Block(sequence.next(), 1, 1));
            assertThat(history.size()).isEqualTo(THREADS * DRAWS);
            assertThat(history.duplicates()).isZero();
            if (mode instanceof Allocation.Async || mode instanceof Allocation.Combined) {
                assertThat(history.orderViolations(true)).isZero();
            }
        }
    }

    @Test
    void leaves_no_gap_where_the_driver_repeats_the_callers_transactions_by_itself() {
        store.create(SequenceDefinition.of("s"));
        TransactionalSequence<Connection> sequence = TransactionalSequence.of(store, "s");
        new Crowd(THREADS, DRAWS).each((thread, turn) -> {
            boolean committed = false;
            while (!committed) {
                committed = drawnAndKept(sequence);
            }
        });
        assertGapless();
    }

    @Test
    void leaves_no_gap_in_shared_transactions() {
        store.create(SequenceDefinition.of("s"));
        try (StoreSequences sequences = StoreSequences.builder(store).build()) {
            GroupedSequence<Connection> sequence = sequences.grouped("s", store);
            new Crowd(THREADS, DRAWS)
                    .each((thread, turn) -> sequence.<Boolean, SQLException>commit(shared -> {
                        keep(shared.transaction(), shared.next());
                        return true;
                    }));
        }
        assertGapless();
    }

    @Test
    void finds_out_that_a_unit_of_work_has_ended_the_shared_transaction() {
        store.create(SequenceDefinition.of("s"));
        List<Long> committed = List.of();
        while (committed.isEmpty()) { // the emulator aborts some commits, which leave nothing behind
            assertThatThrownBy(this::endInUnit).isInstanceOf(SequenceException.CommitOutcomeUnknown.class);
            committed = database.numbers(KEPT);
            assertThat(store.describe("s").nextValue())
                    .as("directly after the numbers that units have committed")
                    .isEqualTo(1 + committed.size());
        }
    }

    private void endInUnit() throws SQLException {
        try (StoreSequences sequences = StoreSequences.builder(store).build()) {
            sequences.grouped("s", store).<Long, SQLException>commit(turn -> {
                long number = turn.next();
                keep(turn.transaction(), number);
                try (Statement statement = turn.transaction().createStatement()) {
                    statement.execute("COMMIT");
                }
                return number;
            });
        }
    }

    @Test
    void tells_a_conflict_by_the_vendors_code_alone() {
        store.create(SequenceDefinition.of("s"));
        SQLException conflict = null;
        while (conflict == null) {
            conflict = conflictOfTwo();
        }
        assertThat(conflict.getErrorCode()).isEqualTo(10);
        assertThat(conflict.getSQLState()).isNull();
    }

    @Test
    void a_later_transaction_on_the_session_loses_the_transaction_and_leaves_its_commit_unknown() {
        JdbcEmulator calm = JdbcEmulator.create(form());
        JdbcStore drawn = JdbcStore.open(source(calm.driverUrl()), SequenceTable.own(calm.table()));
        drawn.create(SequenceDefinition.of("s"));
        assertThatThrownBy(() -> drawn.inTransaction(transaction -> {
                    drawn.reserve(transaction, "s", 1);
                    calm.database().endTransactions();
                    return drawn.reserve(transaction, "s", 1);
                }))
                .isInstanceOf(SequenceException.Unavailable.class)
                .hasMessageContaining("its transaction is lost; retry the whole transaction")
                .hasStackTraceContaining("FAILED_PRECONDITION");
        assertThatThrownBy(() -> drawn.inTransaction(transaction -> {
                    Reservation reserved = drawn.reserve(transaction, "s", 1);
                    calm.database().endTransactions();
                    return reserved;
                }))
                .isInstanceOf(SequenceException.CommitOutcomeUnknown.class)
                .hasStackTraceContaining("FAILED_PRECONDITION");
        assertThat(drawn.reserve("s", 1).block().first()).isEqualTo(1);
    }

    @Test
    void looks_at_columns_of_the_users() throws SQLException {
        store.create(SequenceDefinition.of("s"));
        assertThat(store.extreme(ColumnName.of("kept", "number"), true)).isEmpty();
        database.execute("INSERT INTO kept (number) VALUES (3), (1), (7)");
        assertThat(store.extreme(ColumnName.of("kept", "number"), true)).hasValue(7);
        NumberColumn kept = new NumberColumn(
                ColumnName.of("kept", "number"), Optional.of(ColumnName.of("kept", "made")), OptionalLong.of(2));
        assertThat(store.scan("s", kept, state -> new Seen()).numbers).containsExactly(3L, 7L);
        assertThatThrownBy(() -> store.extreme(ColumnName.of("kept", "none"), true))
                .hasMessageContaining("no column 'none'");
        assertThatThrownBy(() -> store.extreme(ColumnName.of("none", "number"), true))
                .hasMessageContaining("no table 'none'");
        assertThatThrownBy(() -> store.extreme(database.form().column("seriatim_sequence", "name"), true))
                .hasMessageContaining("name a column of integers");
    }

    @Test
    void refuses_pools_with_the_reason() {
        store.create(SequenceDefinition.of("s"));
        assertThatThrownBy(() -> store.pool("s"))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContaining("SKIP LOCKED")
                .hasMessageContaining("use GROUPED");
    }

    private void assertGapless() {
        assertThat(database.numbers(KEPT))
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, THREADS * DRAWS).boxed().toList());
        assertThat(store.describe("s").nextValue()).isEqualTo(THREADS * DRAWS + 1);
    }

    /**
     * Draws and stores like an application that leaves the driver's settings unchanged; returns whether it was
     * committed.
     */
    private boolean drawnAndKept(TransactionalSequence<Connection> sequence) throws SQLException {
        try (Connection connection = source.getConnection()) {
            connection.setAutoCommit(false);
            keep(connection, sequence.next(connection));
            connection.commit();
            return true;
        } catch (SequenceException.Overloaded conflict) {
            return false;
        } catch (SQLException e) {
            if (e.getErrorCode() == 10) {
                return false;
            }
            throw e;
        }
    }

    private static void keep(Connection transaction, long number) throws SQLException {
        try (PreparedStatement insert = transaction.prepareStatement("INSERT INTO kept (number) VALUES (?)")) {
            insert.setLong(1, number);
            insert.executeUpdate();
        }
    }

    /** Runs two concurrent transactions, of which the emulator usually aborts one. */
    private @Nullable SQLException conflictOfTwo() {
        try {
            store.inTransaction(first -> store.inTransaction(second -> {
                store.reserve(first, "s", 1);
                return store.reserve(second, "s", 1);
            }));
            return null;
        } catch (SequenceException.Overloaded e) {
            return (SQLException) e.getCause();
        }
    }

    /** Records the numbers of a column. */
    private static final class Seen implements ColumnScanner.Visitor {
        private final List<Long> numbers = new ArrayList<>();

        @Override
        public void withoutNumber(long rows) {}

        @Override
        public void number(long number) {
            numbers.add(number);
        }

        @Override
        public void inTime(long number, Supplier<String> time) {}
    }
}
