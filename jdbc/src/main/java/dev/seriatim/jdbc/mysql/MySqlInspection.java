// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.mysql;

import dev.seriatim.jdbc.inspect.ColumnExtent;
import dev.seriatim.jdbc.inspect.ColumnPath;
import dev.seriatim.jdbc.inspect.EngineInspection;
import dev.seriatim.jdbc.inspect.InspectionFinding;
import dev.seriatim.jdbc.inspect.InspectionLimits;
import dev.seriatim.jdbc.inspect.Inventory;
import dev.seriatim.jdbc.inspect.NativeSequence;
import dev.seriatim.jdbc.inspect.NumberedColumn;
import dev.seriatim.jdbc.inspect.ObjectName;
import dev.seriatim.jdbc.inspect.Remedy;
import dev.seriatim.jdbc.inspect.Skips;
import dev.seriatim.jdbc.sql.Settings;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Inspects MySQL and MariaDB: the columns with {@code AUTO_INCREMENT}, MariaDB's sequences, and the server's settings. Only the
 * connection's database, and sequences of others that its columns draw from.
 *
 * @param mariaDb whether it is MariaDB, which has sequences
 * @param cluster whether several nodes accept writes
 */
record MySqlInspection(boolean mariaDb, boolean cluster) implements EngineInspection {

    private static final long USUAL_CACHE = 1000;

    /** {@inheritDoc} Each statement is a transaction of its own, so that no table stays locked against its owner's changes. */
    @Override
    public void begin(Connection connection, InspectionLimits limits) throws SQLException {
        connection.setAutoCommit(true);
        Duration each = limits.statement();
        long seconds = Math.max(1, each.plusSeconds(1).minusNanos(1).toSeconds());
        long millis = Math.max(1, each.toMillis());
        List<String> settings = new ArrayList<>(List.of(
                "SET SESSION TRANSACTION READ ONLY",
                // as the server writes defaults: names in backticks
                "SET SESSION sql_mode = ''",
                "SET SESSION lock_wait_timeout = " + seconds,
                "SET SESSION innodb_lock_wait_timeout = " + seconds));
        if (mariaDb) {
            settings.add(String.format(Locale.ROOT, "SET SESSION max_statement_time = %.3f", millis / 1000.0));
        } else {
            settings.add("SET SESSION max_execution_time = " + millis);
            // Otherwise, the server reports counters as they were a day ago.
            settings.add("SET SESSION information_schema_stats_expiry = 0");
        }
        try (Statement statement = connection.createStatement()) {
            for (String setting : settings) {
                statement.execute(setting);
            }
        }
    }

    @Override
    public Inventory read(Connection connection, InspectionLimits limits) throws SQLException {
        long end = System.nanoTime() + limits.total().toNanos();
        Skips skips = new Skips();
        MySqlServerFindings server = MySqlServerFindings.read(connection, mariaDb, cluster, skips);
        List<InspectionFinding> findings = new ArrayList<>(server.findings());
        String database = Settings.read(connection, "SELECT DATABASE()").orElse("");
        if (!readsAll(connection, database)) {
            skips.add(
                    database,
                    "this user may not read all of its tables, and those that it may not read are not listed");
        }
        DatabaseFacts facts = DatabaseFacts.read(connection, database, mariaDb, server, limits.scans(), end, skips);
        findings.addAll(facts.findings());
        findings.addAll(server.onUse(facts.columns(), facts.sequences()));
        return new Inventory(
                server.product(), database, facts.columns(), facts.sequences(), List.of(), findings, skips.lines());
    }

    @Override
    public List<ColumnExtent> extents(
            Connection connection, InspectionLimits limits, List<ColumnPath> candidates, Skips skips)
            throws SQLException {
        return new CounterExtents(connection, mariaDb, limits, skips).of(candidates);
    }

    /** {@inheritDoc} By their names alone, which are read without opening tables. */
    @Override
    public Set<ObjectName> present(Connection connection, Set<ObjectName> tables) throws SQLException {
        Map<String, Set<String>> names = new HashMap<>();
        for (ObjectName table : tables) {
            if (!names.containsKey(table.schema())) {
                names.put(table.schema(), SchemaReads.names(connection, table.schema()));
            }
        }
        return tables.stream()
                .filter(table -> names.getOrDefault(table.schema(), Set.of()).contains(table.name()))
                .collect(Collectors.toSet());
    }

