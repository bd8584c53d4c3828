// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.h2;

import dev.seriatim.jdbc.dialect.CounterAdvance;
import dev.seriatim.jdbc.dialect.OneRow;
import dev.seriatim.store.Window;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.OptionalLong;

/** {@code SELECT … FROM FINAL TABLE (UPDATE …)}: the SQL standard's data change delta table, for H2. */
public record FinalTable() implements CounterAdvance {

    @Override
    public String sql(String table, String counter, String guard) {
        return "SELECT " + counter + " FROM FINAL TABLE (UPDATE " + table + " SET " + counter + " = " + counter
                + " + ? WHERE " + guard + ")";
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
