// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import static dev.seriatim.doctor.inventory.LimitedReads.qualified;

import dev.seriatim.doctor.inventory.PostgresGenerators.ColumnRow;
import dev.seriatim.doctor.inventory.PostgresGenerators.SequenceRow;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Reads a PostgreSQL database. Needs no right but to connect: what this user may not read is reported as skipped.
 *
 * <p>Locks on tables and sequences are shared with all statements but those that change a table's definition, and are held for one
 * statement each.
 */
record PostgresCatalog() implements EngineCatalog {

    private static final String PUBLISHED = qualified("""
            SELECT p.pubname, c.oid FROM pg_catalog.pg_publication_tables p
              JOIN pg_catalog.pg_namespace n ON n.nspname = p.schemaname
              JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = p.tablename
            ORDER BY p.pubname""");

    private static final String UNLOGGED = qualified(
            "SELECT c.relname FROM pg_catalog.pg_class c"
                    + " WHERE c.oid = pg_catalog.to_regclass(?)::pg_catalog.oid AND c.relpersistence = 'u'::pg_catalog.\"char\"");

    @Override
    public void begin(Connection connection, InspectionLimits limits) throws SQLException {
        LimitedReads.begin(connection, limits);
    }

    @Override
    public Remedies remedies() {
        return new PostgresRemedies();
    }

    @Override
    public Generators read(Connection connection, InspectionLimits limits, Skips skips) throws SQLException {
        LimitedReads reads = new LimitedReads(connection, limits, skips);
        BatchedReads batches = reads.batches();
        PostgresGenerators generators = new PostgresGenerators(reads);
        Map<Long, SequenceRow> rows = generators.sequences();
        List<ColumnRow> all = new ArrayList<>(generators.columns(rows.values()));
        all.addAll(fed(generators, all, rows.values()));
        List<ColumnRow> columns = ofTheirOwn(all);
        // Beside inserts, a sequence that is read after its column is ahead of it.
        Map<ColumnRow, Extremes> extremes = extremes(generators, columns, batches);
        List<NativeSequence> sequences = states(rows.values(), batches);
        List<InspectionFinding> findings = new ArrayList<>(PostgresServer.findings(reads, !all.isEmpty()));
        findings.addAll(unlogged(all, rows));
        findings.addAll(unreplicated(reads, all, rows));
        String version =
                reads.alone(open -> Query.first(open, "SHOW server_version").orElse(""));
        return new Generators(
                "PostgreSQL " + version,
                columns.stream()
                        .filter(column -> !column.computed())
                        .flatMap(column -> column.range().stream()
                                .map(range -> numbered(column, range, drawn(column, rows), extremes)))
                        .toList(),
                sequences,
                sequences.stream().anyMatch(NativeSequence::steps) ? generators.tables() : Set.of(),
                findings);
    }

    /** Returns columns that generate nothing and own a sequence: an application draws from it for them. */
    private static List<ColumnRow> fed(
            PostgresGenerators generators, List<ColumnRow> all, Collection<SequenceRow> sequences) throws SQLException {
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
        Map<ColumnPath, ColumnRow> columns = generators.named(List.copyOf(owned.keySet()));
        List<ColumnRow> fed = new ArrayList<>();
        columns.forEach((owner, column) -> Optional.ofNullable(owned.get(owner))
                .ifPresent(sequence -> fed.add(column.drawing(sequence.oid(), false))));
        return fed;
    }

    /** Leaves out partitions that draw from the sequence of the whole: they are read with the whole. */
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

