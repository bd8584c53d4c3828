// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.postgres;

import dev.seriatim.jdbc.sql.PoolClaim;
import dev.seriatim.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Claims rows on PostgreSQL: a single statement locks the lowest free rows, deletes them and returns them. Their addresses
 * are an array, so they are computed once, before any deletion. It skips rows that others hold, and
 * PostgreSQL shows only committed data at every isolation level.
 *
 * @param table the table of the pools, quoted
 */
record DeleteReturning(String table) implements PoolClaim {

    private static final String EQUAL = PostgresFamily.ownOperator("=");
    private static final String BETWEEN = " WHERE name " + EQUAL + " ? AND place " + PostgresFamily.ownOperator(">=")
            + " ? AND place " + PostgresFamily.ownOperator("<=") + " ?";

    @Override
    public List<Row> take(Connection connection, String name, Places places, int count) throws SQLException {
        String sql =
                "DELETE FROM " + table + " WHERE ctid " + EQUAL + " ANY (ARRAY (SELECT ctid FROM " + table + BETWEEN
                        + " ORDER BY place LIMIT ? FOR UPDATE SKIP LOCKED))"
                        + " RETURNING place, value";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            List<Row> rows = PoolClaim.rows(statement, name, places, count);
            rows.sort(Comparator.comparingLong(Row::place));
            return rows;
        }
    }

    @Override
    public boolean blind(Connection connection) throws SQLException {
        return connection.getTransactionIsolation() > Connection.TRANSACTION_READ_COMMITTED;
    }

    @Override
    public Set<Long> held(Connection connection, String name, Places places) throws SQLException {
        // Every open transaction that has changed anything holds a lock on its own transaction ID.
        String sql = "SELECT place FROM " + table + BETWEEN + " AND xmax::pg_catalog.text " + EQUAL
                + " ANY (SELECT transactionid::pg_catalog.text FROM pg_catalog.pg_locks"
                + " WHERE locktype " + EQUAL + " 'transactionid' AND granted)";
        return new HashSet<>(Sql.numbers(connection, sql, name, places.from(), places.to()));
    }

    @Override
    public void boundWaiting(Connection connection) throws SQLException {
        Sql.execute(connection, "SET LOCAL lock_timeout = '2s'");
    }

    @Override
    public String tableOptions() {
        // Rows are short-lived: vacuum by the number of dead rows, not by the table's size.
        return " WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)";
    }
}
