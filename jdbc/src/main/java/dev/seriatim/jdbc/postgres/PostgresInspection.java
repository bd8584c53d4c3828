// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.postgres;

import static dev.seriatim.jdbc.postgres.LimitedReads.qualified;

import dev.seriatim.jdbc.inspect.ColumnExtent;
import dev.seriatim.jdbc.inspect.ColumnPath;
import dev.seriatim.jdbc.inspect.EngineInspection;
import dev.seriatim.jdbc.inspect.InspectionFault;
import dev.seriatim.jdbc.inspect.InspectionFinding;
import dev.seriatim.jdbc.inspect.InspectionLimits;
import dev.seriatim.jdbc.inspect.Inventory;
import dev.seriatim.jdbc.inspect.NativeSequence;
import dev.seriatim.jdbc.inspect.NumberedColumn;
import dev.seriatim.jdbc.inspect.ObjectName;
import dev.seriatim.jdbc.inspect.Remedy;
import dev.seriatim.jdbc.inspect.Skips;
import dev.seriatim.jdbc.inspect.ValueRange;
import dev.seriatim.jdbc.postgres.GeneratorCatalog.ColumnRow;
import dev.seriatim.jdbc.postgres.GeneratorCatalog.SequenceRow;
import dev.seriatim.jdbc.sql.Settings;
import dev.seriatim.jdbc.sql.SqlFailures;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Inspects a PostgreSQL database. Needs no right but to connect: what this user may not read is reported as skipped.
 *
 * <p>Locks on tables and sequences are shared with all statements but those that change a table's definition, and are held for one
 * statement each.
 */
record PostgresInspection() implements EngineInspection {

    private static final String PUBLISHED = qualified("""
            SELECT p.pubname, c.oid FROM pg_catalog.pg_publication_tables p
              JOIN pg_catalog.pg_namespace n ON n.nspname = p.schemaname
              JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = p.tablename
            ORDER BY p.pubname""");

    private static final String UNLOGGED = qualified(
            "SELECT c.relname FROM pg_catalog.pg_class c"
                    + " WHERE c.oid = pg_catalog.to_regclass(?)::pg_catalog.oid AND c.relpersistence = 'u'::pg_catalog.\"char\"");

    private static final String PRESENT = qualified("""
            SELECT k.i FROM (SELECT g.i, (?::pg_catalog.text[])[g.i] AS s, (?::pg_catalog.text[])[g.i] AS t
                FROM pg_catalog.generate_series(1, ?::pg_catalog.int4) AS g(i) OFFSET 0) k
              JOIN pg_catalog.pg_namespace n ON CAST(n.nspname AS pg_catalog.text) = k.s
              JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND CAST(c.relname AS pg_catalog.text) = k.t
            WHERE c.relkind <> 'S'::pg_catalog."char" AND c.relkind <> 'i'::pg_catalog."char"
            """);

    @Override
    public void begin(Connection connection, InspectionLimits limits) throws SQLException {
        LimitedReads.begin(connection, limits);
    }

    @Override
    public Inventory read(Connection connection, InspectionLimits limits) throws SQLException {
        LimitedReads reads = new LimitedReads(connection, limits);
        Skips skips = new Skips();
        BatchedReads batches = new BatchedReads(
                reads, skips, System.nanoTime() + limits.total().toNanos());
        GeneratorCatalog catalog = new GeneratorCatalog(reads);
        Map<Long, SequenceRow> sequences = catalog.sequences();
        List<ColumnRow> all = new ArrayList<>(catalog.columns(sequences.values(), skips));
        all.addAll(fed(catalog, all, sequences.values()));
        List<ColumnRow> columns = ofTheirOwn(all);
        // The highest numbers first, the sequences after them: beside inserts, a sequence that is read later is ahead
        // of
        // what is read earlier.
        Map<ColumnRow, Extremes> extremes = extremes(catalog, columns, limits, batches, skips);
        Map<Long, State> states = states(sequences.values(), batches, skips);
        List<InspectionFinding> findings = new ArrayList<>(PostgresServerFindings.of(reads, skips, !all.isEmpty()));
        findings.addAll(unlogged(all, sequences));
        findings.addAll(unreplicated(reads, all, sequences, skips));
        return new Inventory(
                "PostgreSQL "
                        + reads.alone(one -> Settings.read(one, "SHOW server_version"))
                                .orElse(""),
                connection.getCatalog(),
                columns.stream()
                        .flatMap(column -> numbered(column, sequences, extremes.get(column)).stream())
                        .toList(),
                sequences.values().stream()
                        .map(sequence -> sequence(sequence, Optional.ofNullable(states.get(sequence.oid()))))
                        .toList(),
                List.of(),
                findings,
                skips.lines());
    }