    /** Reads the next value of each sequence. */
    private static List<NativeSequence> states(Collection<SequenceRow> sequences, BatchedReads batches)
            throws SQLException {
        Map<Long, BigInteger> next = new HashMap<>();
        List<SequenceRow> readable = new ArrayList<>();
        List<SequenceRow> usable = new ArrayList<>();
        for (SequenceRow sequence : sequences) {
            if (sequence.readable()) {
                readable.add(sequence);
            } else if (sequence.usable()) {
                usable.add(sequence);
            } else {
                batches.skips().add(subject(sequence), "this user may not read it; grant SELECT");
            }
        }
        batches.read(
                readable,
                sequence -> "last_value, is_called FROM " + PostgresRemedies.quoted(sequence.name()),
                PostgresCatalog::subject,
                (sequence, row) -> {
                    BigInteger last = BigInteger.valueOf(row.getLong(2));
                    BigInteger increment = sequence.definition().increment();
                    next.put(sequence.oid(), row.getBoolean(3) ? last.add(increment) : last);
                });
        // A user who may only draw reads the last value, which is null before the first draw.
        batches.read(
                usable,
                sequence -> "pg_catalog.pg_sequence_last_value(" + sequence.oid()
                        + "::pg_catalog.oid::pg_catalog.regclass)",
                PostgresCatalog::subject,
                (sequence, row) -> {
                    BigInteger last = BigInteger.valueOf(row.getLong(2));
                    if (row.wasNull()) {
                        batches.skips()
                                .add(
                                        subject(sequence),
                                        "this user may not read it before its first draw; grant SELECT");
                    } else {
                        next.put(sequence.oid(), last.add(sequence.definition().increment()));
                    }
                });
        return sequences.stream()
                .map(sequence -> at(sequence.definition(), Optional.ofNullable(next.get(sequence.oid()))))
                .toList();
    }

    private static String subject(SequenceRow sequence) {
        return "sequence " + sequence.name();
    }

    private static NativeSequence at(NativeSequence sequence, Optional<BigInteger> next) {
        boolean up = sequence.increment().signum() > 0;
        BigInteger first = sequence.range().end(!up);
        BigInteger last = sequence.range().end(up);
        boolean beyond = next.filter(value -> up ? value.compareTo(last) > 0 : value.compareTo(last) < 0)
                .isPresent();
        return sequence.at(
                beyond ? Optional.of(first).filter(again -> sequence.cycle()) : next, beyond && !sequence.cycle());
    }

    private static Map<ColumnRow, Extremes> extremes(
            PostgresGenerators generators, List<ColumnRow> columns, BatchedReads batches) throws SQLException {
        Map<Long, String> unsafe = columns.isEmpty() ? Map.of() : generators.unsafe();
        List<ColumnRow> tables = new ArrayList<>();
        List<ColumnRow> partitioned = new ArrayList<>();
        for (ColumnRow column : columns) {
            Optional<String> unread =
                    Optional.ofNullable(unsafe.get(column.table())).or(column::unread);
            if (unread.isPresent()) {
                batches.skips().add(column.path().toString(), unread.get());
            } else {
                (column.partitioned() ? partitioned : tables).add(column);
            }
        }
        Map<ColumnRow, Extremes> found = new HashMap<>(batches.extremes(
                BatchedReads.BATCH,
                tables,
                PostgresCatalog::query,
                column -> column.path().toString()));
        // A statement locks all partitions of a table.
        found.putAll(batches.extremes(
                1, partitioned, PostgresCatalog::query, column -> column.path().toString()));
        return found;
    }

    /** Leaves out the tables that inherit from it, which are read themselves; a partitioned table has no rows of its own. */
    private static String query(ColumnRow column) {
        String from = " FROM " + (column.partitioned() ? "" : "ONLY ")
                + PostgresRemedies.quoted(column.path().table());
        String name = "(" + PostgresRemedies.quoteAny(column.path().column()) + ")";
        return "CAST((SELECT pg_catalog.min" + name + from + ") AS pg_catalog.text), CAST((SELECT pg_catalog.max" + name
                + from + ") AS pg_catalog.text)";
    }

    private static NumberedColumn numbered(
            ColumnRow column, ValueRange range, Optional<SequenceRow> drawn, Map<ColumnRow, Extremes> extremes) {
        return NumberedColumn.drawing(
                column.path(),
                column.generator(),
                column.type(),
                range,
                drawn.map(SequenceRow::name),
                // The sequence that a column owns has the owner of its table.
                drawn.filter(sequence -> sequence.role() != column.role()).isPresent(),
                extremes.getOrDefault(column, Extremes.NONE));
    }

