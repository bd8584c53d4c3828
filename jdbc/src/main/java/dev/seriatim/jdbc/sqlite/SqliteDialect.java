// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sqlite;

import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.jdbc.sql.CounterAdvance;
import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.EngineFamily;
import dev.seriatim.jdbc.sql.Fault;
import dev.seriatim.jdbc.sql.Grant;
import dev.seriatim.jdbc.sql.LockWait;
import dev.seriatim.jdbc.sql.PlacedTable;
import dev.seriatim.jdbc.sql.Snapshot;
import dev.seriatim.jdbc.sql.Sql;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** SQLite 3.35 or later. */
public record SqliteDialect() implements Dialect, EngineFamily {

    public static final String SCHEMA = "main";

    /** Views have no pages of their own, nor have virtual tables. */
    private static final String NOT_A_TABLE =
            "SELECT CASE type WHEN 'table' THEN 'virtual table' ELSE type END FROM main.sqlite_master"
                    + " WHERE name = ? COLLATE NOCASE AND rootpage = 0 AND type IN ('table', 'view')";

    private static final String FULL = "2";
    private static final int BUSY = 5;
    private static final int LOCKED = 6;

    @Override
    public String product() {
        return "SQLite";
    }

    @Override
    public boolean hasOneWriter() {
        return true;
    }

    @Override
    public Optional<String> onStandby() {
        return Optional.of("0");
    }

    @Override
    public boolean hasTypedColumns() {
        return false;
    }

    @Override
    public String nameType() {
        return "TEXT";
    }

    @Override
    public String exact(String text) {
        return text + " COLLATE BINARY";
    }

    @Override
    public String numberType() {
        return "INTEGER";
    }

    @Override
    public List<Grant> grants(String table) {
        return List.of(
                Grant.note("SQLite has no users: whoever can read and write the file and its folder can draw numbers"));
    }

    @Override
    public String lockAndRead(String table, String nameColumn, String columns) {
        // A write comes first, so that the lock is held before anything is read.
        return "UPDATE " + table + " SET " + nameColumn + " = " + nameColumn + " WHERE " + nameColumn
                + " = ? RETURNING " + columns;
    }

    @Override
    public boolean boundsLockWaits() {
        return true;
    }

    @Override
    public LockWait lockWait(Duration atMost) {
        return LockWait.byQueryTimeout(atMost);
    }

    @Override
    public Optional<CounterAdvance> advanceAlone() {
        // The driver commits when the statement is closed, and does not report a failure of that.
        return Optional.empty();
    }

    @Override
    public void begin(Connection connection) throws SQLException {
        try {
            connection.setAutoCommit(false);
        } catch (SQLException e) {
            // The driver has left auto-commit mode although BEGIN failed.
            try {
                connection.setAutoCommit(true);
            } catch (SQLException nothingToCommit) {
                e.addSuppressed(nothingToCommit);
            }
            throw e;
        }
    }

    @Override
    public void commit(Connection connection) throws SQLException {
        try {
            // Not commit(): the driver would BEGIN immediately, and a failure of that would look like one of the
            // COMMIT.
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            undo(connection, e);
            throw e;
        }
    }

    /** Detects an ON CONFLICT ROLLBACK, RAISE(ROLLBACK) or COMMIT in SQL text, which the driver does not notice. */
    @Override
    public boolean restartIfEnded(Connection connection) {
        try {
            if (connection.getAutoCommit()) { // set beneath the lent connection: what follows must be rolled back too
                connection.setAutoCommit(false);
                return true;
            }
        } catch (SQLException closed) {
            return false;
        }
        try {
            Sql.execute(connection, "BEGIN");
            return true;
        } catch (SQLException inTransaction) {
            return false;
        }
    }

    @Override
    public void makeDurable(Connection connection) throws SQLException {
        pragma(connection, "PRAGMA synchronous = FULL");
    }

    @Override
    public String whyNoPool() {
        return "only one transaction at a time writes to an SQLite file, so nothing can run in parallel";
    }

    @Override
    public List<String> preflight(Connection connection, PlacedTable table) throws SQLException {
        makeDurable(connection);
        String journal = pragma(connection, "PRAGMA journal_mode = WAL");
        // An in-memory database cannot choose a journal and guarantees nothing.
        if (!journal.equals("wal") && !journal.equals("memory")) {
            return List.of("""
                    journal_mode is still '%s': commits are slow and writers block readers; put the file on a local \
                    disk, or set journal_mode=WAL""".formatted(journal));
        }
        String synchronous = pragma(connection, "PRAGMA synchronous");
        return synchronous.equals(FULL)
                ? List.of()
                : List.of("synchronous is still " + synchronous + ": a power cut loses commits; set synchronous=FULL");
    }

