// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.SequenceTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * An engine, for contracts that only the JDBC store has.
 *
 * @param database the database to test
 * @param table a name that no other test uses there
 * @param pools whether the engine supports pools
 */
record TestedEngine(Engine engine, Database database, String table, boolean pools) {

    JdbcStore open(DataSource source) {
        return JdbcStore.open(source, SequenceTable.own(table));
    }

    /** Returns a table for an application's numbers; there may be several. */
    KeptNumbers kept(String purpose) {
        return new KeptNumbers(table + "_" + purpose);
    }

    /** Returns whether this is MariaDB, a MariaDB cluster, or MySQL. */
    boolean isMySql() {
        return engine == Engine.MARIADB || engine == Engine.GALERA || engine == Engine.MYSQL;
    }

    /** Returns whether the engine supports this isolation level without substituting another. */
    boolean offers(int level) throws SQLException {
        try (Connection connection = database.connect()) {
            return connection.getMetaData().supportsTransactionIsolationLevel(level);
        }
    }

    /** Returns a pool that opens connections when they are needed. */
    static HikariDataSource pool(DataSource source, int size) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(source);
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(0);
        return new HikariDataSource(config);
    }

    /** Executes a statement in the connection's current transaction. */
    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
