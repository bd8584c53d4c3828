// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sqlserver;

import dev.seriatim.jdbc.sql.CounterAdvance;
import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.EngineFamily;
import dev.seriatim.jdbc.sql.Fault;
import dev.seriatim.jdbc.sql.LockWait;
import dev.seriatim.jdbc.sql.PlacedTable;
import dev.seriatim.jdbc.sql.Seal;
import dev.seriatim.jdbc.sql.Snapshot;
import dev.seriatim.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * SQL Server 2016 or later, and Azure SQL Database, over Microsoft's driver. Written to Microsoft's documentation (the
 * comments name the pages of the Transact-SQL reference) and to the driver's source; never run on a server.
 *
 * <p>The driver's transactions are implicit: after a statement has rolled one back, the next statement begins another.
 */
public record SqlServerDialect() implements Dialect, EngineFamily {

    /** Others that introduce themselves as SQL Server; 6 and 11 are Synapse ('SERVERPROPERTY'). */
    private static final String OTHER = """
            SELECT CASE WHEN SERVERPROPERTY('babelfish') IS NOT NULL THEN 'Babelfish'
              WHEN CONVERT(INT, SERVERPROPERTY('EngineEdition')) IN (6, 11) THEN 'Azure Synapse' END""";

    /** The driver's COMMIT would end only the innermost transaction. RAISERROR's number is 50000. */
    private static final String COMMIT = """
            IF @@TRANCOUNT > 1 RAISERROR('BEGIN TRANSACTION without COMMIT', 16, 1)
            ELSE IF @@TRANCOUNT = 1 COMMIT TRANSACTION""";

    /** Not by the identifier: Azure's DB_ID() may be another one ('DB_ID'). */
    private static final String LOSSY = """
            SELECT CASE name WHEN 'tempdb' THEN 'TEMPDB' ELSE delayed_durability_desc END
            FROM sys.databases WHERE name = DB_NAME()""";

    private static final String IN_MEMORY =
            "SELECT durability_desc FROM sys.tables WHERE is_memory_optimized = 1 AND object_id = OBJECT_ID(?)";

    /** Words of statements that set something or end a transaction; as names of columns, they only cost a check. */
    private static final Pattern SECOND = Pattern.compile("(?i)\\b(?:(?:commit|rollback|begin|save|exec|execute|use)\\b"
            + "|(?:into|table)\\s++#|set\\s++@?+\\w++\\s++(?![-+*/%&^|]?=))");

    @Override
    public String product() {
        return "SQL Server (written to its documentation; not run)";
    }

    @Override
    public String quote(String identifier) {
        return '[' + identifier + ']';
    }

    /** {@inheritDoc} Its length is in UTF-16 units. No collation distinguishes trailing blanks: such a name is refused. */
    @Override
    public String nameType() {
        return "NVARCHAR(128) COLLATE Latin1_General_100_BIN2";
    }

    @Override
    public String exact(String text) {
        return "CAST(CAST(" + text + " AS NVARCHAR(128)) AS VARBINARY(256))";
    }

    @Override
    public String literal(String text) {
        return "N" + Dialect.super.literal(text); // or the database's code page would lose characters
    }

    @Override
    public String createMissing(String table, String definition) {
        return "IF OBJECT_ID(" + literal(table) + ") IS NULL CREATE TABLE " + table + definition;
    }

    /** {@inheritDoc} Not HOLDLOCK, which would lock the next name's row as well if this one is missing. */
    @Override
    public String lockAndRead(String table, String nameColumn, String columns) {
        return "SELECT " + columns + " FROM " + table + " WITH (UPDLOCK, ROWLOCK) WHERE " + nameColumn + " = ?";
    }

    @Override
    public CounterAdvance advance() {
        return new Output();
    }

    @Override
    public Optional<CounterAdvance> advanceAlone() {
        return Optional.of(advance());
    }

    /** Returns the row before the statement has ended ('OUTPUT Clause'): it counts only once all of the answer is read. */
    private record Output() implements CounterAdvance {

        @Override
        public String sql(String table, String counter, String guard) {
            return "UPDATE " + table + " SET " + counter + " = " + counter + " + ? OUTPUT inserted." + counter
                    + " WHERE " + guard;
        }

        @Override
        public OptionalLong run(PreparedStatement statement) throws SQLException {
            OptionalLong after = CounterAdvance.super.run(statement);
            while (statement.getMoreResults() || statement.getUpdateCount() != -1) {} // throws what came after the row
            return after;
        }
    }

    @Override
    public Place find(Connection connection, String table, Optional<String> owner, Optional<String> schema)
            throws SQLException {
        String name = schema.map(in -> quote(in.replace("]", "]]")) + ".").orElse("") + quote(table);
        Optional<String> type =
                Sql.read(connection, "SELECT type_desc FROM sys.objects WHERE object_id = OBJECT_ID(?)", name);
        type.filter(any -> !any.equals("USER_TABLE")).ifPresent(other -> {
            throw PlacedTable.notTable(table, other);
        });
        String where = "SELECT COALESCE(OBJECT_SCHEMA_NAME(OBJECT_ID(?)), NULLIF(?, ''), SCHEMA_NAME())";
        return new Place(Sql.read(connection, where, name, schema.orElse("")), type.isPresent());
    }

    /** {@inheritDoc} 'Metadata visibility': a user sees only the tables on which it has a privilege. */
    @Override
    public boolean seesAll() {
        return false;
    }

