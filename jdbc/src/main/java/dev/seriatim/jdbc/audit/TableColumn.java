// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.audit;

import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.dialect.Fault;
import dev.seriatim.jdbc.failure.SqlFailures;
import dev.seriatim.table.SequenceTable;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.Optional;

/** A column of one of the user's own tables, by names that were checked. */
public record TableColumn(String table, String column) {

    public TableColumn {
        SequenceTable.identifier("table", table);
        SequenceTable.identifier("column", column);
    }

    /** What a failed query of this column means, where that is about the column; says which one and what to do. */
    Optional<SequenceException> explain(Fault fault, String database, SQLException e) {
        String what = switch (fault) {
            case MISSING_TABLE -> database + " has no table '" + table + "'; name one that it has";
            case MISSING_COLUMN ->
                "table '" + table + "' of " + database + " has no column '" + column + "'; name one that it has";
            case WRONG_TYPE ->
                this + " cannot be compared or sorted here (" + SqlFailures.oneLine(e)
                        + "); name a column of whole numbers, and one of times";
            case DENIED ->
                "this user may not read table '" + table + "' of " + database + " (" + SqlFailures.oneLine(e)
                        + "); grant it SELECT on that";
            default -> "";
        };
        return what.isEmpty() ? Optional.empty() : Optional.of(new Misconfigured(what, e));
    }

    /**
     * A value of this column as a number.
     *
     * @throws Misconfigured when it is none of 64 bits
     */
    long whole(Object value) {
        if (value instanceof Long number) {
            return number;
        }
        if (value instanceof Number && !(value instanceof Double) && !(value instanceof Float)) {
            try {
                return new BigDecimal(value.toString()).longValueExact();
            } catch (ArithmeticException notWhole) {
                // told below, as any other wrong value
            }
        }
        throw new Misconfigured(
                this + " holds '" + value + "', not a 64-bit whole number; name a column of whole numbers");
    }

    @Override
    public String toString() {
        return "column '" + column + "' of table '" + table + "'";
    }
}
