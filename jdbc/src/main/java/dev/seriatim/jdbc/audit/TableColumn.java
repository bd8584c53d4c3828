// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.audit;

import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.sql.Fault;
import dev.seriatim.jdbc.sql.SqlFailures;
import dev.seriatim.store.ColumnName;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.Optional;

/** A column of a user's table. */
public record TableColumn(ColumnName name) {

    /**
     * Returns what a failed query of this column means if the failure concerns the column; names the column and the
     * remedy.
     */
    Optional<SequenceException> explain(Fault fault, String database, SQLException e) {
        String what = switch (fault) {
            case MISSING_TABLE -> database + " has no table '" + table() + "'; name one that it has";
            case MISSING_COLUMN ->
                "table '" + table() + "' of " + database + " has no column '" + name.column()
                        + "'; name one that it has";
            case WRONG_TYPE -> """
                %s cannot be compared or sorted here (%s); name a column of integers, \
                and one of times""".formatted(this, SqlFailures.oneLine(e));
            case DENIED ->
                "this user may not read table '" + table() + "' of " + database + " (" + SqlFailures.oneLine(e)
                        + "); grant it SELECT on that"
                        + (name.schema().isPresent() ? ", and on PostgreSQL USAGE on the schema" : "");
            default -> "";
        };
        return what.isEmpty() ? Optional.empty() : Optional.of(new Misconfigured(what, e));
    }

    /**
     * Returns a value of this column as a number.
     *
     * @throws Misconfigured if it is not a 64-bit integer
     */
    long whole(Object value) {
        if (value instanceof Long number) {
            return number;
        }
        if (value instanceof Number && !(value instanceof Double) && !(value instanceof Float)) {
            try {
                return new BigDecimal(value.toString()).longValueExact();
            } catch (ArithmeticException notWhole) {
                // reported below like any other invalid value
            }
        }
        throw new Misconfigured(this + " holds '" + value + "', not a 64-bit integer; name a column of integers");
    }

    @Override
    public String toString() {
        return "column '" + name.column() + "' of table '" + table() + "'";
    }

    private String table() {
        return name.qualifiedTable();
    }
}
