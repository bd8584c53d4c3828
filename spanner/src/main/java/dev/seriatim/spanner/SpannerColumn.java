// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.ReadContext;
import com.google.cloud.spanner.ResultSet;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.Statement;
import com.google.cloud.spanner.Type;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.table.SequenceTable;
import java.util.OptionalLong;

/** A column of one of the user's own tables, by names that were checked. Immutable and thread-safe. */
record SpannerColumn(String table, String column) {

    SpannerColumn {
        SequenceTable.identifier("table", table);
        SequenceTable.identifier("column", column);
    }

    /** The highest or the lowest of its whole numbers; empty when it holds none. */
    OptionalLong extreme(ReadContext context, boolean highest, SpannerFailures failures) {
        try (ResultSet rows = select(context, (highest ? "MAX(" : "MIN(") + Ddl.quoted(column) + ")", "")) {
            boolean any = rows.next() && !rows.isNull(0);
            requireWholeNumbers(rows.getColumnType(0));
            return any ? OptionalLong.of(rows.getLong(0)) : OptionalLong.empty();
        } catch (SpannerException e) {
            throw explained(e, failures);
        }
    }

    /**
     * Finds nothing.
     *
     * @throws Misconfigured when there is no such column, or it does not hold whole numbers
     */
    void check(ReadContext context, SpannerFailures failures) {
        requireWholeNumbers(probe(context, failures));
    }

    /**
     * Finds nothing, and tells what the column holds.
     *
     * @throws Misconfigured when there is no such column
     */
    Type probe(ReadContext context, SpannerFailures failures) {
        try (ResultSet rows = select(context, Ddl.quoted(column), " WHERE FALSE")) {
            rows.next();
            return rows.getColumnType(0);
        } catch (SpannerException e) {
            throw explained(e, failures);
        }
    }

    private ResultSet select(ReadContext context, String what, String where) {
        return context.executeQuery(Statement.of("SELECT " + what + " FROM " + Ddl.quoted(table) + where));
    }

    private void requireWholeNumbers(Type type) {
        if (!type.equals(Type.int64())) {
            throw new Misconfigured("column '" + column + "' of table '" + table + "' holds " + type
                    + ", not whole numbers; name one of type INT64");
        }
    }

    private SequenceException explained(SpannerException e, SpannerFailures failures) {
        if (SpannerFailures.isMissingTable(e)) {
            return new Misconfigured(failures.database() + " has no table '" + table + "'; name one that it has", e);
        }
        return SpannerFailures.said(e).contains("Unrecognized name")
                ? new Misconfigured(
                        "table '" + table + "' of " + failures.database() + " has no column '" + column
                                + "'; name one that it has",
                        e)
                : failures.general(e);
    }
}
