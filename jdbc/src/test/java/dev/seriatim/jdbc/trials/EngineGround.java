// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.trials;

import dev.seriatim.Block;
import dev.seriatim.SequenceException;
import dev.seriatim.conservation.ForwardingStore;
import dev.seriatim.conservation.Ground;
import dev.seriatim.conservation.Ledger;
import dev.seriatim.conservation.RandomChoices;
import dev.seriatim.conservation.StoredRow;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.GroupingStore;
import dev.seriatim.store.PoolingStore;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceCatalog;
import dev.seriatim.store.SequenceStore;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.store.TransactionScope;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** A separate database for round after round: real transactions, on connections that break at random. */
final class EngineGround implements Ground<Connection>, AutoCloseable {

    private final Engine engine;
    private final Database database;
    private final JdbcStore sound;
    private final FaultyConnections connections;
    private final DataSource source;
    private final JdbcStore faulty;
    private long round;

    private EngineGround(Engine engine, Database database) {
        this.engine = engine;
        this.database = database;
        sound = (JdbcStore) StoreDriver.open(ApplicationResources.url(database));
        connections = new FaultyConnections(database);
        source = connections.source();
        faulty = JdbcStore.open(source);
    }

    static EngineGround on(Engine engine) throws SQLException {
        Database database = engine.freshDatabase();
        String id = switch (engine) {
            case SQLITE -> "INTEGER PRIMARY KEY AUTOINCREMENT";
            case MARIADB, MYSQL, GALERA -> "BIGINT AUTO_INCREMENT PRIMARY KEY";
            case SQLSERVER -> "BIGINT IDENTITY PRIMARY KEY";
            case H2, POSTGRESQL -> "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY";
        };
        database.execute("CREATE TABLE kept (id " + id
                + ", round BIGINT NOT NULL, attempt BIGINT NOT NULL, run INT NOT NULL, number BIGINT NOT NULL)");
        return new EngineGround(engine, database);
    }

    /** Returns the ground for the next round. */
    EngineGround next(RandomChoices chance) throws SQLException {
        if (round > 0) {
            database.execute("DELETE FROM kept");
            sound.list().forEach(state -> sound.drop(state.definition().name()));
        }
        round++;
        connections.failBy(chance);
        return this;
    }

    @Override
    public String name() {
        return "s" + round;
    }

    @Override
    public int leastPatience() {
        return 100;
    }

    @Override
    public SequenceCatalog catalog() {
        return sound;
    }

    @Override
    public SequenceStore store(RandomChoices chance, Ledger ledger) {
        return new Accounting(faulty, ledger);
    }

    @Override
    public TransactionScope<Connection> scope(RandomChoices chance) {
        return chance.oneIn(2) ? faulty : new OwnTransactions(faulty, source);
    }

    @Override
    public GroupingStore<Connection> groups(RandomChoices chance) {
        return faulty;
    }

    @Override
    public PoolingStore<Connection> pools(RandomChoices chance) {
        return faulty;
    }

    @Override
    public void keep(Connection transaction, StoredRow row) throws SQLException {
        try (PreparedStatement insert =
                transaction.prepareStatement("INSERT INTO kept (round, attempt, run, number) VALUES (?, ?, ?, ?)")) {
            insert.setLong(1, round);
            insert.setLong(2, row.attempt());
            insert.setInt(3, row.run());
            insert.setLong(4, row.number());
            insert.executeUpdate();
        }
    }

    @Override
    public Undo mark(Connection transaction) throws SQLException {
        Savepoint savepoint = transaction.setSavepoint();
        return () -> transaction.rollback(savepoint);
    }

    @Override
    public void spoil(Connection transaction) throws SQLException {
        try (Statement statement = transaction.createStatement()) {
            statement.execute("INSERT INTO nowhere VALUES (1)");
        }
        throw new AssertionError("there is a table called nowhere");
    }

    @Override
    public Exception conflict() {
        return engine == Engine.SQLITE
                ? new SQLiteException("others were in the way", SQLiteErrorCode.SQLITE_BUSY)
                : new SQLException("others were in the way", "40001");
    }

    @Override
    public List<StoredRow> kept() throws SQLException {
        try (Connection connection = database.connect();
                PreparedStatement query = connection.prepareStatement(
                        "SELECT attempt, run, number FROM kept WHERE round = ? ORDER BY id")) {
            query.setLong(1, round);
            List<StoredRow> rows = new ArrayList<>();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    rows.add(new StoredRow(row.getLong(1), row.getInt(2), row.getLong(3)));
                }
            }
            return rows;
        }
    }

    @Override
    public List<Long> laidOut() {
        return sound.poolState(name()).stream()
                .flatMap(state -> state.laidOut().stream())
                .flatMap(block -> block.values().boxed())
                .toList();
    }

    @Override
    public void calm() {}

    @Override
    public void close() throws SQLException {
        faulty.close();
        connections.close();
        sound.close();
    }

    /** Transactions that an application begins and ends itself. */
    private record OwnTransactions(JdbcStore store, DataSource source) implements TransactionScope<Connection> {

        @Override
        public Reservation reserve(Connection transaction, String name, long count) {
            return store.reserve(transaction, name, count);
        }

        @Override
        public Reservation reserve(Connection transaction, String name, long count, Duration patience) {
            return store.reserve(transaction, name, count, patience);
        }

        @Override
        public <R, X extends Exception> R inTransaction(Work<Connection, R, X> work) throws X {
            try (Connection connection = source.getConnection()) {
                connection.setAutoCommit(false);
                R result = work.run(connection);
                commit(connection);
                return result;
            } catch (SQLException e) {
                throw new SequenceException.Unavailable("no transaction: " + e, e);
            }
        }

        private static void commit(Connection connection) {
            try {
                connection.commit();
            } catch (SQLException | LinkageError e) {
                throw new SequenceException.CommitOutcomeUnknown(e);
            }
        }
    }

    /** Maintains the ledger. */
    private static final class Accounting extends ForwardingStore<JdbcStore> {
        private final Ledger ledger;

        Accounting(JdbcStore store, Ledger ledger) {
            super(store);
            this.ledger = ledger;
        }

        @Override
        public Reservation reserve(String name, long count) {
            Reservation reservation = super.reserve(name, count);
            ledger.reserved(name, reservation.block());
            return reservation;
        }

        @Override
        public boolean giveBack(String name, Block unused, long epoch) {
            try {
                return super.giveBack(name, unused, epoch);
            } catch (SequenceException.CommitOutcomeUnknown | LinkageError e) {
                ledger.dealt(name, unused);
                throw e;
            }
        }
    }
}
