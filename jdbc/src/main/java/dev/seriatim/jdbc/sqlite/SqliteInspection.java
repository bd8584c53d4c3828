// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sqlite;

import dev.seriatim.jdbc.inspect.EngineInspection;
import dev.seriatim.jdbc.inspect.InspectionLimits;
import dev.seriatim.jdbc.inspect.Inventory;
import dev.seriatim.jdbc.inspect.NativeSequence;
import dev.seriatim.jdbc.inspect.NumberedColumn;
import dev.seriatim.jdbc.inspect.Remedy;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Inspects SQLite files: row numbers, with and without {@code AUTOINCREMENT}, and keys that only look like them. */
record SqliteInspection() implements EngineInspection {

    @Override
    public void begin(Connection connection, InspectionLimits limits) throws SQLException {
        connection.setAutoCommit(true);
        long millis = Math.max(1, Math.min(Integer.MAX_VALUE, limits.statement().toMillis()));
        execute(connection, "PRAGMA busy_timeout = " + millis);
        execute(connection, "PRAGMA query_only = ON");
    }

    /** {@inheritDoc} Reads in one transaction, so that numbers and counters are of the same moment. */
    @Override
    public Inventory read(Connection connection, InspectionLimits limits) throws SQLException {
        // Not setAutoCommit(false), which may begin a transaction that writes.
        execute(connection, "BEGIN DEFERRED");
        try {
            return new RowNumberReads(connection, limits).inventory();
        } finally {
            execute(connection, "ROLLBACK");
        }
    }

    @Override
    public Remedy raise(NativeSequence sequence, BigInteger held) {
        return none();
    }

    @Override
    public Remedy raise(NumberedColumn column, BigInteger held) {
        return raise(column.table().name(), held);
    }

    /** SQLite has one writer at a time, so nothing is generated between the comparison and the change. */
    static Remedy raise(String table, BigInteger held) {
        return Remedy.statement(
                "UPDATE sqlite_sequence SET seq = " + held + " WHERE name = " + text(table)
                        + " AND coalesce(CAST(seq AS INTEGER), 0) < " + held,
                Remedy.Kind.RAISES);
    }

    @Override
    public Remedy own(NativeSequence sequence, NumberedColumn by) {
        return none();
    }

    @Override
    public Remedy noCycle(NativeSequence sequence) {
        return none();
    }

    @Override
    public Remedy noCache(NativeSequence sequence) {
        return none();
    }

    @Override
    public Remedy widen(NumberedColumn column) {
        return new Remedy(
                "SQLite has no wider type than " + column.path()
                        + " has; copy the rows to a table that numbers them anew",
                Remedy.Kind.ADVICE);
    }

    @Override
    public boolean cachesReorder() {
        return false;
    }

    @Override
    public long usualCache() {
        return 1;
    }

    @Override
    public boolean sequencesHaveOwners() {
        return false;
    }

    /** Quotes any name. Not in double quotes: SQLite reads those as a string if the column does not exist. */
    static String quoted(String name) {
        return '`' + name.replace("`", "``") + '`';
    }

    static String text(String value) {
        return "'" + value.replace("'", "''") + "'";
    }

    private static Remedy none() {
        return new Remedy("SQLite has no sequences", Remedy.Kind.ADVICE);
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
