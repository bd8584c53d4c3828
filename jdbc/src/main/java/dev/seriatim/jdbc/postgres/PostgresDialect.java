// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.postgres;

import dev.seriatim.jdbc.sql.CounterAdvance;
import dev.seriatim.jdbc.sql.LockWait;
import dev.seriatim.jdbc.sql.NativeEngine;
import dev.seriatim.jdbc.sql.PlacedTable;
import dev.seriatim.jdbc.sql.PoolClaim;
import dev.seriatim.jdbc.sql.Snapshot;
import dev.seriatim.jdbc.sql.Sql;
import dev.seriatim.jdbc.sql.SqlFunctions;
import dev.seriatim.store.SequenceTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * PostgreSQL 11 or later.
 *
 * @param pooled whether a pooler stands between, which may lend another session to each transaction
 */
public record PostgresDialect(boolean pooled) implements PostgresFamily, NativeEngine.Support {

    private static final System.Logger LOG = System.getLogger(PostgresDialect.class.getName());

    // Qualified: another user's operator for an oid and a regclass would be called.
    private static final String PERSISTENCE = "SELECT relpersistence FROM pg_catalog.pg_class"
            + " WHERE oid OPERATOR(pg_catalog.=) pg_catalog.to_regclass(?)::pg_catalog.oid";

    /** Sets the limit for the session, and says whether the session is the connection's own. */
    private static final String BOUND = "SELECT s.own, CASE WHEN s.own"
            + " AND pg_catalog.current_setting('lock_timeout') OPERATOR(pg_catalog.=) '0'"
            + " THEN pg_catalog.set_config('lock_timeout', ?, false) END"
            + " FROM (SELECT pg_catalog.pg_backend_pid() OPERATOR(pg_catalog.=) coalesce(?, pg_catalog.pg_backend_pid()) AS own) s";

    /**
     * All commands that can end a transaction which the client has begun; procedures and blocks cannot. A command follows
     * the beginning of a text or a semicolon. If the text has a comment or a JDBC escape, these words count anywhere.
     */
    private static final Pattern ENDS = Pattern.compile("(?i)(?:^|;)\\s*(?:commit|end|rollback|abort|prepare)\\b");

    private static final Pattern ENDS_ANYWHERE = Pattern.compile("(?i)\\b(?:commit|end|rollback|abort|prepare)\\b");
    private static final Pattern HIDES = Pattern.compile("/\\*|--|\\{");

    @Override
    public boolean sharesLeanly() {
        return true;
    }

    @Override
    public boolean keepsOpen(String sql) {
        return !(HIDES.matcher(sql).find() ? ENDS_ANYWHERE : ENDS).matcher(sql).find();
    }

    // An earlier borrower of a pool's connection may have switched it off.
    private static final String DURABLE = " CASE WHEN pg_catalog.current_setting('synchronous_commit')"
            + PostgresFamily.ownOperator("=")
            + " 'off' THEN pg_catalog.set_config('synchronous_commit', 'on', true) IS NOT NULL ELSE true END";

    /** SET LOCAL, and calls of set_config whose last argument is true and whose others are simple. */
    private static final Pattern LOCAL = Pattern.compile("(?i)^\\s*set\\s+local\\s[^;]*;?\\s*$"
            + "|set_config\\s*\\(\\s*(?:'[^']*'|\\?)\\s*,\\s*(?:'[^']*'|\\?)\\s*,\\s*true\\s*\\)");

    @Override
    public String product() {
        return "PostgreSQL";
    }

    @Override
    public String nameType() {
        // Not the database's collation, under which different names may be equal and which an upgrade can change.
        return "VARCHAR(64) COLLATE \"C\"";
    }

    @Override
    public String exact(String text) {
        return "CAST(" + text + " AS pg_catalog.text) COLLATE pg_catalog.\"C\"";
    }

    @Override
    public String tableOptions() {
        // Leaves free space on the page, so that the row can be updated in place repeatedly without touching its index.
        return " WITH (fillfactor = 50)";
    }

    @Override
    public String operator(String symbol) {
        return PostgresFamily.ownOperator(symbol);
    }

    @Override
    public String function(String name) {
        return PostgresFamily.ownFunction(name);
    }

    @Override
    public Optional<SqlFunctions> functions(SequenceTable table, Optional<String> schema) {
        return Optional.of(new PostgresFunctions(table, schema));
    }

    @Override
    public boolean boundsLockWaits() {
        return true;
    }

    @Override
    public LockWait lockWait(Duration atMost) {
        return new PostgresLockWait(atMost);
    }