    /** Returns columns that generate nothing and own a sequence: an application draws from it for them. */
    private static List<ColumnRow> fed(GeneratorCatalog catalog, List<ColumnRow> all, Iterable<SequenceRow> sequences)
            throws SQLException {
        Set<ColumnPath> generated = new HashSet<>();
        Set<Long> drawn = new HashSet<>();
        for (ColumnRow column : all) {
            generated.add(column.path());
            column.sequence().ifPresent(drawn::add);
        }
        Map<ColumnPath, SequenceRow> owned = new LinkedHashMap<>();
        for (SequenceRow sequence : sequences) {
            sequence.owner()
                    .filter(owner -> !generated.contains(owner) && !drawn.contains(sequence.oid()))
                    .ifPresent(owner -> owned.putIfAbsent(owner, sequence));
        }
        Map<ColumnPath, ColumnRow> columns = catalog.named(List.copyOf(owned.keySet()));
        List<ColumnRow> fed = new ArrayList<>();
        owned.forEach((owner, sequence) -> Optional.ofNullable(columns.get(owner))
                .ifPresent(column -> fed.add(column.withSequence(OptionalLong.of(sequence.oid())))));
        return fed;
    }

    /** A partition that draws from the sequence of the whole is read with the whole. */
    private static List<ColumnRow> ofTheirOwn(List<ColumnRow> all) {
        Set<List<Object>> drawn = new LinkedHashSet<>();
        for (ColumnRow column : all) {
            drawn.add(List.of(column.table(), column.path().column(), column.sequence()));
        }
        return all.stream()
                .filter(column -> column.root().isEmpty()
                        || !drawn.contains(
                                List.of(column.root().getAsLong(), column.path().column(), column.sequence())))
                .filter(column -> column.sequence().isPresent()
                        || column.root().isEmpty()
                        || column.generator() != NumberedColumn.Generator.IDENTITY)
                .toList();
    }

    /** How far a sequence has come. */
    private record State(BigInteger last, boolean called) {}

    private static Map<Long, State> states(Iterable<SequenceRow> sequences, BatchedReads batches, Skips skips)
            throws SQLException {
        Map<Long, State> states = new HashMap<>();
        List<SequenceRow> readable = new ArrayList<>();
        List<SequenceRow> usable = new ArrayList<>();
        for (SequenceRow sequence : sequences) {
            if (sequence.readable()) {
                readable.add(sequence);
            } else if (sequence.usable()) {
                usable.add(sequence);
            } else {
                skips.add("sequence " + sequence.name(), "this user may not read it; grant SELECT");
            }
        }
        batches.read(
                readable,
                sequence -> "last_value, is_called FROM " + PostgresRemedies.quoted(sequence.name()),
                sequence -> "sequence " + sequence.name(),
                (sequence, row) ->
                        states.put(sequence.oid(), new State(BigInteger.valueOf(row.getLong(2)), row.getBoolean(3))));
        // Who may draw may read the last value, and none is shown before the first draw.
        batches.read(
                usable,
                sequence -> "pg_catalog.pg_sequence_last_value(" + sequence.oid()
                        + "::pg_catalog.oid::pg_catalog.regclass)",
                sequence -> "sequence " + sequence.name(),
                (sequence, row) -> {
                    long last = row.getLong(2);
                    if (row.wasNull()) {
                        skips.add(
                                "sequence " + sequence.name(),
                                "this user may not read it before its first draw; grant SELECT");
                    } else {
                        states.put(sequence.oid(), new State(BigInteger.valueOf(last), true));
                    }
                });
        return states;
    }

