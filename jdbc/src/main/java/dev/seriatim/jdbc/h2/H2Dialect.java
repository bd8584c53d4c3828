// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.h2;

import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.sql.CounterAdvance;
import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.DriverUrl;
import dev.seriatim.jdbc.sql.EngineFamily;
import dev.seriatim.jdbc.sql.Fault;
import dev.seriatim.jdbc.sql.Grant;
import dev.seriatim.jdbc.sql.PlacedTable;
import dev.seriatim.jdbc.sql.Seal;
import dev.seriatim.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * H2 from 2.0 up to, but not including, 2.5. With a write delay of 0, commits survive a crash of the process, but not
 * a power failure. In files, a rollback can undo what other transactions have committed.
 */
public record H2Dialect() implements Dialect, EngineFamily {

    private static final int READ_ONLY = 90097;

    private static final String WRITE_DELAY =
            "SELECT SETTING_VALUE FROM INFORMATION_SCHEMA.SETTINGS WHERE SETTING_NAME = 'WRITE_DELAY'";

    /** Unlike {@code INFORMATION_SCHEMA.SESSIONS}, unaffected by other sessions that end meanwhile. */
    private static final String CHANGED = "SELECT TRANSACTION_ID() IS NOT NULL";

    private static final String NOT_A_TABLE = "SELECT TABLE_TYPE FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_SCHEMA = ?"
            + " AND TABLE_NAME = ? AND TABLE_TYPE <> 'BASE TABLE'";

    private static final String LOOKED_AT = "@SERIATIM_LOOKED_AT_WRITE_DELAY";

    @Override
    public String product() {
        return "H2";
    }

    @Override
    public String quote(String identifier) {
        return '"' + identifier + '"';
    }

    @Override
    public String nameType() {
        // Not CHARACTER VARYING, which SET IGNORECASE changes to another type. Its length is in UTF-16 units.
        return "VARCHAR_CASESENSITIVE(128)";
    }

    @Override
    public String exact(String text) {
        return "CAST(" + text + " AS VARBINARY)";
    }

    @Override
    public List<Grant> grants(String table) {
        List<Grant> grants = new ArrayList<>(Dialect.super.grants(table));
        grants.add(Grant.of(
                "to have commits written at once, each time the database is opened",
                "ALTER USER " + Grant.USER + " ADMIN TRUE"));
        return grants;
    }

    @Override
    public CounterAdvance advance() {
        // The SQL standard's data change delta table
        return (table, counter, guard) -> "SELECT " + counter + " FROM FINAL TABLE (UPDATE " + table + " SET " + counter
                + " = " + counter + " + ? WHERE " + guard + ")";
    }

    @Override
    public Optional<CounterAdvance> advanceAlone() {
        return Optional.of(advance());
    }

    @Override
    public void checkNotOverlooked(Connection connection) throws SQLException {
        if (connection.getTransactionIsolation() == Connection.TRANSACTION_READ_UNCOMMITTED) {
            throw new Misconfigured("""
                    at READ UNCOMMITTED, H2 does not find a row while another session changes it, so the sequence may \
                    exist although none was found; use connections at READ COMMITTED or above""");
        }
    }

    @Override
    public void endUnchanged(Connection connection) throws SQLException {
        // To H2, a lock is a changed row. In a file, its rollback could overwrite what others have committed.
        connection.commit();
    }

    @Override
    public void makeDurable(Connection connection) throws SQLException {
        // The setting reverts when the last connection closes, so each connection is checked once. The preflight has
        // reported users who may not set it.
        if (Sql.read(connection, "SELECT " + LOOKED_AT).isEmpty() && writesAtOnce(connection)) {
            Sql.execute(connection, "SET " + LOOKED_AT + " = TRUE");
        }
    }

    @Override
    public Optional<String> onStandby() {
        return Optional.of("0");
    }

    @Override
    public Seal seal(Connection transaction) throws SQLException {
        // Releasing a missing savepoint raises no error.
        return Seal.name(transaction, "SELECT TRANSACTION_ID()");
    }

    @Override
    public List<String> preflight(Connection connection, PlacedTable table) throws SQLException {
        List<String> problems = new ArrayList<>();
        if (!writesAtOnce(connection)) {
            problems.add("WRITE_DELAY is " + delay(connection)
                    + ": a crash of the process loses acknowledged commits; have an administrator SET WRITE_DELAY 0 and stay"
                    + " connected, or make this user an administrator (ALTER USER … ADMIN TRUE)");
        }
        String version = connection.getMetaData().getDatabaseProductVersion();
        if (loses(version)) {
            problems.add(
                    "H2 " + version
                            + " loses acknowledged commits, and parts of others, when the process crashes, regardless of its settings; use 2.4.240");
        }
        return problems;
    }

