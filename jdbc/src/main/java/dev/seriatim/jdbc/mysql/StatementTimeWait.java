// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.mysql;

import dev.seriatim.jdbc.dialect.LockWait;
import java.time.Duration;

/**
 * Limits the wait on MariaDB with {@code max_statement_time} for one statement, which includes waits for row and
 * table locks. A shorter {@code innodb_lock_wait_timeout} takes precedence.
 */
record StatementTimeWait(Duration atMost) implements LockWait {

    private static final String FOR_ONE = "SET STATEMENT ";

    @Override
    public String bounded(String sql) {
        String setting = FOR_ONE + "max_statement_time = " + Math.max(1, atMost.toMillis()) / 1000.0;
        return sql.startsWith(FOR_ONE) ? setting + ", " + sql.substring(FOR_ONE.length()) : setting + " FOR " + sql;
    }

    @Override
    public boolean exact() {
        return true;
    }
}
