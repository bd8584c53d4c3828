// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.mysql;

import dev.seriatim.jdbc.sql.PlacedTable;
import dev.seriatim.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

final class InnoDbSettings {

    private static final String ENGINE =
            "SELECT ENGINE FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?";

    static final String LOGS_STATEMENTS = """
            binlog_format is STATEMENT: replicas repeat each draw and may assign the numbers to other rows, and \
            InnoDB rejects draws at READ COMMITTED (error 1665)""";
    static final String LOG_ROWS = "SET GLOBAL binlog_format = 'MIXED' or 'ROW', which affects new connections";

    private static final System.Logger LOG = System.getLogger(InnoDbSettings.class.getName());

    private InnoDbSettings() {}

    /** Returns the InnoDB settings that lose acknowledged commits. */
    static List<String> problems(Connection connection, PlacedTable placed) throws SQLException {
        List<String> problems = new ArrayList<>();
        String flush = variable(connection, "innodb_flush_log_at_trx_commit").orElse("1");
        if (!flush.equals("1")) {
            problems.add("""
                    innodb_flush_log_at_trx_commit is %s: a crash loses acknowledged commits; SET GLOBAL \
                    innodb_flush_log_at_trx_commit = 1""".formatted(flush));
        }
        boolean logs = variable(connection, "log_bin").orElse("OFF").equals("ON");
        String sync = variable(connection, "sync_binlog").orElse("1");
        if (logs && !sync.equals("1")) {
            problems.add(
                    "sync_binlog is " + sync
                            + " with the binary log on: recovery from a power cut drops commits that the log misses; SET GLOBAL sync_binlog = 1");
        }
        if (logsStatements(connection)) {
            // Drawing fails at these levels; at the others, numbers are safe.
            if (connection.getTransactionIsolation() <= Connection.TRANSACTION_READ_COMMITTED) {
                problems.add(LOGS_STATEMENTS + "; " + LOG_ROWS);
            } else {
                LOG.log(System.Logger.Level.INFO, LOGS_STATEMENTS + "; " + LOG_ROWS);
            }
        }
        String table = placed.name();
        String engine =
                Sql.read(connection, ENGINE, placed.schema().orElse(""), table).orElse("InnoDB");
        if (!engine.equalsIgnoreCase("InnoDB")) {
            problems.add("table " + table + " is " + engine
                    + ", which has no transactions and can repeat values after a crash; ALTER TABLE " + table
                    + " ENGINE = InnoDB");
        }
        return problems;
    }

    /** Returns whether this server's binary log records statements instead of changed rows. */
    static boolean logsStatements(Connection connection) throws SQLException {
        return variable(connection, "log_bin").orElse("OFF").equals("ON")
                && variable(connection, "binlog_format").orElse("ROW").equals("STATEMENT");
    }

    static Optional<String> variable(Connection connection, String name) throws SQLException {
        // Not @@name, which fails if the variable does not exist. The name is a constant of ours.
        String sql = "SHOW VARIABLES WHERE Variable_name = '" + name + "'";
        try (var statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            return row.next() ? Optional.ofNullable(row.getString(2)) : Optional.empty();
        }
    }
}