    @Override
    public List<String> rollbackProblems(Connection connection) throws SQLException {
        // A rollback restores an old row, and restores it again if another commit is written to the file at that
        // moment; the row is unlocked in between. A database in memory is never written.
        return Sql.read(connection, "SELECT DATABASE_PATH()").isEmpty() ? List.of() : List.of("""
                        in an H2 database file, a rollback can undo what other transactions have committed, so SYNC \
                        and GROUPED would repeat numbers; use a mode that draws in its own transactions, such as \
                        COMBINED, an in-memory database, or another engine""");
    }

    /** {@inheritDoc} A user who may not read the table does not see it, so none counts as missing. */
    @Override
    public Place find(Connection connection, String table, Optional<String> owner, Optional<String> schema)
            throws SQLException {
        String name = schema.isPresent()
                ? schema.get()
                : Sql.read(connection, "SELECT SCHEMA()").orElseThrow();
        Optional<String> other = Sql.read(connection, NOT_A_TABLE, name, table);
        if (other.isPresent()) {
            throw PlacedTable.notTable(table, other.get());
        }
        return new Place(Optional.of(name), true);
    }

    @Override
    public Fault fault(SQLException e) {
        return switch (e.getErrorCode()) {
            case 40001, 90131, 90143 -> Fault.CONFLICT; // deadlock, concurrent update
            case 50200, 57014 -> Fault.TIMED_OUT; // lock timeout, statement timeout
            case 23505 -> Fault.DUPLICATE;
            case 42102, 42103, 42104, 90079, 90013 -> Fault.MISSING_TABLE;
            case 42122 -> Fault.MISSING_COLUMN;
            case 22003, 22004, 22018, 90004 -> Fault.WRONG_TYPE;
            case 90096, 90040 -> Fault.DENIED;
            case READ_ONLY -> Fault.READ_ONLY;
            case 90067, 90098, 90121, 90007 -> Fault.LOST;
            default -> Fault.OTHER;
        };
    }

    @Override
    public Optional<String> remedy(String database, String why, SQLException e) {
        return e.getErrorCode() == READ_ONLY
                ? Optional.of(database + " is read-only (" + why
                        + "); open it without ACCESS_MODE_DATA=r, and allow this user to write to its file")
                : Optional.empty();
    }

    /** Returns whether this version is known to lose commits despite a write delay of 0. */
    public static boolean loses(String version) {
        return version.startsWith("2.5.");
    }

    /** Returns whether a commit is written before it is acknowledged; configures it if this user may. */
    private boolean writesAtOnce(Connection connection) throws SQLException {
        return delay(connection).equals("0")
                || !Sql.isRefused(connection, "SET WRITE_DELAY 0", e -> fault(e) == Fault.DENIED);
    }

    /** Returns the delay in effect, which is the last row: H2 ignores earlier ones. */
    private static String delay(Connection connection) throws SQLException {
        List<String> delays = Sql.all(connection, WRITE_DELAY);
        return delays.isEmpty() ? "0" : delays.get(delays.size() - 1);
    }

    @Override
    public boolean introducedAs(String product) {
        return product.equals("h2");
    }

    @Override
    public Dialect dialect(Connection connection) {
        return this;
    }

    @Override
    public Optional<SequenceException> fileFailure(String database, String why, SQLException e) {
        return switch (String.valueOf(e.getSQLState())) {
            case "90020" -> Optional.of(new Misconfigured("""
                        %s is open in another process (%s); add ;AUTO_SERVER=TRUE to the URL in every process, or \
                        use H2's server""".formatted(database, why), e));
            // A file that cannot be created, opened, read or written
            case "90024", "90025", "90028", "90029", "90031", "90034", "90062" ->
                Optional.of(new Misconfigured("""
                        %s cannot open its file (%s); name one in an existing folder to which this user can \
                        write""".formatted(database, why), e));
            default -> Optional.empty();
        };
    }

    /** {@inheritDoc} At the default level, a transaction that has only read holds nothing; at a higher one, H2 does not report it. */
    @Override
    public boolean inTransaction(Connection connection) throws SQLException {
        if (connection.getTransactionIsolation() > Connection.TRANSACTION_READ_COMMITTED) {
            throw new Misconfigured("""
                    the data source returned a connection without auto-commit at an isolation level above READ \
                    COMMITTED, where H2 does not report whether the caller's transaction is open, which Seriatim must \
                    not end; configure the data source for auto-commit mode or READ COMMITTED""");
        }
        return Sql.read(connection, CHANGED).orElse("FALSE").equalsIgnoreCase("TRUE");
    }

    @Override
    public Map<String, String> existing(String driverUrl, boolean readOnly) {
        boolean ours = driverUrl.startsWith("jdbc:h2:") && !new DriverUrl(driverUrl).isPrivate();
        // The driver refuses an option that is given twice.
        return ours && !driverUrl.toUpperCase(Locale.ROOT).contains(";IFEXISTS=")
                ? Map.of("IFEXISTS", "TRUE")
                : Map.of();
    }
}