    /** {@inheritDoc} Under ALLOWED, only commits that ask for it are delayed ('Control Transaction Durability'). */
    @Override
    public List<String> preflight(Connection connection, PlacedTable table) throws SQLException {
        List<String> problems = new ArrayList<>();
        String lossy = Sql.read(connection, LOSSY).orElse("");
        if (lossy.equals("FORCED")) {
            problems.add("""
                    DELAYED_DURABILITY is FORCED: a crash loses acknowledged commits; \
                    ALTER DATABASE CURRENT SET DELAYED_DURABILITY = DISABLED""");
        } else if (lossy.equals("TEMPDB")) {
            problems.add("a restart empties tempdb; name another database");
        }
        Sql.read(connection, IN_MEMORY, table.qualified())
                .ifPresent(durability -> problems.add("""
                table %s is memory-optimized (%s): it has no update locks, and a restart empties it if SCHEMA_ONLY; \
                create it on disk""".formatted(table.name(), durability)));
        return problems;
    }

    /** {@inheritDoc} Needs ALLOW_SNAPSHOT_ISOLATION; locks would block writers. */
    @Override
    public Snapshot snapshot(Connection connection) throws SQLException {
        int before = connection.getTransactionIsolation();
        connection.setTransactionIsolation(4096); // SQLServerConnection.TRANSACTION_SNAPSHOT
        return Snapshot.begin(connection, () -> connection.setTransactionIsolation(before));
    }

    @Override
    public void commit(Connection connection) throws SQLException {
        Sql.execute(connection, COMMIT);
    }

    /** {@inheritDoc} By the transaction's identifier: the driver releases no savepoint. */
    @Override
    public Seal seal(Connection transaction) throws SQLException {
        return Seal.name(transaction, "SELECT CASE @@TRANCOUNT WHEN 1 THEN CURRENT_TRANSACTION_ID() END");
    }

    @Override
    public boolean hidesStatement(String sql) {
        return SECOND.matcher(sql).find();
    }

    @Override
    public boolean boundsLockWaits() {
        return true;
    }

    /** {@inheritDoc} In the statement's batch, after which sp_executesql restores the session's limit ('SET Statements'). */
    @Override
    public LockWait lockWait(Duration atMost) {
        return new LockWait() {
            @Override
            public String bounded(String sql) {
                return limit(atMost) + "; " + sql;
            }
        };
    }

    @Override
    public LockWait ownLockWait(Duration atMost) {
        return lockWait(atMost);
    }

    @Override
    public void boundLockWaits(Connection connection, Duration atMost) throws SQLException {
        Sql.execute(connection, limit(atMost));
    }

    private static String limit(Duration atMost) {
        return """
                IF @@LOCK_TIMEOUT NOT BETWEEN 0 AND %1$d SET LOCK_TIMEOUT %1$d\
                """.formatted(Math.max(1, Math.min(Integer.MAX_VALUE, atMost.toMillis())));
    }

    @Override
    public Fault fault(SQLException e) {
        return switch (e.getErrorCode()) {
            // Deadlock victim, conflicts of snapshots, a table that another session has just created
            case 1205, 3960, 3961, 2714 -> Fault.CONFLICT;
            case 1222 -> Fault.TIMED_OUT;
            case 3930, 3998 -> Fault.SPOILED; // a doomed transaction: XACT_STATE() is -1
            case 2601, 2627 -> Fault.DUPLICATE;
            // NULL, a constraint, a trigger's rollback, RAISERROR, an enabled trigger
            case 515, 547, 3609, 50000, 334 -> Fault.VIOLATION;
            case 208 -> Fault.MISSING_TABLE;
            case 207 -> Fault.MISSING_COLUMN;
            case 206, 220, 245, 8114, 8115 -> Fault.WRONG_TYPE;
            case 229, 230, 262, 916, 4060, 18456 -> Fault.DENIED;
            case 3906 -> Fault.READ_ONLY;
            case 1105, 9002, 40544 -> Fault.FULL;
            // Broken connections, a killed session, a shutdown, Azure's failovers
            case 233, 596, 6005, 10053, 10054, 40197, 40501, 40613 -> Fault.LOST;
            default -> String.valueOf(e.getSQLState()).startsWith("08") ? Fault.LOST : Fault.OTHER;
        };
    }

    @Override
    public Optional<String> remedy(String database, String why, SQLException e) {
        return e.getErrorCode() == 334 ? Optional.of("""
                %s: UPDATE … OUTPUT fails beside an enabled trigger (%s); DISABLE TRIGGER ALL ON the table, or name \
                another one""".formatted(database, why)) : Optional.empty();
    }

    @Override
    public boolean introducedAs(String product) {
        return product.equals("microsoft sql server");
    }

    @Override
    public Dialect dialect(Connection connection) throws SQLException {
        Optional<String> other = Sql.read(connection, OTHER);
        if (other.isPresent()) {
            throw EngineFamily.unknown(other.get());
        }
        return this;
    }

    /** {@inheritDoc} A query without FROM begins no transaction ('SET IMPLICIT_TRANSACTIONS'). */
    @Override
    public boolean inTransaction(Connection connection) throws SQLException {
        return !Sql.read(connection, "SELECT @@TRANCOUNT").orElse("0").equals("0");
    }

    @Override
    public boolean begunInText(Connection connection) throws SQLException {
        return inTransaction(connection);
    }
}
