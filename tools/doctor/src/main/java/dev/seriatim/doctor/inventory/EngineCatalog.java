// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** Reads one engine's catalog. Implementations are immutable and thread-safe. */
interface EngineCatalog {

    /**
     * What generates numbers.
     *
     * @param tables the names of tables in the schemas of sequences; empty if every sequence counts in steps of 1
     * @param findings what the engine's own rules found
     */
    record Generators(
            String product,
            List<NumberedColumn> columns,
            List<NativeSequence> sequences,
            Set<ObjectName> tables,
            List<InspectionFinding> findings) {}

    /**
     * A column that was asked for by its name, and exists.
     *
     * @param asked the name that was asked for, perhaps without a schema
     * @param column its name in the database
     */
    record Extent(ColumnPath asked, ColumnPath column, Extremes extremes) {}

    /**
     * Prepares a connection, or its next transaction: read-only, with a limit on each statement's time and on waits for locks. It
     * may be called again after that transaction has ended. Leaves nothing on the server's session that outlives the connection.
     */
    void begin(Connection connection, InspectionLimits limits) throws SQLException;

    /** Reads what generates numbers, without the sequences of this library. */
    Generators read(Connection connection, InspectionLimits limits, Skips skips) throws SQLException;

    /**
     * Looks up columns of numbers by their names, and reads their ends. The database resolves names without a schema. A column that
     * exists but cannot be read is returned, and added to {@code skips}.
     */
    List<Extent> extents(Connection connection, InspectionLimits limits, List<ColumnPath> candidates, Skips skips)
            throws SQLException;

    /** Returns what is wrong with the table of this library's sequences; it may be missing. */
    default List<InspectionFinding> ownTable(Connection connection, String table) throws SQLException {
        return List.of();
    }

    /** Returns the statements that mend what is wrong. */
    Remedies remedies();
}