    @Override
    public Snapshot snapshot(Connection connection) throws SQLException {
        // By default, the driver would begin a transaction that writes.
        Sql.execute(connection, "BEGIN DEFERRED");
        return () -> Sql.execute(connection, "ROLLBACK");
    }

    /** {@inheritDoc} An attached database could have a table of this name, too, and each connection a temporary one. */
    @Override
    public Place find(Connection connection, String table, Optional<String> owner, Optional<String> schema)
            throws SQLException {
        Optional<String> other = Sql.read(connection, NOT_A_TABLE, table);
        if (other.isPresent()) {
            throw PlacedTable.notTable(table, other.get());
        }
        return new Place(Optional.of(SCHEMA), true);
    }

    @Override
    public Fault fault(SQLException e) {
        return switch (e.getErrorCode()) {
            case 1 -> missing(e);
            case BUSY, 6 -> Fault.CONFLICT; // LOCKED
            case 8 -> Fault.READ_ONLY;
            case 11, 26 -> Fault.NOT_A_DATABASE; // CORRUPT, NOTADB
            case 13 -> Fault.FULL;
            case 19 -> // CONSTRAINT
                says(e, "UNIQUE") || says(e, "PRIMARYKEY") ? Fault.DUPLICATE : Fault.VIOLATION;
            default -> Fault.OTHER;
        };
    }

    @Override
    public Optional<String> remedy(String database, String why, SQLException e) {
        return SqliteFaults.closed(e) ? Optional.of(SqliteFaults.described(database, why, e)) : Optional.empty();
    }

    @Override
    public boolean lockHeld(SQLException e) {
        // A snapshot older than the last commit fails immediately.
        return e.getErrorCode() == BUSY && !says(e, "SQLITE_BUSY_SNAPSHOT");
    }

    @Override
    public Duration longestPause() {
        // The lock is free only between two commits of another process: poll often.
        return Duration.ofMillis(2);
    }

    private static Fault missing(SQLException e) {
        if (says(e, "no such table")) {
            return Fault.MISSING_TABLE;
        }
        return says(e, "no such column") || says(e, "has no column") ? Fault.MISSING_COLUMN : Fault.OTHER;
    }

    private static boolean says(SQLException e, String words) {
        return String.valueOf(e.getMessage()).contains(words);
    }

    private static void undo(Connection connection, SQLException e) {
        try {
            Sql.execute(connection, "ROLLBACK");
        } catch (SQLException notUndone) {
            e.addSuppressed(notUndone);
            try {
                connection.close();
            } catch (SQLException notClosed) {
                e.addSuppressed(notClosed);
            }
        }
    }

    private static String pragma(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            if (!statement.execute(sql)) {
                return "";
            }
            try (ResultSet row = statement.getResultSet()) {
                return row.next() ? row.getString(1) : "";
            }
        }
    }

    @Override
    public boolean introducedAs(String product) {
        return product.equals("sqlite");
    }

    @Override
    public Dialect dialect(Connection connection) {
        return this;
    }

    @Override
    public Optional<SequenceException> fileFailure(String database, String why, SQLException e) {
        if (!SqliteFaults.is(e)) {
            return Optional.empty();
        }
        String what = SqliteFaults.described(database, why, e);
        return Optional.of(SqliteFaults.isTransient(e) ? new Unavailable(what, e) : new Misconfigured(what, e));
    }

    /** {@inheritDoc} A transaction that has read or written refuses a checkpoint. */
    @Override
    public boolean inTransaction(Connection connection) throws SQLException {
        return Sql.isRefused(connection, "PRAGMA wal_checkpoint(NOOP)", e -> e.getErrorCode() == LOCKED);
    }

    /** {@inheritDoc} A transaction refuses a change of this pragma, even to the value that it has. */
    @Override
    public boolean begunInText(Connection connection) throws SQLException {
        return Sql.isRefused(connection, "PRAGMA synchronous = FULL", e -> says(e, "inside a transaction"));
    }

    @Override
    public Map<String, String> existing(String driverUrl, boolean readOnly) {
        if (!driverUrl.startsWith(SqliteFaults.JDBC)) {
            return Map.of();
        }
        String place = driverUrl.split("\\?", 2)[0];
        Optional<Path> file =
                SqliteFaults.file(place).filter(path -> !path.toString().isEmpty());
        if (file.isPresent() && !Files.exists(file.get())) {
            throw new Misconfigured("there is no such file: " + place + "; correct its name");
        }
        return Map.of("open_mode", Integer.toString(readOnly ? SqliteFile.READ_ONLY : SqliteFile.READ_WRITE));
    }
}
