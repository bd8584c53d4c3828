// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.ResultSet;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.Statement;
import com.google.cloud.spanner.Type;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.table.SequenceTable;
import java.util.OptionalLong;

/** How far a column of one of the user's own tables has come. Immutable and thread-safe. */
record ColumnEnd(String table, String column, boolean highest) {

    ColumnEnd {
        SequenceTable.identifier("table", table);
        SequenceTable.identifier("column", column);
    }

    /** Looks it up. */
    OptionalLong look(Place place, Failures failures) {
        Statement query = Statement.of(
                "SELECT " + (highest ? "MAX" : "MIN") + "(" + Ddl.quoted(column) + ") FROM " + Ddl.quoted(table));
        try (var context = place.client().singleUse();
                ResultSet rows = context.executeQuery(query)) {
            if (!rows.next() || rows.isNull(0)) {
                return OptionalLong.empty();
            }
            if (!rows.getColumnType(0).equals(Type.int64())) {
                throw new Misconfigured("column '" + column + "' of table '" + table + "' holds "
                        + rows.getColumnType(0) + ", not whole numbers; name one of type INT64");
            }
            return OptionalLong.of(rows.getLong(0));
        } catch (SpannerException e) {
            throw explained(e, failures);
        }
    }

    private SequenceException explained(SpannerException e, Failures failures) {
        if (Failures.isMissingTable(e)) {
            return new Misconfigured(failures.database() + " has no table '" + table + "'; name one that it has", e);
        }
        return Failures.said(e).contains("Unrecognized name")
                ? new Misconfigured(
                        "table '" + table + "' of " + failures.database() + " has no column '" + column
                                + "'; name one that it has",
                        e)
                : failures.general(e);
    }
}
