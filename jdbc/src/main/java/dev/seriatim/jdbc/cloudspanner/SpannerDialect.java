// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.cloudspanner;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.sql.CounterAdvance;
import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.EngineFamily;
import dev.seriatim.jdbc.sql.Fault;
import dev.seriatim.jdbc.sql.Grant;
import dev.seriatim.jdbc.sql.PlacedTable;
import dev.seriatim.jdbc.sql.Seal;
import dev.seriatim.jdbc.sql.Snapshot;
import dev.seriatim.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Spanner over Google's JDBC driver 2.35, in either dialect of a database. The driver's exceptions have no SQLSTATE: the
 * vendor code is the canonical code, and only the message names the object.
 *
 * @param postgres whether the database has PostgreSQL's dialect, otherwise GoogleSQL
 */
public record SpannerDialect(boolean postgres) implements Dialect, EngineFamily {

    private static final String OTHER_CASE = """
            SELECT table_name FROM information_schema.tables \
            WHERE table_schema = ? AND LOWER(table_name) = LOWER(?) AND table_name <> ?""";

    private static final Pattern ENDED = Pattern.compile("""
            (?i)(?:session|transaction) not found|invalid transaction id|transaction has already been closed|invalidated by \
            a later transaction|a transaction after it has been (?:committed or )?rolled ?back""");

    @Override
    public String product() {
        return postgres ? "Spanner (PostgreSQL dialect)" : "Spanner";
    }

    @Override
    public String quote(String identifier) {
        return postgres ? '"' + identifier + '"' : '`' + identifier + '`';
    }

    @Override
    public String nameType() {
        return postgres ? "VARCHAR(64)" : "STRING(64)";
    }

    @Override
    public String numberType() {
        return postgres ? "BIGINT" : "INT64";
    }

    /** {@inheritDoc} PostgreSQL's dialect gives a literal in a subquery no type. */
    @Override
    public String literal(String text) {
        return postgres ? "CAST(" + Dialect.super.literal(text) + " AS VARCHAR)" : "'" + text.replace("'", "\\'") + "'";
    }

    @Override
    public String clock() {
        return postgres ? "postgres-clock.sql" : "clock.sql";
    }

    @Override
    public List<Grant> grants(String table) {
        // In line comments: gcloud splits a script at semicolons, and knows no block comments.
        String to = " TO " + (postgres ? "" : "ROLE ") + Grant.USER + ";";
        int dot = table.indexOf('.');
        String usage = dot < 0 ? "" : "GRANT USAGE ON SCHEMA " + table.substring(0, dot) + to + " ";
        return List.of(
                Grant.note("to draw: the role roles/spanner.databaseUser, or"),
                Grant.note(usage + "GRANT SELECT, UPDATE ON TABLE " + table + to),
                Grant.note("to create and drop sequences too: the same role, or"),
                Grant.note("GRANT INSERT, DELETE ON TABLE " + table + to));
    }

    @Override
    public String lockAndRead(String table, String nameColumn, String columns) {
        // Not FOR UPDATE, which the emulator does not support; the hint means the same.
        String hint = postgres ? "/*@ lock_scanned_ranges=exclusive */" : "@{LOCK_SCANNED_RANGES=exclusive}";
        return hint + " SELECT " + columns + " FROM " + table + " WHERE " + nameColumn + " = ?";
    }

    @Override
    public CounterAdvance advance() {
        return CounterAdvance.returning(postgres ? "RETURNING" : "THEN RETURN", "+");
    }

    @Override
    public Optional<CounterAdvance> advanceAlone() {
        // No faster: the first statement begins a transaction, and the driver commits a single statement with a second
        // round trip.
        return Optional.empty();
    }

    @Override
    public boolean namesSchemas() {
        return true;
    }

    /** {@inheritDoc} A table need not exist, but a query would not find one in another case, beside which none can be created. */
    @Override
    public Place find(Connection connection, String table, Optional<String> owner, Optional<String> schema)
            throws SQLException {
        String name = schema.orElse("");
        if (schema.isPresent()
                && Sql.all(connection, "SELECT schema_name FROM information_schema.schemata").stream()
                        .noneMatch(postgres ? name::equals : name::equalsIgnoreCase)) {
            throw new Misconfigured("""
                    there is no schema '%1$s'; create it with CREATE SCHEMA %1$s, or correct its name""".formatted(name));
        }
        if (postgres) {
            Sql.read(connection, OTHER_CASE, schema.orElse("public"), table, table)
                    .ifPresent(other -> {
                        throw new Misconfigured(
                                "the table '" + table + "' is called '" + other + "'; write its name like this");
                    });
        }
        return new Place(schema, true);
    }

    @Override
    public boolean hasSavepoints() {
        return false;
    }

    /** {@inheritDoc} The driver's savepoints end with their transaction. It undoes one by rerunning all before it. */
    @Override
    public Seal seal(Connection transaction) throws SQLException {
        Savepoint savepoint = transaction.setSavepoint();
        return later -> holds(later, savepoint);
    }