    /** {@inheritDoc} Behind a pooler, a setting would stay with a session of other programs, and a name would not be known. */
    @Override
    public void boundLockWaits(Connection connection, Duration atMost) throws SQLException {
        Optional<DriverConnection> driver = DriverConnection.of(connection);
        try (PreparedStatement statement = connection.prepareStatement(BOUND)) {
            statement.setString(1, atMost.toMillis() + "ms");
            statement.setObject(2, driver.map(DriverConnection::process).orElse(null), Types.INTEGER);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                if (!row.getBoolean(1)) {
                    driver.ifPresent(DriverConnection::nameNothing);
                }
            }
        }
    }

    @Override
    public LockWait aloneLockWait(Duration atMost) {
        return pooled ? lockWait(atMost) : LockWait.UNBOUNDED;
    }

    @Override
    public Runnable nameNothing(Connection connection) {
        Optional<DriverConnection> driver = pooled ? DriverConnection.of(connection) : Optional.empty();
        return driver.map(DriverConnection::nameNothing).orElse(() -> {});
    }

    @Override
    public Snapshot snapshot(Connection connection) throws SQLException {
        Snapshot snapshot = Snapshot.begin(connection, () -> {});
        // For the transaction alone: the driver's setting would stay on a pooler's session.
        try {
            Sql.execute(connection, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
            return snapshot;
        } catch (SQLException e) {
            try (snapshot) {
                throw e;
            }
        }
    }

    @Override
    public LockWait ownLockWait(Duration atMost) {
        return LockWait.byQueryTimeout(atMost);
    }

    @Override
    public void commitDurably(Connection transaction) throws SQLException {
        Sql.execute(transaction, "SELECT" + DURABLE);
    }

    @Override
    public boolean sharesSessions() {
        return pooled;
    }

    @Override
    public String withoutLocalSettings(String sql) {
        return sql.startsWith(PostgresLockWait.BEGINNING)
                ? ""
                : LOCAL.matcher(sql).replaceAll("");
    }

    @Override
    public Optional<String> onStandby() {
        return Optional.of("pg_catalog.pg_is_in_recovery()");
    }

    /** {@inheritDoc} The statement itself makes its commit durable. */
    @Override
    public Optional<CounterAdvance> advanceAlone() {
        return Optional.of(new DurableAdvance());
    }

    @Override
    public Optional<PoolClaim> poolClaim(String table) {
        return Optional.of(new DeleteReturning(table));
    }

    @Override
    public List<String> preflight(Connection connection, PlacedTable table) throws SQLException {
        List<String> problems = new ArrayList<>();
        if (Sql.read(connection, "SHOW fsync").orElse("on").equals("off")) {
            problems.add("fsync is off: a power cut loses commits, and the database with them; set fsync=on");
        }
        if (Sql.read(connection, "SHOW synchronous_commit").orElse("on").equals("off")) {
            problems.add("synchronous_commit is off: a crash loses acknowledged commits; set synchronous_commit=on"
                    + " at least for this user (ALTER ROLE … SET synchronous_commit = on)");
        }
        if (Sql.read(connection, PERSISTENCE, table.qualified()).orElse("p").equals("u")) {
            problems.add("table " + table.name() + " is UNLOGGED: a crash empties it; ALTER TABLE " + table.name()
                    + " SET LOGGED");
        }
        Optional<String> schema = table.schema().isPresent()
                ? table.schema()
                : Sql.read(connection, "SELECT pg_catalog.current_schema()");
        PostgresTables.caution(connection, schema.orElse(""))
                .ifPresent(caution -> LOG.log(System.Logger.Level.INFO, caution));
        return problems;
    }

    @Override
    public Place find(Connection connection, String table, Optional<String> owner, Optional<String> schema)
            throws SQLException {
        return PostgresTables.find(connection, table, owner, schema);
    }

    @Override
    public NativeEngine nativeSequences(Connection connection) {
        return new PostgresSequences();
    }

    /** Makes the commit of its statement durable, except in a session whose settings are the store's own. */
    private record DurableAdvance() implements CounterAdvance {

        @Override
        public String sql(String table, String counter, String guard) {
            return onOwnSession().sql(table, counter, guard + " AND" + DURABLE);
        }

        @Override
        public CounterAdvance onOwnSession() {
            return CounterAdvance.returning("RETURNING", PostgresFamily.ownOperator("+"));
        }
    }

    /**
     * Limits the wait on PostgreSQL: the waiting statement itself sets {@code lock_timeout} and restores it. A shorter
     * timeout of the caller takes precedence.
     *
     * <ol>
     *   <li>The statement becomes part of a query, behind a condition that sets the timeout before it reads any row.
     *   <li>The query joins the statement's row, or none, with the previous setting, and restores that: the expression on
     *       the joined row is evaluated when the statement has ended, and once even if there is no row.
     *   <li>After an error, the transaction is rolled back, at least to a savepoint, and the setting with it.
     * </ol>
     *
     * <p>Not {@code setQueryTimeout}: the driver would cancel the statement through a second connection and wait for
     * that, which a hung server does not answer either.
     */
    private record PostgresLockWait(Duration atMost) implements LockWait {

        private static final String NOW = "pg_catalog.current_setting('lock_timeout')";
        private static final String WHERE = " WHERE ";

        /** How its statements begin; they restore what they set. */
        static final String BEGINNING = "WITH seriatim_wait AS (";

        @Override
        public String bounded(String sql) {
            String limit = "'" + Math.max(1, atMost.toMillis()) + "ms'";
            String time = "CAST(" + NOW + " AS pg_catalog.interval) ";
            // Without a timeout, which is the default, no text is parsed as a time: that costs as much as everything
            // else.
            String shorter = "CASE WHEN " + NOW + PostgresFamily.ownOperator("=") + " '0' THEN " + limit + " WHEN "
                    + time + PostgresFamily.ownOperator("<=") + " " + limit + " THEN " + NOW + " ELSE " + limit
                    + " END";
            // The last, because a schema's name can be any text.
            int condition = sql.lastIndexOf(WHERE) + WHERE.length();
            return BEGINNING + "SELECT " + NOW + " AS before, pg_catalog.set_config('lock_timeout', " + shorter
                    + ", true) AS during), seriatim_row AS (" + sql.substring(0, condition)
                    + "(SELECT during FROM seriatim_wait) IS NOT NULL AND " + sql.substring(condition)
                    + ") SELECT seriatim_row.* FROM seriatim_wait LEFT JOIN seriatim_row ON true"
                    + " WHERE CASE WHEN pg_catalog.set_config('lock_timeout', seriatim_wait.before, true) IS NOT NULL"
                    + " THEN seriatim_row IS DISTINCT FROM NULL END";
        }

        @Override
        public boolean exact() {
            return true;
        }
    }
}
