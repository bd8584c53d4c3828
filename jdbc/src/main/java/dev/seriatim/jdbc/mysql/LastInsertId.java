// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.mysql;

import dev.seriatim.jdbc.sql.CounterAdvance;
import dev.seriatim.store.Window;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.OptionalLong;

/**
 * {@code UPDATE … SET counter = LAST_INSERT_ID(counter + ?)}: MySQL's own idiom for sequences. The server remembers
 * the number per connection and returns it with the answer to the update, where drivers read it as a generated key.
 *
 * <p>The number is unsigned, 0 counts as none, and it does not change if no row was updated: so this supports only
 * counters above 0, and only after checking the row count.
 *
 * @param before the beginning of the statement
 */
public record LastInsertId(String before) implements CounterAdvance {

    public LastInsertId() {
        this("");
    }

    /** On MariaDB: restores the key of the caller's last insert. */
    static final String PUT_BACK = "last_insert_id = LAST_INSERT_ID()";

    @Override
    public String sql(String table, String counter, String guard) {
        return before + "UPDATE " + table + " SET " + counter + " = LAST_INSERT_ID(" + counter + " + ?) WHERE " + guard;
    }

    @Override
    public boolean canTell(Window window) {
        // The new counter is at least low + delta, which cannot overflow: that was checked when it was computed.
        return window.low() + window.delta() > 0;
    }

    @Override
    public PreparedStatement prepare(Connection connection, String sql) throws SQLException {
        return connection.prepareStatement(sql, Statement.RETURN_GENERATED_KEYS);
    }

    @Override
    public OptionalLong run(PreparedStatement statement) throws SQLException {
        int rows = statement.executeUpdate();
        if (rows == 0) {
            return OptionalLong.empty();
        }
        CounterAdvance.checkOneRow(rows);
        try (ResultSet keys = statement.getGeneratedKeys()) {
            if (!keys.next()) {
                throw new SQLException("the driver does not return the key of LAST_INSERT_ID(expr)");
            }
            return OptionalLong.of(keys.getLong(1));
        }
    }
}
