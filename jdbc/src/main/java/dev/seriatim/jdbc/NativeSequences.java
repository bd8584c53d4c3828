// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.jdbc.sql.BorrowedConnections;
import dev.seriatim.jdbc.sql.Connections;
import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.Lender;
import dev.seriatim.jdbc.sql.NativeDraw;
import dev.seriatim.jdbc.sql.NativeEngine;
import dev.seriatim.jdbc.sql.NativeEngine.Change.Kind;
import dev.seriatim.jdbc.sql.PlacedTable;
import dev.seriatim.jdbc.sql.SqlFailures;
import dev.seriatim.jdbc.sql.Transactions;
import dev.seriatim.store.AwaitingStore;
import dev.seriatim.store.ColumnName;
import dev.seriatim.store.ColumnReader;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SequenceStore;
import dev.seriatim.store.SequenceTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/**
 * Deals numbers from the database's native sequences ({@code CREATE SEQUENCE}). Use it to share a sequence with SQL
 * that draws from it, such as an identity column; otherwise choose {@link JdbcStore}. <em>It guarantees less than
 * {@link JdbcStore}</em>:
 *
 * <ul>
 *   <li>PostgreSQL and MariaDB can deal acknowledged values again after a server crash. A MariaDB cluster is refused.
 *   <li>No sequence is gapless, and unused numbers are never returned.
 *   <li>Other sessions can draw in between: a reservation keeps the longest contiguous part of what it drew and loses
 *       the rest. In PostgreSQL, a block of up to {@code cache} values is contiguous. A block has at most a million values.
 *   <li>There is no epoch: running instances take a restart, or a change of direction, for a lossy failover and stop.
 *       If a sequence cycles, they cannot detect a counter that went back.
 *   <li>On Aurora DSQL, values of a sequence whose cache is not 1 are not ordered.
 * </ul>
 *
 * <p>A name is a plain SQL identifier, spelled as in the catalogue and case-sensitive; in PostgreSQL and Aurora DSQL
 * also TABLE.COLUMN, for the sequence behind an identity column. In PostgreSQL, each reservation discards the values that its
 * session has cached, so use a cache of 1 to draw single values; a change waits for transactions that have drawn, and blocks
 * others meanwhile. MariaDB reports the end of its cache as the next value. On Aurora DSQL, a changed step counts from the
 * last value dealt.
 *
 * <p>Thread-safe. Closing the store closes the connections that it opened, but not the caller's data source.
 */
public final class NativeSequences implements OpenStore, ColumnReader, AwaitingStore {

    private final Connections connections;
    private final Dialect dialect;
    private final NativeEngine engine;
    private final SqlFailures failures;
    private final Transactions transactions;
    private final ConcurrentMap<String, Long> turns = new ConcurrentHashMap<>();

    private NativeSequences(
            Connections connections, Dialect dialect, NativeEngine engine, String database, Duration patience) {
        this.connections = connections;
        this.dialect = dialect;
        this.engine = engine;
        failures = SqlFailures.of(dialect, "the native sequences", engine.rights(), database, patience);
        transactions = new Transactions(connections, failures);
    }

    /**
     * Opens the native sequences of a database.
     *
     * @throws SequenceException as {@link #open(DataSource, DurabilityCheck)}
     */
    public static NativeSequences open(DataSource source) {
        return open(source, DurabilityCheck.REQUIRED);
    }

    /**
     * Opens the native sequences of a database.
     *
     * @param source remains owned by the caller; a connection pool is recommended
     * @param durability what to do if the settings can lose commits
     * @throws Misconfigured if the database has no usable native sequences, or its settings can lose acknowledged
     *     commits
     * @throws Unavailable if no connection can be opened
     */
    public static NativeSequences open(DataSource source, DurabilityCheck durability) {
        Lender lender = new Lender(source, Dialects::inTransaction);
        try {
            return lender.look(connection -> {
                Dialect dialect = Dialects.of(connection);
                String database = JdbcStore.database(connection, dialect);
                Connections borrowed = new BorrowedConnections(lender, dialect, () -> {});
                return of(connection, borrowed, dialect, durability, database, Transactions.PATIENCE);
            });
        } catch (SQLException e) {
            throw NoConnection.to(e);
        }
    }

