// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.audit;

import dev.seriatim.SequenceException;
import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.SqlFailures;
import dev.seriatim.jdbc.sql.Transactions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads the highest or lowest value of an integer column. */
public record ColumnExtreme(TableColumn column, boolean highest) {

    /** Runs the query. */
    public OptionalLong look(Transactions transactions, Dialect dialect, String database) {
        return transactions.reading(SqlFailures.UNNAMED, connection -> read(connection, dialect), (fault, e) -> {
            Optional<SequenceException> about = column.explain(fault, database, e);
            if (about.isPresent()) {
                throw about.get();
            }
            throw e;
        });
    }

    private OptionalLong read(Connection connection, Dialect dialect) throws SQLException {
        String sql = dialect.upToDate("SELECT " + dialect.function(highest ? "MAX" : "MIN") + "("
                + dialect.quote(column.name().column()) + ") FROM "
                + column.name().tableInSql(dialect::quote));
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            Object value = row.next() ? row.getObject(1) : null;
            return value == null ? OptionalLong.empty() : OptionalLong.of(column.whole(value));
        }
    }
}