    private static NativeSequence sequence(SequenceRow row, Optional<State> state) {
        boolean up = row.increment().signum() > 0;
        BigInteger end = up ? row.range().highest() : row.range().lowest();
        Optional<BigInteger> next = state.map(s -> s.called() ? s.last().add(row.increment()) : s.last());
        boolean beyond = next.isPresent()
                && (up ? next.get().compareTo(end) > 0 : next.get().compareTo(end) < 0);
        BigInteger origin = up ? row.range().lowest() : row.range().highest();
        return new NativeSequence(
                row.name(),
                row.start(),
                row.increment(),
                row.range(),
                row.cycle(),
                row.cache(),
                beyond ? Optional.of(origin).filter(again -> row.cycle()) : next,
                beyond && !row.cycle(),
                row.owner(),
                row.ofIdentity());
    }

    /** The lowest and the highest number of a column. */
    private record Extremes(Optional<BigInteger> lowest, Optional<BigInteger> highest) {}

    private static Map<ColumnRow, Extremes> extremes(
            GeneratorCatalog catalog,
            List<ColumnRow> columns,
            InspectionLimits limits,
            BatchedReads batches,
            Skips skips)
            throws SQLException {
        Map<Long, String> unsafe = columns.isEmpty() ? Map.of() : catalog.unsafe();
        Map<ColumnRow, Extremes> found = new LinkedHashMap<>();
        List<ColumnRow> tables = new ArrayList<>();
        List<ColumnRow> partitioned = new ArrayList<>();
        for (ColumnRow column : columns) {
            Optional<String> unread =
                    Optional.ofNullable(unsafe.get(column.table())).or(() -> whyUnread(column, limits));
            if (unread.isPresent()) {
                skips.add(column.path().toString(), unread.get());
            } else {
                (column.partitioned() ? partitioned : tables).add(column);
            }
        }
        BatchedReads.Reader<ColumnRow> reader = (column, row) -> {
            try {
                found.put(
                        column, new Extremes(number(row, 2, RoundingMode.CEILING), number(row, 3, RoundingMode.FLOOR)));
            } catch (NumberFormatException e) {
                skips.add(column.path().toString(), "it holds what is no number");
            }
        };
        batches.read(tables, PostgresInspection::query, column -> column.path().toString(), reader);
        // Each locks all its partitions.
        batches.oneByOne(
                partitioned, PostgresInspection::query, column -> column.path().toString(), reader);
        return found;
    }

    private static Optional<String> whyUnread(ColumnRow column, InspectionLimits limits) {
        if (column.foreign()) {
            return Optional.of("its table is on another server");
        }
        if (column.range().isEmpty()) {
            return Optional.of("its type holds no numbers");
        }
        if (column.computed()) {
            return Optional.of("its default computes with what it draws");
        }
        if (!column.readable()) {
            return Optional.of("this user may not read it; grant SELECT, and USAGE on the schema");
        }
        if (column.hidden()) {
            return Optional.of("row-level security hides rows from this user; look as the owner of the table");
        }
        return column.indexed() || limits.scans() ? Optional.empty() : Optional.of(Skips.NO_INDEX);
    }

    /** Without the tables that inherit from it, whose columns are on their own; a partitioned table has no rows but theirs. */
    private static String query(ColumnRow column) {
        String from = " FROM " + (column.partitioned() ? "" : "ONLY ")
                + PostgresRemedies.quoted(column.path().table());
        String name = "(" + PostgresFamily.quoteAny(column.path().column()) + ")";
        return "CAST((SELECT pg_catalog.min" + name + from + ") AS pg_catalog.text), CAST((SELECT pg_catalog.max" + name
                + from + ") AS pg_catalog.text)";
    }