    /** Opens the store: detects the engine on one connection and uses the others. */
    static NativeSequences of(
            Connection connection,
            Connections connections,
            Dialect dialect,
            DurabilityCheck durability,
            String database,
            Duration patience)
            throws SQLException {
        if (!(dialect instanceof NativeEngine.Support support)) {
            throw NativeEngine.unsuitable(
                    dialect.product() + ": native sequences require PostgreSQL, MariaDB or Aurora DSQL");
        }
        NativeEngine engine = support.nativeSequences(connection);
        durability.check(
                database,
                dialect.preflight(connection, new PlacedTable(dialect, SequenceTable.own(), Optional.empty())));
        return new NativeSequences(connections, dialect, engine, database, patience);
    }

    @Override
    public Reservation reserve(String name, long count) {
        SequenceStore.checkCount(name, count);
        NativeDraw draw = new NativeDraw(engine, name, count);
        NativeDraw.Drawn drawn = transactions.alone(name, draw::from);
        // A new epoch where a lower value proves nothing, so that it is not taken for a lossy failover.
        long epoch =
                engine.goesBack(drawn.definition()) ? turns.merge(name, 1L, Long::sum) : turns.getOrDefault(name, 0L);
        return new Reservation(drawn.block(), drawn.definition(), epoch);
    }

    @Override
    public Optional<String> awaits(Duration atLeast) {
        return connections.awaits(atLeast, failures.database());
    }

    @Override
    public SequenceDefinition.Builder newDefinition(String name) {
        return SequenceDefinition.named(name).cache(engine.defaultCache());
    }

    @Override
    public void create(SequenceDefinition definition) {
        SequenceDefinition held = engine.held(definition);
        transactions.alone(definition.name(), connection -> {
            engine.create(connection, held);
            return held;
        });
    }

    @Override
    public SequenceState describe(String name) {
        return transactions.reading(name, connection -> engine.state(connection, name));
    }

    /** {@inheritDoc} Lists the sequences of the current schema whose names are plain identifiers. */
    @Override
    public List<SequenceState> list(BiConsumer<String, Misconfigured> broken) {
        return transactions.reading(SqlFailures.UNNAMED, connection -> {
            List<SequenceState> states = new ArrayList<>();
            for (String name : engine.names(connection)) {
                try {
                    if (SequenceTable.isIdentifier(name)) {
                        states.add(engine.state(connection, name));
                    }
                } catch (Misconfigured e) {
                    broken.accept(name, e);
                }
            }
            return states;
        });
    }

    @Override
    public SequenceState alter(String name, UnaryOperator<SequenceDefinition> change) {
        return changed(name, Kind.ALTER, 0, state -> state.redefined(engine.held(change.apply(state.definition()))));
    }

    /**
     * {@inheritDoc}
     *
     * @throws Misconfigured also on Aurora DSQL, which cannot raise a sequence while others draw
     */
    @Override
    public SequenceState raise(String name, long value) {
        return changed(name, Kind.RAISE, value, state -> state.raisedTo(value));
    }

    /** {@inheritDoc} Running instances take this for a lossy failover and stop: restart only while no caller draws. */
    @Override
    public SequenceState restart(String name, long value) {
        return changed(name, Kind.RESTART, value, state -> state.restartedWith(value));
    }

    @Override
    public void drop(String name) {
        try {
            transactions.alone(name, connection -> {
                engine.drop(connection, name);
                return name;
            });
        } catch (NotFound e) {
            throw e.whenDropped();
        }
    }

    /** Always returns false: another session may have drawn since, which cannot be detected. */
    @Override
    public boolean giveBack(String name, Block unused, long epoch) {
        return false;
    }

    @Override
    public OptionalLong extreme(ColumnName column, boolean highest) {
        return new ColumnScan(dialect, transactions.forLongQueries(), failures).extreme(column, highest);
    }

    @Override
    public String toString() {
        return dialect.product() + ", " + failures.place() + " (" + engine.caveat() + ")";
    }

    @Override
    public void close() {
        connections.close();
    }

    private SequenceState changed(String name, Kind kind, long value, UnaryOperator<SequenceState> after) {
        engine.change(transactions, name, new NativeEngine.Change(kind, value, after));
        return describe(name);
    }
}
