// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import dev.seriatim.doctor.inventory.InspectionFinding.Fault;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Reads MySQL and MariaDB: the columns with {@code AUTO_INCREMENT}, MariaDB's sequences, and the server's settings. Only the
 * connection's database, and sequences of other databases that its columns draw from.
 */
final class MySqlCatalog extends EngineCatalog {

    /** Not through JDBC's metadata, whose patterns make the server open every table. */
    private static final String NUMBERS = """
            SELECT TABLE_NAME, COLUMN_NAME FROM information_schema.COLUMNS
            WHERE DATA_TYPE IN ('tinyint', 'smallint', 'mediumint', 'int', 'bigint', 'decimal') AND TABLE_SCHEMA = ?""";

    private static final String NAMES = "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = ?";

    /** No lock, or not enough time: interrupted, lock and statement timeouts, newer tables and rows, deadlocks, cluster conflicts. */
    private static final Set<Integer> HELD = Set.of(1317, 1205, 3572, 1969, 3024, 1412, 1213, 1020, 3101);

    private static final Set<Integer> DENIED = Set.of(1142, 1143, 1044, 1227, 1370);
    private static final Set<Integer> MISSING = Set.of(1146, 1049);

    /** Whether it is MariaDB, which has sequences. */
    final boolean mariaDb;

    /** The statements that widen columns, without the new type, which {@code \0} stands for. */
    final Map<ColumnPath, String> widening = new HashMap<>();

    private final MySqlServer server;

    /** Creates a catalog of a server, or of a cluster whose nodes accept writes. */
    MySqlCatalog(Connection connection, InspectionLimits limits, boolean mariaDb, boolean cluster) {
        super(connection, limits, "`", "", "next_not_cached_value");
        this.mariaDb = mariaDb;
        this.server = new MySqlServer(this, cluster);
    }

    /** {@inheritDoc} Each statement is a transaction of its own, so that no table stays locked against its owner's changes. */
    @Override
    void begin() throws SQLException {
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
        execute(settings.stream().map("SET SESSION "::concat).toList());
        server.read();
    }

    @Override
    String product() {
        return server.product();
    }

    @Override
    Remedies remedies() {
        return new MySqlRemedies(server.isCluster(), widening);
    }

    /** {@inheritDoc} It keeps places after the point: a fraction is not rounded up to a number that does not exist. */
    @Override
    String exact(String aggregate) {
        return "CAST(" + aggregate + " AS DECIMAL(65, 10))";
    }

    @Override
    List<NumberSource> sources() throws SQLException {
        server.check();
        chosenIncrement = server.increment();
        String database = database();
        if (!readsAll(database)) {
            skips.add(database, """
                    this user may not read all of its tables, and those that it may not read are not listed""");
        }
        List<NumberSource> sources = part(
                "columns and sequences",
                List.of(),
                new MySqlTables(new SchemaReads(this, database, Optional.empty()), this, server)::read);
        server.checkUse(sources);
        Set<String> databases = new HashSet<>();
        sources.stream()
                .filter(NumberSource::steps)
                .forEach(sequence -> databases.add(sequence.name().schema()));
        for (String other : databases) {
            names(other).forEach(name -> tables.add(new ObjectName(other, name)));
        }
        return sources;
    }

    private String database() throws SQLException {
        return first("SELECT DATABASE()").orElse("");
    }

    /** Returns the names of a database's tables, views and sequences, without opening one. */
    Set<String> names(String database) throws SQLException {
        return new LinkedHashSet<>(rows(NAMES, row -> row.getString(1), database));
    }

    @Override
    Map<ColumnPath, Extent> extents(List<ColumnPath> all) throws SQLException {
        String current = database();
        Map<String, List<ColumnPath>> byDatabase = all.stream().collect(Collectors.groupingBy(asked -> {
            String schema = asked.table().schema();
            return schema.isEmpty() ? current : schema;
        }));
        byDatabase.remove(""); // the URL names no database
        Map<ColumnPath, ColumnPath> found = new LinkedHashMap<>();
        Set<ColumnPath> indexed = new HashSet<>();
        for (Map.Entry<String, List<ColumnPath>> entry : byDatabase.entrySet()) {
            String database = entry.getKey();
            Set<String> named = names(database);
            named.retainAll(entry.getValue().stream()
                    .map(asked -> server.stored(asked.table().name()))
                    .toList());
            SchemaReads schema = new SchemaReads(this, database, Optional.of(named));
            Map<ColumnPath, ColumnPath> numbers = new HashMap<>();
            schema.rows(NUMBERS, schema::column).forEach(column -> numbers.put(lower(column), column));
            indexed.addAll(schema.indexed());
            Set<String> views = schema.views();
            for (ColumnPath asked : entry.getValue()) {
                ObjectName table = schema.name(server.stored(asked.table().name()));
                ColumnPath column = numbers.get(lower(new ColumnPath(table, asked.column())));
                if (column != null && !views.contains(table.name())) {
                    found.put(asked, column);
                }
            }
        }
        return extents(found, indexed::contains);
    }

