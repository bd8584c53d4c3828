// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.table.SequenceTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * An engine, for contracts of the JDBC store alone.
 *
 * @param database where to test
 * @param table a name that no other test there has
 * @param pools whether numbers can be laid out ahead
 */
record TestedEngine(Engine engine, Database database, String table, boolean pools) {

    JdbcStore open(DataSource source) {
        return JdbcStore.open(source, SequenceTable.own(table));
    }

    /** Where an application keeps its numbers; there may be several. */
    KeptNumbers kept(String purpose) {
        return new KeptNumbers(table + "_" + purpose);
    }

    /** MariaDB, a cluster of it, or MySQL. */
    boolean isMySql() {
        return engine == Engine.MARIADB || engine == Engine.GALERA || engine == Engine.MYSQL;
    }

    /** Whether transactions at this isolation level are an engine's own, and not those of another level. */
    boolean offers(int level) throws SQLException {
        try (Connection connection = database.connect()) {
            return connection.getMetaData().supportsTransactionIsolationLevel(level);
        }
    }

    /** Runs it on a connection, in whatever transaction that has. */
    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
