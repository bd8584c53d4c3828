// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.ReadContext;
import com.google.cloud.spanner.ResultSet;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.Statement;
import com.google.cloud.spanner.Type;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.store.ColumnName;
import dev.seriatim.store.SequenceTable;
import java.util.OptionalLong;

/** A column of a user's table, with valid names. Immutable and thread-safe. */
record SpannerColumn(ColumnName name) {

    SpannerColumn {
        // Spanner has no other names.
        name.schema().ifPresent(schema -> SequenceTable.identifier("schema", schema));
        SequenceTable.identifier("table", name.table());
        SequenceTable.identifier("column", name.column());
    }

    /** Returns the column for SQL. */
    String inSql() {
        return Ddl.quoted(name.column());
    }

    /** Returns its table for SQL. */
    String tableInSql() {
        return name.tableInSql(Ddl::quoted);
    }

    /** Returns the highest or the lowest number in the column; empty if it holds none. */
    OptionalLong extreme(ReadContext context, boolean highest, SpannerFailures failures) {
        try (ResultSet rows = select(context, (highest ? "MAX(" : "MIN(") + inSql() + ")", "")) {
            boolean any = rows.next() && !rows.isNull(0);
            requireWholeNumbers(rows.getColumnType(0));
            return any ? OptionalLong.of(rows.getLong(0)) : OptionalLong.empty();
        } catch (SpannerException e) {
            throw explained(e, failures);
        }
    }

    /**
     * Checks the column without reading rows.
     *
     * @throws Misconfigured if the column does not exist, or does not hold integers
     */
    void check(ReadContext context, SpannerFailures failures) {
        requireWholeNumbers(probe(context, failures));
    }

    /**
     * Returns the column's type without reading rows.
     *
     * @throws Misconfigured if the column does not exist
     */
    Type probe(ReadContext context, SpannerFailures failures) {
        try (ResultSet rows = select(context, inSql(), " WHERE FALSE")) {
            rows.next();
            return rows.getColumnType(0);
        } catch (SpannerException e) {
            throw explained(e, failures);
        }
    }

    private ResultSet select(ReadContext context, String what, String where) {
        return context.executeQuery(Statement.of("SELECT " + what + " FROM " + tableInSql() + where));
    }

    private void requireWholeNumbers(Type type) {
        if (!type.equals(Type.int64())) {
            throw new Misconfigured("column '" + name.column() + "' of table '" + name.qualifiedTable() + "' holds "
                    + type + ", not integers; name a column of type INT64");
        }
    }

    private SequenceException explained(SpannerException e, SpannerFailures failures) {
        if (SpannerFailures.isMissingTable(e)) {
            return new Misconfigured(
                    failures.database() + " has no table '" + name.qualifiedTable() + "'; check the name of the table",
                    e);
        }
        return SpannerFailures.said(e).contains("Unrecognized name")
                ? new Misconfigured(
                        "table '" + name.qualifiedTable() + "' of " + failures.database() + " has no column '"
                                + name.column() + "'; check the name of the column",
                        e)
                : failures.general(e);
    }
}
