// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.postgres;

import dev.seriatim.jdbc.dialect.LockWait;
import java.time.Duration;

/**
 * Limits the wait on PostgreSQL: the waiting statement itself sets {@code lock_timeout} and restores it. A shorter
 * timeout of the caller takes precedence.
 *
 * <ol>
 *   <li>The statement becomes part of a query, behind a condition that sets the timeout before it reads any row.
 *   <li>The query joins the statement's row, or none, with the previous setting, and restores that: the expression on
 *       the joined row is evaluated when the statement has ended, and once even if there is no row.
 *   <li>After an error, the transaction is rolled back, at least to a savepoint, and the setting with it.
 * </ol>
 *
 * <p>Not {@code setQueryTimeout}: the driver would cancel the statement through a second connection and wait for
 * that, which a hung server does not answer either.
 */
record PostgresLockWait(Duration atMost) implements LockWait {

    private static final String NOW = "pg_catalog.current_setting('lock_timeout')";
    private static final String WHERE = " WHERE ";

    /** How its statements begin; they restore what they set. */
    static final String BEGINNING = "WITH seriatim_wait AS (";

    @Override
    public String bounded(String sql) {
        String limit = "'" + Math.max(1, atMost.toMillis()) + "ms'";
        String time = "CAST(" + NOW + " AS pg_catalog.interval) ";
        // Without a timeout, which is the default, no text is parsed as a time: that costs as much as everything else.
        String shorter = "CASE WHEN " + NOW + PostgresFamily.ownOperator("=") + " '0' THEN " + limit + " WHEN " + time
                + PostgresFamily.ownOperator("<=") + " " + limit + " THEN " + NOW + " ELSE " + limit + " END";
        // The last, because a schema's name can be any text.
        int condition = sql.lastIndexOf(WHERE) + WHERE.length();
        return BEGINNING + "SELECT " + NOW + " AS before, pg_catalog.set_config('lock_timeout', " + shorter
                + ", true) AS during), seriatim_row AS (" + sql.substring(0, condition)
                + "(SELECT during FROM seriatim_wait) IS NOT NULL AND " + sql.substring(condition)
                + ") SELECT seriatim_row.* FROM seriatim_wait LEFT JOIN seriatim_row ON true"
                + " WHERE CASE WHEN pg_catalog.set_config('lock_timeout', seriatim_wait.before, true) IS NOT NULL"
                + " THEN seriatim_row IS DISTINCT FROM NULL END";
    }

    @Override
    public boolean exact() {
        return true;
    }
}
