// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.servers.Database;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.testkit.GroupingStoreContract;
import dev.seriatim.testkit.ReturnPoint;
import dev.seriatim.testkit.TransactionalStoreContract;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;

/** Every contract, on one engine. */
abstract class EngineContract extends StoreContracts {

    private int opened;

    /** Returns the database to test, as each node of a cluster offers it; the same one for all tests of a class. */
    abstract List<Database> nodes();

    /** Returns whether the engine supports savepoints. */
    boolean hasSavepoints() {
        return true;
    }

    /** Returns a data source for the database. */
    DataSource source() {
        return nodes().get(0).dataSource();
    }

    /** Opens a connection that sees what any node has acknowledged; the caller closes it. */
    Connection connectUpToDate() throws SQLException {
        return nodes().get(0).connect();
    }

    /** Returns whether the engine supports pools. */
    boolean pools() {
        return false;
    }

    /** Returns whether a commit checks deferred constraints. */
    boolean checksAtCommit() {
        return false;
    }

    private String breakable() {
        return table + "_deferred";
    }

    private void createBreakable() throws SQLException {
        if (checksAtCommit()) {
            nodes().get(0)
                    .execute("CREATE TABLE " + breakable() + " (a BIGINT PRIMARY KEY, b BIGINT REFERENCES "
                            + breakable() + " (a) DEFERRABLE INITIALLY DEFERRED)");
        }
    }

    private boolean breakAtCommitOf(Connection transaction) throws SQLException {
        if (checksAtCommit()) {
            try (Statement statement = transaction.createStatement()) {
                statement.execute("INSERT INTO " + breakable() + " VALUES (1, 2)");
            }
        }
        return checksAtCommit();
    }

    /** Opens one handle after another, on one node after another. */
    @Override
    final JdbcStore openTable() {
        return (JdbcStore) open(nodes().get(opened++ % nodes().size()).option("seriatim.table", table));
    }

    /** Opens a store. */
    OpenStore open(Database node) {
        return StoreDriver.open(node.url());
    }

    @Nested
    class Transactional extends TransactionalStoreContract<Connection, JdbcStore> {
        @BeforeEach
        void createTable() throws SQLException {
            createBreakable();
        }

        @Override
        protected boolean breakAtCommit(Connection transaction) throws SQLException {
            return breakAtCommitOf(transaction);
        }

        @Override
        protected JdbcStore open() {
            return openTable();
        }

        @Override
        protected Optional<ReturnPoint> savepoint(Connection transaction) throws SQLException {
            if (!hasSavepoints()) {
                return Optional.empty();
            }
            Savepoint savepoint = transaction.setSavepoint();
            return Optional.of(() -> transaction.rollback(savepoint));
        }
    }

    @Nested
    class Groups extends GroupingStoreContract<Connection, JdbcStore> {
        private KeptNumbers kept = new KeptNumbers("");

        @BeforeEach
        void createTable() throws SQLException {
            kept = new KeptNumbers(table + "_kept");
            nodes().get(0).execute(kept.create());
            createBreakable();
        }

        @Override
        protected boolean breakAtCommit(Connection transaction) throws SQLException {
            return breakAtCommitOf(transaction);
        }

        @Override
        protected JdbcStore open() {
            return openTable();
        }

        @Override
        protected void keep(Connection transaction, long number) throws SQLException {
            kept.keep(transaction, number);
        }

        @Override
        protected List<Long> kept() throws SQLException {
            try (Connection connection = connectUpToDate()) {
                return kept.all(connection);
            }
        }
    }

    /** Runs with a failing driver. On a server, its many transactions take long: there it is a long test. */
    abstract class Faults extends FaultyCallsContract {
        @Override
        DataSource source() {
            return EngineContract.this.source();
        }

        @Override
        String table() {
            return table;
        }

        @Override
        boolean pools() {
            return EngineContract.this.pools();
        }
    }
}