    /**
     * Returns whether a user may read every table of a database: a table that does not exist is refused to others. Its name is
     * random, since a view of that name would run its owner's code.
     */
    private static boolean readsAll(Connection connection, String database) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT 1 FROM "
                    + QuotedNames.quoted(new ObjectName(database, "seriatim no table " + UUID.randomUUID())));
            return true;
        } catch (SQLException e) {
            return switch (MySqlErrors.fault(e)) {
                case MISSING_TABLE -> true;
                case DENIED -> false;
                default -> throw e;
            };
        }
    }

    /** {@inheritDoc} MariaDB ignores a value that is not ahead of the sequence; where it chooses the increment, it finds the next one. */
    @Override
    public Remedy raise(NativeSequence sequence, BigInteger held) {
        boolean chosen = sequence.increment().signum() == 0;
        return Remedy.statement(
                "SELECT SETVAL(" + QuotedNames.quoted(sequence.name()) + ", "
                        + (chosen ? held + ", 1" : sequence.firstBeyond(held) + ", 0") + ")",
                Remedy.Kind.RAISES);
    }

    /**
     * {@inheritDoc} Not a statement that is safe beside inserts: it sets back a counter that is ahead of the value, down to the
     * highest number that is in the table.
     */
    @Override
    public Remedy raise(NumberedColumn column, BigInteger held) {
        return Remedy.statement(
                "ALTER TABLE " + QuotedNames.quoted(column.table()) + " AUTO_INCREMENT = " + held.add(BigInteger.ONE)
                        + " -- while nothing inserts: it sets back a counter that is higher",
                Remedy.Kind.CHANGES);
    }

    @Override
    public Remedy own(NativeSequence sequence, NumberedColumn by) {
        return new Remedy(
                "MariaDB's sequences belong to no column; drop " + sequence.name() + " when you drop " + by.table(),
                Remedy.Kind.ADVICE);
    }

    @Override
    public Remedy noCycle(NativeSequence sequence) {
        return Remedy.statement(
                "ALTER SEQUENCE " + QuotedNames.quoted(sequence.name()) + " NOCYCLE", Remedy.Kind.CHANGES);
    }

    @Override
    public Remedy noCache(NativeSequence sequence) {
        return Remedy.statement(
                "ALTER SEQUENCE " + QuotedNames.quoted(sequence.name()) + " NOCACHE", Remedy.Kind.CHANGES);
    }

    @Override
    public Remedy widen(NumberedColumn column) {
        boolean negative = column.lowest().filter(low -> low.signum() < 0).isPresent();
        IntegerTypes.Width width =
                IntegerTypes.widest(column.type(), negative || column.lowest().isEmpty());
        if (column.generator() != NumberedColumn.Generator.AUTO_INCREMENT || width == IntegerTypes.Width.NONE) {
            return new Remedy(
                    width == IntegerTypes.Width.NONE
                            ? "no wider type holds what is in " + column.path() + "; number anew, or in another column"
                            : "ALTER TABLE … MODIFY " + column.path() + " to " + width.sql()
                                    + ", with its default and its other attributes",
                    Remedy.Kind.ADVICE);
        }
        return Remedy.statement(
                "ALTER TABLE " + QuotedNames.quoted(column.table()) + " MODIFY " + QuotedNames.quoted(column.column())
                        + " " + width.sql() + " NOT NULL AUTO_INCREMENT"
                        + " -- drops the column's COMMENT: add it, if there is one",
                Remedy.Kind.CHANGES);
    }

    /** {@inheritDoc} The nodes of a cluster have a cache each; on one server, all sessions share one. */
    @Override
    public boolean cachesReorder() {
        return cluster;
    }

    @Override
    public long usualCache() {
        return USUAL_CACHE;
    }

    @Override
    public boolean sequencesHaveOwners() {
        return false;
    }
}