    private static Optional<BigInteger> number(ResultSet row, int column, RoundingMode inwards) throws SQLException {
        String text = row.getString(column);
        return text == null
                ? Optional.empty()
                : Optional.of(new BigDecimal(text).setScale(0, inwards).toBigIntegerExact());
    }

    private static Optional<NumberedColumn> numbered(
            ColumnRow column, Map<Long, SequenceRow> sequences, @Nullable Extremes extremes) {
        return column.range()
                .filter(range -> !column.computed())
                .map(range -> numbered(column, range, sequences, extremes));
    }

    private static NumberedColumn numbered(
            ColumnRow column, ValueRange range, Map<Long, SequenceRow> sequences, @Nullable Extremes extremes) {
        Optional<SequenceRow> drawn = drawn(column.sequence(), sequences);
        return new NumberedColumn(
                column.path().table(),
                column.path().column(),
                column.generator(),
                column.type(),
                range,
                drawn.map(SequenceRow::name),
                // The sequence that a column owns has the owner of its table.
                drawn.filter(sequence -> sequence.role() != column.role()).isPresent(),
                Optional.empty(),
                BigInteger.ONE,
                extremes == null ? Optional.empty() : extremes.lowest(),
                extremes == null ? Optional.empty() : extremes.highest());
    }

    private static Optional<SequenceRow> drawn(OptionalLong oid, Map<Long, SequenceRow> sequences) {
        return oid.isPresent() ? Optional.ofNullable(sequences.get(oid.getAsLong())) : Optional.empty();
    }

    private static List<InspectionFinding> unlogged(List<ColumnRow> columns, Map<Long, SequenceRow> sequences) {
        Map<ObjectName, InspectionFinding> findings = new LinkedHashMap<>();
        for (ColumnRow column : columns) {
            ObjectName table = column.path().table();
            if (column.unlogged()) {
                findings.put(table, unlogged(table));
                continue;
            }
            drawn(column.sequence(), sequences).filter(SequenceRow::unlogged).ifPresent(sequence -> {
                String name = PostgresRemedies.quoted(sequence.name());
                findings.put(
                        sequence.name(),
                        new InspectionFinding(
                                InspectionFault.REPEATS,
                                sequence.name().toString(),
                                "the sequence is UNLOGGED: a crash sets it back to its start, and " + column.path()
                                        + " gets numbers that it holds",
                                Optional.of(
                                        new Remedy("ALTER SEQUENCE " + name + " SET LOGGED", Remedy.Kind.CHANGES))));
            });
        }
        return List.copyOf(findings.values());
    }

    private static InspectionFinding unlogged(ObjectName table) {
        return new InspectionFinding(
                InspectionFault.LOSES_COMMITS,
                table.toString(),
                "the table is UNLOGGED: a crash empties it",
                Optional.of(new Remedy(
                        "ALTER TABLE " + PostgresRemedies.quoted(table) + " SET LOGGED", Remedy.Kind.CHANGES)));
    }

    private static List<InspectionFinding> unreplicated(
            LimitedReads reads, List<ColumnRow> columns, Map<Long, SequenceRow> sequences, Skips skips)
            throws SQLException {
        Map<Long, Set<String>> publications = new HashMap<>();
        try {
            reads.alone(connection -> {
                try (PreparedStatement statement = connection.prepareStatement(PUBLISHED);
                        ResultSet row = statement.executeQuery()) {
                    while (row.next()) {
                        publications
                                .computeIfAbsent(row.getLong(2), none -> new LinkedHashSet<>())
                                .add(row.getString(1));
                    }
                }
                return publications;
            });
        } catch (SQLException e) {
            if (reads.connection().isClosed()) {
                throw e;
            }
            skips.add("publications", "not readable by this user (" + SqlFailures.oneLine(e) + ")");
        }
        Map<ObjectName, InspectionFinding> findings = new LinkedHashMap<>();
        for (ColumnRow column : columns) {
            Set<String> in = publications.getOrDefault(column.table(), Set.of());
            Optional<SequenceRow> sequence = drawn(column.sequence(), sequences);
            if (!in.isEmpty() && sequence.isPresent()) {
                ObjectName name = sequence.get().name();
                findings.putIfAbsent(
                        name,
                        new InspectionFinding(
                                InspectionFault.NOT_REPLICATED,
                                name.toString(),
                                "publication " + String.join(", ", in) + " copies " + column.path()
                                        + ", but not how far the sequence has come: a subscriber that takes over deals numbers again",
                                Optional.of(PostgresRemedies.onSubscriber(
                                        name,
                                        column.path(),
                                        sequence.get().increment().signum() > 0))));
            }
        }
        return List.copyOf(findings.values());
    }

