// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.mysql;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.jdbc.dialect.ClassifiedException;
import dev.seriatim.jdbc.dialect.Fault;
import dev.seriatim.jdbc.natives.DrawnValues;
import dev.seriatim.jdbc.natives.NativeDraw;
import dev.seriatim.jdbc.natives.NativeEngine;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The statement that draws from a native MariaDB sequence. */
final class MariaDbDraw {

    private MariaDbDraw() {}

    /** Draws values. */
    static DrawnValues draw(Connection connection, String name, long count) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet piece = statement.executeQuery(count == 1 ? one(name) : many(name, count))) {
            return longest(piece, name);
        }
    }

    private static String one(String name) {
        String quoted = MariaDbSequences.quoted(name);
        return "SELECT " + MariaDbSequences.COLUMNS + ", NEXT VALUE FOR " + quoted + ", 1 FROM " + quoted + " d";
    }

    // The limit keeps the inner query separate, so that each value is drawn once. Contiguous values have the same
    // distance from their row number: grouping by it finds them, in arithmetic that is exact at both ends of 64 bits.
    private static String many(String name, long count) {
        String quoted = MariaDbSequences.quoted(name);
        return "SET STATEMENT max_recursive_iterations = " + NativeDraw.MOST + " FOR SELECT " + MariaDbSequences.COLUMNS
                + ", IF(d.increment > 0, MIN(v), MAX(v)), COUNT(*) FROM (WITH RECURSIVE c (i) AS"
                + " (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < " + count + ") SELECT " + MariaDbSequences.COLUMNS
                + ", c.i, NEXT VALUE FOR " + quoted + " AS v FROM " + quoted + " d JOIN c ON c.i = 1 OR CASE"
                + " WHEN d.increment > 0 THEN CAST(d.maximum_value AS DECIMAL(40)) - d.next_not_cached_value"
                + " ELSE CAST(d.next_not_cached_value AS DECIMAL(40)) - d.minimum_value END"
                + " >= ABS(CAST(d.increment AS DECIMAL(40))) * " + (count - 1) + " LIMIT " + NativeDraw.MOST
                + ") d GROUP BY " + MariaDbSequences.COLUMNS
                + ", CAST(v AS DECIMAL(40)) - CAST(i AS DECIMAL(20)) * increment";
    }

    private static DrawnValues longest(ResultSet piece, String name) throws SQLException {
        DrawnValues longest = null;
        long total = 0;
        while (piece.next()) {
            SequenceDefinition definition = NativeEngine.told(piece, name);
            long first = piece.getLong(7);
            long count = piece.getLong(8);
            total += count;
            if (longest == null || count > longest.block().count()) {
                longest = new DrawnValues(definition, new Block(first, count, definition.increment()), total);
            }
        }
        if (longest == null) {
            throw new ClassifiedException(Fault.MISSING_TABLE, "no sequence " + name);
        }
        return new DrawnValues(longest.definition(), longest.block(), total);
    }
}
