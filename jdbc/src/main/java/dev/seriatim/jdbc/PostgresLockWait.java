// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import java.time.Duration;

/**
 * PostgreSQL's lock wait: {@code lock_timeout} is set and put back by the statement that waits. A shorter one of the caller's
 * holds.
 *
 * <ol>
 *   <li>The statement becomes a part of a query, behind a condition that sets the timeout before any row is looked at.
 *   <li>The second part of the union puts it back; it runs when the first has ended, and adds no row.
 *   <li>After an error the transaction is rolled back, at least to a savepoint, and the setting with it.
 * </ol>
 *
 * <p>Not {@code setQueryTimeout}: the driver would cancel the statement through a second connection, and wait for it, which
 * a server that hangs does not answer either.
 */
record PostgresLockWait(Duration atMost) implements LockWait {

    private static final String NOW = "pg_catalog.current_setting('lock_timeout')";

    @Override
    public String bounded(String sql) {
        String limit = Math.max(1, atMost.toMillis()) + "ms";
        String shorter = "CASE WHEN CAST(" + NOW + " AS pg_catalog.interval) BETWEEN '1ms' AND '" + limit + "' THEN "
                + NOW + " ELSE '" + limit + "' END";
        return "WITH seriatim_wait AS (SELECT " + NOW + " AS before, pg_catalog.set_config('lock_timeout', " + shorter
                + ", true) AS during), seriatim_row AS ("
                + sql.replaceFirst(" WHERE ", " WHERE (SELECT during FROM seriatim_wait) IS NOT NULL AND ")
                + ") SELECT * FROM seriatim_row UNION ALL SELECT r.* FROM seriatim_wait w LEFT JOIN seriatim_row r ON true"
                + " WHERE pg_catalog.set_config('lock_timeout', w.before, true) IS NULL";
    }
}