    @Override
    public List<ColumnExtent> extents(
            Connection connection, InspectionLimits limits, List<ColumnPath> candidates, Skips skips)
            throws SQLException {
        LimitedReads reads = new LimitedReads(connection, limits);
        BatchedReads batches = new BatchedReads(
                reads, skips, System.nanoTime() + limits.total().toNanos());
        GeneratorCatalog catalog = new GeneratorCatalog(reads);
        Map<ColumnPath, ColumnRow> found = catalog.named(candidates);
        List<ColumnRow> distinct = found.values().stream().distinct().toList();
        Map<ColumnRow, Extremes> extremes = extremes(catalog, distinct, limits, batches, skips);
        List<ColumnExtent> extents = new ArrayList<>();
        found.forEach((asked, column) -> {
            Extremes read = extremes.getOrDefault(column, new Extremes(Optional.empty(), Optional.empty()));
            extents.add(new ColumnExtent(asked, column.path(), read.lowest(), read.highest()));
        });
        return extents;
    }

    @Override
    public Set<ObjectName> present(Connection connection, Set<ObjectName> tables) throws SQLException {
        List<ObjectName> asked = List.copyOf(tables);
        Set<ObjectName> present = new LinkedHashSet<>();
        try (PreparedStatement statement = connection.prepareStatement(PRESENT)) {
            statement.setArray(
                    1,
                    connection.createArrayOf(
                            "text", asked.stream().map(ObjectName::schema).toArray()));
            statement.setArray(
                    2,
                    connection.createArrayOf(
                            "text", asked.stream().map(ObjectName::name).toArray()));
            statement.setInt(3, asked.size());
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    present.add(asked.get(row.getInt(1) - 1));
                }
            }
        }
        return present;
    }

    @Override
    public List<InspectionFinding> ownTable(Connection connection, String table) throws SQLException {
        return Settings.read(connection, UNLOGGED, PostgresFamily.quoteAny(table)).stream()
                .map(name -> new InspectionFinding(
                        InspectionFault.LOSES_COMMITS,
                        table,
                        "the table of our sequences is UNLOGGED: a crash empties it, and numbers are dealt again",
                        Optional.of(new Remedy(
                                "ALTER TABLE " + PostgresFamily.quoteAny(table) + " SET LOGGED", Remedy.Kind.CHANGES))))
                .toList();
    }

    @Override
    public Remedy raise(NativeSequence sequence, BigInteger held) {
        return PostgresRemedies.raise(sequence, held);
    }

    @Override
    public Remedy raise(NumberedColumn column, BigInteger held) {
        return new Remedy(
                "no sequence is known for " + column.path() + ": name its sequence in its default, with ::regclass",
                Remedy.Kind.ADVICE);
    }

    @Override
    public Remedy own(NativeSequence sequence, NumberedColumn by) {
        return PostgresRemedies.own(sequence, by);
    }

    @Override
    public Remedy noCycle(NativeSequence sequence) {
        return PostgresRemedies.noCycle(sequence);
    }

    @Override
    public Remedy noCache(NativeSequence sequence) {
        return PostgresRemedies.noCache(sequence);
    }

    @Override
    public Remedy widen(NumberedColumn column) {
        return PostgresRemedies.widen(column);
    }

    /** Sessions deal from a cache each. */
    @Override
    public boolean cachesReorder() {
        return true;
    }

    @Override
    public long usualCache() {
        return 1;
    }
}
