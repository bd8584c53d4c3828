// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.mysql;

import dev.seriatim.jdbc.dialect.LeanSharing;
import dev.seriatim.jdbc.dialect.LinearizableReads;
import dev.seriatim.jdbc.dialect.LockWait;
import dev.seriatim.jdbc.dialect.LockWaits;
import dev.seriatim.jdbc.dialect.PlacedTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** What the engines that store their tables in InnoDB have in common. */
public interface InnoDbFamily extends MySqlFamily, LeanSharing, LinearizableReads, LockWaits {

    /**
     * Statements that do not commit; {@code SET} unless it names something that commits or contains a statement.
     */
    Pattern KEEPS_OPEN = Pattern.compile("(?is)(?:(?:show|explain|describe|desc|do|use|savepoint|release)\\b"
            + "|set\\s(?!.*(?:autocommit|password|statement|global|persist|wsrep))"
            + "\\s*(?:@|(?:session|local|names|character|charset|role)\\s|\\w+\\s*:?=))[^;]*;?\\s*");

    @Override
    default boolean keepsOpen(String sql) {
        return KEEPS_OPEN.matcher(sql).matches();
    }

    /** {@inheritDoc} Sets the limit in whole seconds, rounded up. */
    @Override
    default void boundLockWaits(Connection connection, Duration atMost) throws SQLException {
        long seconds = Math.max(1, atMost.plusSeconds(1).minusNanos(1).toSeconds());
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET SESSION innodb_lock_wait_timeout = CAST(LEAST(@@innodb_lock_wait_timeout, " + seconds
                    + ") AS UNSIGNED)");
        }
    }

    /** {@inheritDoc} As a text, which since MariaDB 12.0.1 has more values than two. */
    @Override
    default Optional<String> onStandby() {
        return Optional.of("CONCAT(@@GLOBAL.read_only) NOT IN ('0', 'OFF')");
    }

    @Override
    default Optional<String> server() {
        return Optional.of("CAST(@@GLOBAL.server_id AS CHAR)");
    }

    @Override
    default LockWait ownLockWait(Duration atMost) {
        return lockWait(atMost);
    }

    @Override
    default List<String> preflight(Connection connection, PlacedTable table) throws SQLException {
        return InnoDbSettings.problems(connection, table);
    }
}
