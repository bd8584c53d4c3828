// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

import dev.seriatim.store.Window;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.OptionalLong;

/**
 * {@code UPDATE … RETURNING}, for engines that support it.
 *
 * @param returning the engine's spelling of the clause
 * @param plus the engine's name for addition
 * @param last what follows the guard in a session that others have used: a condition that always holds
 */
public record AdvanceReturning(String returning, String plus, String last) implements CounterAdvance {

    public AdvanceReturning() {
        this("RETURNING", "+");
    }

    public AdvanceReturning(String returning, String plus) {
        this(returning, plus, "");
    }

    @Override
    public CounterAdvance onOwnSession() {
        return new AdvanceReturning(returning, plus);
    }

    @Override
    public String sql(String table, String counter, String guard) {
        return "UPDATE " + table + " SET " + counter + " = " + counter + " " + plus + " ? WHERE " + guard + last + " "
                + returning + " " + counter;
    }

    @Override
    public boolean canTell(Window window) {
        return true;
    }

    @Override
    public PreparedStatement prepare(Connection connection, String sql) throws SQLException {
        return connection.prepareStatement(sql);
    }

    @Override
    public OptionalLong run(PreparedStatement statement) throws SQLException {
        try (ResultSet counter = statement.executeQuery()) {
            if (!counter.next()) {
                return OptionalLong.empty();
            }
            OptionalLong after = OptionalLong.of(counter.getLong(1));
            OneRow.check(counter.next() ? 2 : 1);
            return after;
        }
    }
}