    @Override
    public String whyNoPool() {
        return "it has no SKIP LOCKED, so concurrent transactions would claim the same numbers and be aborted";
    }

    @Override
    public void begin(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        try {
            // We retry an aborted transaction ourselves, until the patience ends. This setting does not go to the
            // server.
            Sql.execute(connection, "SET LOCAL " + (postgres ? "spanner." : "") + "RETRY_ABORTS_INTERNALLY = FALSE");
        } catch (SQLException e) {
            connection.setAutoCommit(true);
            throw e;
        }
    }

    @Override
    public List<String> preflight(Connection connection, PlacedTable table) throws SQLException {
        // A commit is acknowledged when a majority of replicas has it; there is nothing to set.
        return List.of();
    }

    @Override
    public Snapshot snapshot(Connection connection) throws SQLException {
        // Other transactions lock what they read.
        boolean before = connection.isReadOnly();
        connection.setReadOnly(true);
        return Snapshot.begin(connection, () -> connection.setReadOnly(before));
    }

    @Override
    public Fault fault(SQLException e) {
        String message = String.valueOf(e.getMessage());
        if (hasEnded(e)) {
            return Fault.LOST;
        }
        return switch (e.getErrorCode()) {
            case 3, 9, 11 -> refused(message); // INVALID_ARGUMENT, FAILED_PRECONDITION, OUT_OF_RANGE
            case 4, 14 -> Fault.LOST; // DEADLINE_EXCEEDED, UNAVAILABLE
            case 5 -> missing(message); // NOT_FOUND
            case 6 -> Fault.DUPLICATE; // ALREADY_EXISTS
            case 7, 16 -> Fault.DENIED; // PERMISSION_DENIED, UNAUTHENTICATED
            case 10 -> Fault.CONFLICT; // ABORTED
            default -> Fault.OTHER;
        };
    }

    @Override
    public boolean refusesCommit(SQLException e) {
        return switch (e.getErrorCode()) {
            // INVALID_ARGUMENT, ALREADY_EXISTS, PERMISSION_DENIED, OUT_OF_RANGE. Not UNAUTHENTICATED: if a client sent
            // the commit twice, perhaps only the second was refused.
            case 3, 6, 7, 11 -> true;
            // NOT_FOUND, FAILED_PRECONDITION, ABORTED
            case 5, 9, 10 -> !hasEnded(e);
            default -> false;
        };
    }

    /**
     * Returns whether the server no longer has the session or the transaction, and so knows nothing of its commit. A
     * session has one transaction at a time, and a repeated request that arrives late may begin another.
     */
    private static boolean hasEnded(SQLException e) {
        return switch (e.getErrorCode()) {
            case 1, 5, 9, 10 -> ENDED.matcher(String.valueOf(e.getMessage())).find();
            default -> false;
        };
    }

    private static Fault refused(String message) {
        if (says(message, "Table not found")) {
            return Fault.MISSING_TABLE;
        }
        if (says(message, "Unrecognized name", "not present in table")
                || message.matches("(?s).*column \"[^\"]*\" .*not exist.*")) {
            return Fault.MISSING_COLUMN;
        }
        if (says(
                message,
                "invalid input syntax", // these two in PostgreSQL's dialect
                "but expression is",
                "No matching signature",
                "cannot be assigned",
                "support expressions of",
                "defined for arguments")) {
            return Fault.WRONG_TYPE;
        }
        if (says(message, "change operation rejected", "Duplicate name in")) {
            // A schema change concurrent with transactions or with another schema change.
            return Fault.CONFLICT;
        }
        if (says(message, "rolling back to a")) {
            return Fault.SPOILED;
        }
        return says(message, "read-only") ? Fault.READ_ONLY : Fault.VIOLATION;
    }

    private static Fault missing(String message) {
        if (says(message, "Table not found") || message.matches("(?s).*relation \".*\" .*not exist.*")) {
            return Fault.MISSING_TABLE;
        }
        if (says(message, "operator does not")) {
            return Fault.WRONG_TYPE;
        }
        return says(message, "Database not found", "Instance not found") ? Fault.NOT_A_DATABASE : Fault.OTHER;
    }

    private static boolean says(String message, String... words) {
        return List.of(words).stream().anyMatch(message::contains);
    }

    private boolean holds(Connection connection, Savepoint savepoint) throws SQLException {
        try {
            connection.releaseSavepoint(savepoint);
            return true;
        } catch (SQLException e) {
            Fault fault = fault(e);
            if (fault == Fault.CONFLICT || fault == Fault.SPOILED) {
                throw e;
            }
            return false;
        }
    }

    @Override
    public boolean introducedAs(String product) {
        return product.matches("google cloud spanner(?: postgresql)?");
    }

    @Override
    public Dialect dialect(Connection connection) throws SQLException {
        return new SpannerDialect(
                connection.getMetaData().getDatabaseProductName().matches("(?i).*postgresql"));
    }
}