    private static ColumnPath lower(ColumnPath column) {
        return new ColumnPath(column.table(), column.column().toLowerCase(Locale.ROOT));
    }

    /**
     * Returns whether a user may read every table of a database: a table that does not exist is refused to others. Its name is
     * random, since a view of that name would run its owner's code.
     */
    private boolean readsAll(String database) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "SELECT 1 FROM " + backticks(new ObjectName(database, "seriatim no table " + UUID.randomUUID())));
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

    static boolean isDenied(SQLException e) {
        return DENIED.contains(e.getErrorCode());
    }

    static boolean isMissing(SQLException e) {
        return MISSING.contains(e.getErrorCode());
    }

    @Override
    String reason(SQLException e) {
        String gone = isMissing(e) ? Skips.DROPPED : super.reason(e);
        return isDenied(e) ? Skips.DENIED : isHeld(e) ? "another session holds it, or reading it took too long" : gone;
    }

    static Remedy alter(String kind, ObjectName name, String change) {
        return Remedy.changes("ALTER " + kind + " " + backticks(name) + " " + change);
    }

    /** The statements that mend the columns of MySQL and MariaDB, and MariaDB's sequences. */
    private record MySqlRemedies(boolean cluster, Map<ColumnPath, String> widening) implements Remedies {

        private static final long USUAL_CACHE = 1000;

        /**
         * {@inheritDoc} MariaDB ignores a value that is not ahead of the sequence; where it chooses the increment, it
         * finds the next one. The statement for a column is not safe beside inserts: it sets a counter that is ahead of
         * the value back to the highest number in the table.
         */
        @Override
        public Remedy raise(NumberSource source, BigInteger held) {
            if (!source.isSequence()) {
                return alter("TABLE", source.name(), """
                        AUTO_INCREMENT = %s -- while nothing inserts: it sets back a \
                        counter that is higher""".formatted(held.add(BigInteger.ONE)));
            }
            boolean chosen = source.increment().signum() == 0;
            return Remedy.raises("SELECT SETVAL(" + backticks(source.name()) + ", "
                    + (chosen ? held + ", 1" : source.firstBeyond(held) + ", 0") + ")");
        }

        @Override
        public Remedy redefine(NumberSource sequence, Fault fault) {
            return alter("SEQUENCE", sequence.name(), fault == Fault.CYCLES ? "NOCYCLE" : "NOCACHE");
        }

        @Override
        public Remedy widen(NumberSource source, NumberedColumn column) {
            boolean negative =
                    column.held().filter(held -> held.lowest().signum() >= 0).isEmpty();
            boolean unsigned = column.type().contains("unsigned");
            boolean widest = column.type().startsWith("bigint");
            if (column.type().startsWith("decimal") || (widest && (unsigned || negative))) {
                return Remedy.advice("""
                        no wider type holds what is in %s; renumber the rows, \
                        or number another column""".formatted(column.path()));
            }
            String wider = unsigned || widest ? "BIGINT UNSIGNED" : "BIGINT";
            return Optional.ofNullable(widening.get(column.name()))
                    .map(sql -> Remedy.changes(sql.replace("\0", wider)))
                    .orElseGet(() -> Remedy.advice("""
                            ALTER TABLE … MODIFY %s to %s, with its default and its other \
                            attributes""".formatted(column.path(), wider)));
        }

        /** {@inheritDoc} The nodes of a cluster have a cache each; on one server, all sessions share one. */
        @Override
        public Optional<Fault> ofCache(NumberSource sequence) {
            return sequence.cache() <= (cluster ? 1 : USUAL_CACHE)
                    ? Optional.empty()
                    : Optional.of(cluster ? Fault.CACHE_REORDERS : Fault.CACHE_LOSES);
        }
    }
}
