// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.inspect;

import java.math.BigInteger;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** Inspects one engine's databases, with reads only. Implementations are immutable and thread-safe. */
public interface EngineInspection {

    /**
     * Prepares a connection, or its next transaction: read-only, with a limit on each statement's time and on waits for locks. It
     * may be called again after that transaction has ended. Leaves nothing on the server's session that outlives the connection.
     */
    void begin(Connection connection, InspectionLimits limits) throws SQLException;

    /** Reads what generates numbers, without the sequences of this library. */
    Inventory read(Connection connection, InspectionLimits limits) throws SQLException;

    /**
     * Looks for columns of numbers by their names, and reads how far they have come. Those without a schema are looked up as the
     * database does. What is there but cannot be read is found, and added to {@code skips}.
     */
    default List<ColumnExtent> extents(
            Connection connection, InspectionLimits limits, List<ColumnPath> candidates, Skips skips)
            throws SQLException {
        return new ColumnLookup(connection, limits, skips).extents(candidates);
    }

    /** Returns which of these tables are there, as far as this user may see. */
    default Set<ObjectName> present(Connection connection, Set<ObjectName> tables) throws SQLException {
        return TableLookups.present(connection, tables);
    }

    /** Returns what is wrong with the table of this library's sequences; it may be missing. */
    default List<InspectionFinding> ownTable(Connection connection, String table) throws SQLException {
        return List.of();
    }

    /**
     * Returns the statement that raises a native sequence so that it next deals the value after {@code held}. Beside draws, it
     * never moves the sequence back.
     */
    Remedy raise(NativeSequence sequence, BigInteger held);

    /** Returns the statement that raises what generates a column's numbers, if there is no native sequence. */
    Remedy raise(NumberedColumn column, BigInteger held);

    /** Returns the statement that makes a sequence belong to the column that draws from it. */
    Remedy own(NativeSequence sequence, NumberedColumn by);

    /** Returns the statement that ends cycling. */
    Remedy noCycle(NativeSequence sequence);

    /** Returns the statement that sets the cache to the smallest size. */
    Remedy noCache(NativeSequence sequence);

    /** Returns the statement that widens a column's type, or advice where it cannot be widened. */
    Remedy widen(NumberedColumn column);

    /** Returns whether sessions, or nodes, deal from a cache each, so that later draws may be lower. */
    boolean cachesReorder();

    /** Returns the cache of a sequence that was defined without one. */
    long usualCache();

    /**
     * Returns whether a sequence can belong to a column, so that it is dropped with it. Where none can, a column that draws from a
     * sequence of nobody's is nothing to report.
     */
    default boolean sequencesHaveOwners() {
        return true;
    }
}
