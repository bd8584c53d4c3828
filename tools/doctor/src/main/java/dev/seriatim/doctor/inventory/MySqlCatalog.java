// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Reads MySQL and MariaDB: the columns with {@code AUTO_INCREMENT}, MariaDB's sequences, and the server's settings. Only the
 * connection's database, and sequences of other databases that its columns draw from.
 *
 * @param mariaDb whether it is MariaDB, which has sequences
 * @param cluster whether several nodes accept writes
 */
record MySqlCatalog(boolean mariaDb, boolean cluster) implements EngineCatalog {

    /** Not through JDBC's metadata, whose patterns make the server open every table. */
    private static final String NUMBERS = "SELECT TABLE_NAME, COLUMN_NAME FROM information_schema.COLUMNS"
            + " WHERE DATA_TYPE IN ('tinyint', 'smallint', 'mediumint', 'int', 'bigint', 'decimal') AND TABLE_SCHEMA = ?";

    /** No lock, or not enough time: interrupted, lock and statement timeouts, newer tables and rows, deadlocks, cluster conflicts. */
    private static final Set<Integer> HELD = Set.of(1317, 1205, 3572, 1969, 3024, 1412, 1213, 1020, 3101);

    private static final Set<Integer> DENIED = Set.of(1142, 1143, 1044, 1227, 1370);
    private static final Set<Integer> MISSING = Set.of(1146, 1049);

    /** {@inheritDoc} Each statement is a transaction of its own, so that no table stays locked against its owner's changes. */
    @Override
    public void begin(Connection connection, InspectionLimits limits) throws SQLException {
        connection.setAutoCommit(true);
        long millis = Math.max(1, limits.statement().toMillis());
        long seconds = (millis + 999) / 1000;
        List<String> settings = new ArrayList<>(List.of(
                "TRANSACTION READ ONLY",
                // The server then writes defaults with names in backticks.
                "sql_mode = ''",
                "lock_wait_timeout = " + seconds,
                "innodb_lock_wait_timeout = " + seconds));
        if (mariaDb) {
            settings.add(String.format(Locale.ROOT, "max_statement_time = %.3f", millis / 1000.0));
        } else {
            settings.add("max_execution_time = " + millis);
            // Otherwise, the server reports counters as they were a day ago.
            settings.add("information_schema_stats_expiry = 0");
        }
        Query.execute(connection, settings.stream().map("SET SESSION "::concat).toList());
    }

    @Override
    public Remedies remedies() {
        return new MySqlRemedies(cluster);
    }

    @Override
    public Generators read(Connection connection, InspectionLimits limits, Skips skips) throws SQLException {
        BatchedReads batches = batches(connection, limits, skips);
        MySqlServer server = MySqlServer.read(connection, mariaDb, cluster, skips);
        String database = database(connection);
        if (!readsAll(connection, database)) {
            skips.add(database, """
                    this user may not read all of its tables, and those that it may not read are not listed""");
        }
        SchemaReads schema = new SchemaReads(connection, database, Optional.empty(), batches.end(), skips);
        MySqlTables tables = MySqlTables.read(schema, mariaDb, server, limits.scans(), batches);
        List<InspectionFinding> findings = new ArrayList<>(server.findings());
        findings.addAll(tables.findings());
        findings.addAll(server.onUse(tables.columns(), tables.sequences()));
        Set<ObjectName> names = new HashSet<>();
        Set<String> databases = new HashSet<>();
        tables.sequences().stream()
                .filter(NativeSequence::steps)
                .forEach(sequence -> databases.add(sequence.name().schema()));
        for (String other : databases) {
            SchemaReads.names(connection, other).forEach(name -> names.add(new ObjectName(other, name)));
        }
        return new Generators(server.product(), tables.columns(), tables.sequences(), names, findings);
    }

    private static String database(Connection connection) throws SQLException {
        return Query.first(connection, "SELECT DATABASE()").orElse("");
    }

