// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.testkit.GroupingStoreContract;
import dev.seriatim.testkit.ReturnPoint;
import dev.seriatim.testkit.TransactionalStoreContract;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

class SqliteContractTest extends StoreContracts {

    @TempDir
    Path folder;

    /** Uses a separate file for each test. */
    @Override
    JdbcStore openTable() {
        return (JdbcStore) StoreDriver.open("sqlite:" + folder.resolve("numbers.db"));
    }

    @Nested
    class Transactional extends TransactionalStoreContract<Connection, JdbcStore> {
        @Override
        protected JdbcStore open() {
            return openTable();
        }

        @Override
        protected Optional<ReturnPoint> savepoint(Connection transaction) throws SQLException {
            Savepoint savepoint = transaction.setSavepoint();
            return Optional.of(() -> transaction.rollback(savepoint));
        }
    }

    @Nested
    class Groups extends GroupingStoreContract<Connection, JdbcStore> {
        private final KeptNumbers kept = new KeptNumbers("kept");

        @BeforeEach
        void createTable() throws SQLException {
            try (Connection connection = connect();
                    Statement statement = connection.createStatement()) {
                statement.execute(kept.create());
            }
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
            try (Connection connection = connect()) {
                return kept.all(connection);
            }
        }

        private Connection connect() throws SQLException {
            return DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("numbers.db"));
        }
    }

    /** Runs with a failing driver. */
    @Nested
    class Faults extends FaultyCallsContract {
        private final Database database = Engine.SQLITE.freshDatabase();

        @Override
        DataSource source() {
            return database.dataSource();
        }

        @Override
        String table() {
            return "numbers";
        }
    }

    @Nested
    class Savepoints extends SavepointsContract {
        @Override
        TestedEngine tested() {
            return fresh();
        }
    }

    @Nested
    class Endings extends EndingsContract {
        @Override
        TestedEngine tested() {
            return fresh();
        }
    }

    @Nested
    class Isolation extends IsolationContract {
        @Override
        TestedEngine tested() {
            return fresh();
        }
    }

    @Nested
    class Sources extends SourcesContract {
        @Override
        TestedEngine tested() {
            return fresh();
        }
    }

    private static TestedEngine fresh() {
        return new TestedEngine(Engine.SQLITE, Engine.SQLITE.freshDatabase(), "numbers", false);
    }
}