    private static Optional<SequenceRow> drawn(ColumnRow column, Map<Long, SequenceRow> sequences) {
        OptionalLong oid = column.sequence();
        return oid.isPresent() ? Optional.ofNullable(sequences.get(oid.getAsLong())) : Optional.empty();
    }

    private static Collection<InspectionFinding> unlogged(List<ColumnRow> columns, Map<Long, SequenceRow> sequences) {
        Map<ObjectName, InspectionFinding> findings = new LinkedHashMap<>();
        for (ColumnRow column : columns) {
            ObjectName table = column.path().table();
            if (column.unlogged()) {
                findings.put(
                        table,
                        new InspectionFinding(
                                InspectionFault.LOSES_COMMITS,
                                table.toString(),
                                "the table is UNLOGGED: a crash empties it",
                                PostgresRemedies.logged("TABLE", table)));
                continue;
            }
            drawn(column, sequences)
                    .filter(SequenceRow::unlogged)
                    .map(SequenceRow::name)
                    .ifPresent(name -> findings.put(
                            name,
                            new InspectionFinding(
                                    InspectionFault.REPEATS,
                                    name.toString(),
                                    """
                                    the sequence is UNLOGGED: a crash sets it back to its start, and %s gets numbers \
                                    that it holds""".formatted(column.path()),
                                    PostgresRemedies.logged("SEQUENCE", name))));
        }
        return findings.values();
    }

    private static Collection<InspectionFinding> unreplicated(
            LimitedReads reads, List<ColumnRow> columns, Map<Long, SequenceRow> sequences) throws SQLException {
        Map<Long, Set<String>> publications = new HashMap<>();
        reads.rowsOrSkip(
                "publications",
                PUBLISHED,
                row -> publications
                        .computeIfAbsent(row.getLong(2), none -> new LinkedHashSet<>())
                        .add(row.getString(1)));
        Map<ObjectName, InspectionFinding> findings = new LinkedHashMap<>();
        for (ColumnRow column : columns) {
            Set<String> in = publications.getOrDefault(column.table(), Set.of());
            Optional<NativeSequence> sequence = drawn(column, sequences).map(SequenceRow::definition);
            if (!in.isEmpty() && sequence.isPresent()) {
                ObjectName name = sequence.get().name();
                boolean up = sequence.get().increment().signum() > 0;
                findings.putIfAbsent(
                        name,
                        new InspectionFinding(
                                InspectionFault.NOT_REPLICATED,
                                name.toString(),
                                """
                                publication %s copies %s, but not the sequence: a subscriber that takes over deals \
                                numbers again""".formatted(String.join(", ", in), column.path()),
                                PostgresRemedies.onSubscriber(name, column.path(), up)));
            }
        }
        return findings.values();
    }

    @Override
    public List<Extent> extents(
            Connection connection, InspectionLimits limits, List<ColumnPath> candidates, Skips skips)
            throws SQLException {
        LimitedReads reads = new LimitedReads(connection, limits, skips);
        PostgresGenerators generators = new PostgresGenerators(reads);
        Map<ColumnPath, ColumnRow> found = generators.named(candidates);
        Map<ColumnRow, Extremes> extremes =
                extremes(generators, found.values().stream().distinct().toList(), reads.batches());
        return found.entrySet().stream()
                .map(entry -> new Extent(
                        entry.getKey(),
                        entry.getValue().path(),
                        extremes.getOrDefault(entry.getValue(), Extremes.NONE)))
                .toList();
    }

    @Override
    public List<InspectionFinding> ownTable(Connection connection, String table) throws SQLException {
        String quoted = PostgresRemedies.quoteAny(table);
        return Query.first(connection, UNLOGGED, quoted).stream()
                .map(name -> new InspectionFinding(
                        InspectionFault.LOSES_COMMITS,
                        table,
                        """
                        the table of our sequences is UNLOGGED: a crash empties it, and numbers are dealt again""",
                        new Remedy("ALTER TABLE " + quoted + " SET LOGGED", Remedy.Kind.CHANGES)))
                .toList();
    }
}