    private static BatchedReads batches(Connection connection, InspectionLimits limits, Skips skips) {
        long end = System.nanoTime() + limits.total().toNanos();
        return new BatchedReads(connection, end, skips, (many, read) -> read.on(connection), MySqlCatalog::reason);
    }

    /** Reads the ends of columns, with places after the point: a fraction is not rounded up to a number that does not exist. */
    static Map<ColumnPath, Extremes> extremes(BatchedReads batches, List<ColumnPath> columns) throws SQLException {
        return batches.extremes(columns, MySqlRemedies::quoted, value -> "CAST(" + value + " AS DECIMAL(65, 10))");
    }

    @Override
    public List<Extent> extents(
            Connection connection, InspectionLimits limits, List<ColumnPath> candidates, Skips skips)
            throws SQLException {
        BatchedReads batches = batches(connection, limits, skips);
        String current = database(connection);
        Map<String, List<ColumnPath>> byDatabase = new LinkedHashMap<>();
        for (ColumnPath asked : candidates) {
            String schema = asked.table().schema();
            byDatabase
                    .computeIfAbsent(schema.isEmpty() ? current : schema, none -> new ArrayList<>())
                    .add(asked);
        }
        byDatabase.remove(""); // the URL names no database
        Map<ColumnPath, ColumnPath> found = new LinkedHashMap<>();
        List<ColumnPath> wanted = new ArrayList<>();
        for (Map.Entry<String, List<ColumnPath>> entry : byDatabase.entrySet()) {
            String database = entry.getKey();
            Set<String> tables = SchemaReads.names(connection, database);
            tables.retainAll(
                    entry.getValue().stream().map(asked -> asked.table().name()).toList());
            SchemaReads schema = new SchemaReads(connection, database, Optional.of(tables), batches.end(), skips);
            Set<ColumnPath> numbers = new HashSet<>(schema.rows(NUMBERS, schema::column));
            Set<ColumnPath> indexed = schema.indexed(mariaDb);
            Set<String> views = schema.views(limits.scans());
            for (ColumnPath asked : entry.getValue()) {
                ColumnPath column =
                        new ColumnPath(new ObjectName(database, asked.table().name()), asked.column());
                if (!numbers.contains(column) || views.contains(asked.table().name())) {
                    continue;
                }
                found.put(asked, column);
                if (limits.scans() || indexed.contains(column)) {
                    wanted.add(column);
                } else {
                    skips.add(column.toString(), Skips.NO_INDEX);
                }
            }
        }
        Map<ColumnPath, Extremes> extremes = extremes(batches, wanted);
        return found.entrySet().stream()
                .map(entry -> new Extent(
                        entry.getKey(), entry.getValue(), extremes.getOrDefault(entry.getValue(), Extremes.NONE)))
                .toList();
    }

    /**
     * Returns whether a user may read every table of a database: a table that does not exist is refused to others. Its name is
     * random, since a view of that name would run its owner's code.
     */
    private static boolean readsAll(Connection connection, String database) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT 1 FROM "
                    + MySqlRemedies.quoted(new ObjectName(database, "seriatim no table " + UUID.randomUUID())));
            return true;
        } catch (SQLException e) {
            if (!isMissing(e) && !isDenied(e)) {
                throw e;
            }
            return isMissing(e);
        }
    }

    /** Returns whether a statement was not granted a lock, or not enough time. */
    static boolean isHeld(SQLException e) {
        return HELD.contains(e.getErrorCode()) || "40001".equals(e.getSQLState()) || e instanceof SQLTimeoutException;
    }

    /** Returns whether this user lacks a right. */
    static boolean isDenied(SQLException e) {
        return DENIED.contains(e.getErrorCode());
    }

    static boolean isMissing(SQLException e) {
        return MISSING.contains(e.getErrorCode());
    }

    /** Returns why a table could not be examined. */
    static String reason(SQLException e) {
        if (isHeld(e)) {
            return "another session holds it, or reading it took too long";
        }
        if (isDenied(e)) {
            return Skips.DENIED;
        }
        return isMissing(e) ? Skips.DROPPED : Skips.unread(e);
    }
}
