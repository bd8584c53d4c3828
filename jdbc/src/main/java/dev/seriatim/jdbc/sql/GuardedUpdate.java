// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import dev.seriatim.store.Window;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * The fast path's statement: adds to a counter if it is inside a window and the rest of the row is unchanged. A plain
 * row has only its counter, so there the stored name must also be the identical text, whatever the column's type.
 */
record GuardedUpdate(CounterAdvance advance, String sql, boolean plain) {

    static GuardedUpdate by(CounterAdvance advance, CounterRows rows) {
        Dialect dialect = rows.place().dialect();
        List<String> columns = rows.layout().columns();
        String counter = dialect.quote(columns.get(0));
        String equal = " " + dialect.operator("=") + " ";
        String unchanged = columns.stream()
                .skip(1)
                .map(column -> " AND " + dialect.quote(column) + equal + "?")
                .collect(Collectors.joining());
        String name = dialect.quote(rows.table().nameColumn());
        boolean plain = !rows.layout().holdsDefinition();
        String same = plain ? " AND " + dialect.exact(name) + equal + dialect.exact("?") : "";
        String guard = name + equal + "? AND " + counter + " " + dialect.operator(">=") + " ? AND " + counter + " "
                + dialect.operator("<=") + " ?" + unchanged + same;
        return new GuardedUpdate(advance, advance.sql(rows.place().qualified(), counter, guard), plain);
    }

    /**
     * Runs the statement.
     *
     * @param row the row as last seen, beginning with the counter, which is ignored
     * @param wait limits the wait for a lock
     * @return the new counter; empty if the guard held for no row
     */
    OptionalLong run(Connection connection, String name, Window window, long[] row, LockWait wait) throws SQLException {
        try (PreparedStatement statement = advance.prepare(connection, wait.bounded(sql))) {
            wait.bound(statement);
            statement.setLong(1, window.delta());
            statement.setString(2, name);
            statement.setLong(3, window.low());
            statement.setLong(4, window.high());
            for (int i = 1; i < row.length; i++) {
                statement.setLong(4 + i, row[i]);
            }
            if (plain) {
                statement.setString(4 + row.length, name);
            }
            return advance.run(statement);
        }
    }
}
