// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import dev.seriatim.doctor.inventory.NumberedColumn.Generator;
import java.math.BigInteger;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the columns with generated numbers of one database, and the sequences that they draw from. Not thread-safe. */
final class MySqlTables {

    /** Engines without transactions. Others, such as NDB or RocksDB, have them. */
    private static final Set<String> WITHOUT_TRANSACTIONS = Set.of("MyISAM", "Aria", "ARCHIVE");

    private static final String MEMORY = "MEMORY";

    /** Shows the rows of other tables, which are reported themselves, and has no counter. */
    private static final String MERGE = "MRG_MYISAM";

    private static final String COLUMNS = """
            SELECT TABLE_NAME, COLUMN_NAME, DATA_TYPE, COLUMN_TYPE, NUMERIC_PRECISION, NUMERIC_SCALE, EXTRA, \
            COLUMN_DEFAULT FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ? AND (EXTRA LIKE '%auto_increment%'""";

    /** MySQL has no sequences, and shows a text without its quotes. */
    private static final String DRAWING = " OR COLUMN_DEFAULT LIKE '%nextval(%'";

    private static final String TABLES = "SELECT TABLE_NAME, TABLE_TYPE, ENGINE, AUTO_INCREMENT"
            + " FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND ENGINE IS NOT NULL";

    /** The server does not show how much of its cache is used; the next value that it shows is the first beyond the cache. */
    private static final String SEQUENCE = """
            d.start_value, d.increment, d.minimum_value, d.maximum_value, d.cycle_option, d.cache_size, \
            d.next_not_cached_value""";

    private static final String TYPE =
            "SELECT TABLE_TYPE FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?";

    private static final String NAME = "`([^`]*+(?:``[^`]*+)*+)`";

    /** A default that draws from a sequence and nothing else, as MariaDB writes it. */
    private static final Pattern DRAW = Pattern.compile("nextval\\(" + NAME + "\\." + NAME + "\\)");

    /** Text and quoted names, which may look like a call. */
    private static final Pattern QUOTED =
            Pattern.compile("'(?:[^'\\\\]++|\\\\.)*+(?:'|\\z)|`[^`]*+(?:`|\\z)", Pattern.DOTALL);

    /** The last value of this type is never generated (error 1467). */
    private static final BigInteger MOST = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);

    /** A column as the catalog has it. */
    private record Entry(ColumnPath path, String type, ValueRange range, Optional<ObjectName> sequence) {}

    /** A table, or a sequence, with its counter. */
    private record Place(ObjectName name, boolean sequence, String engine, Optional<BigInteger> counter) {}

    private final SchemaReads schema;
    private final MySqlServer server;
    private final BatchedReads batches;
    private final Map<ObjectName, Place> places = new HashMap<>();
    private final List<NumberedColumn> columns = new ArrayList<>();
    private final Map<ObjectName, NativeSequence> sequences = new HashMap<>();
    private final List<InspectionFinding> findings = new ArrayList<>();

    private MySqlTables(SchemaReads schema, MySqlServer server, BatchedReads batches) {
        this.schema = schema;
        this.server = server;
        this.batches = batches;
    }

    static MySqlTables read(
            SchemaReads schema, boolean mariaDb, MySqlServer server, boolean scans, BatchedReads batches)
            throws SQLException {
        MySqlTables tables = new MySqlTables(schema, server, batches);
        tables.read(mariaDb, scans);
        return tables;
    }

    List<NumberedColumn> columns() {
        return columns;
    }

    /** Returns the sequences of the database, and those of other databases that its columns draw from. */
    List<NativeSequence> sequences() {
        return sequences.values().stream()
                .sorted(Comparator.comparing(sequence -> sequence.name().toString()))
                .toList();
    }

    /** Returns what is wrong with the kinds of its tables. */
    List<InspectionFinding> findings() {
        return findings;
    }

    private void read(boolean mariaDb, boolean scans) throws SQLException {
        Set<String> views = schema.views(scans);
        List<Entry> entries = schema.rows(COLUMNS + (mariaDb ? DRAWING : "") + ")", this::entry).stream()
                .flatMap(Optional::stream)
                .filter(entry -> !views.contains(entry.path().table().name()))
                .sorted(Comparator.comparing(entry -> entry.path().toString()))
                .toList();
        Set<ColumnPath> indexed = schema.indexed(mariaDb);
        List<ColumnPath> wanted = new ArrayList<>();
        for (Entry entry : entries) {
            if (scans || indexed.contains(entry.path())) {
                wanted.add(entry.path());
            } else {
                batches.skips().add(entry.path().toString(), Skips.NO_INDEX);
            }
        }
        // Beside inserts, a counter that is read after its column is ahead of it.
        Map<ColumnPath, Extremes> extremes = MySqlCatalog.extremes(batches, wanted);
        schema.rows(TABLES, this::place).forEach(place -> places.put(place.name(), place));
        Set<ObjectName> missing = readSequences(entries, extremes);
        for (Entry entry : entries) {
            Extremes ends = extremes.getOrDefault(entry.path(), Extremes.NONE);
            if (entry.sequence().isPresent()) {
                addDrawing(entry, entry.sequence().get(), missing, ends);
            } else {
                addCounting(entry, indexed.contains(entry.path()), ends);
            }
        }
    }

    private Optional<Entry> entry(ResultSet row) throws SQLException {
        ColumnPath path = schema.column(row);
        String full = row.getString(4);
        Optional<ValueRange> range = MySqlTypes.range(row.getString(3), full, row.getInt(5), row.getInt(6));
        if (row.getString(7).contains("auto_increment")) {
            return range.map(values -> new Entry(path, MySqlTypes.shown(full), values, Optional.empty()));
        }
        String text = Optional.ofNullable(row.getString(8)).orElse("");
        Matcher draw = DRAW.matcher(text);
        boolean plain = draw.matches();
        if (plain && range.isPresent()) {
            ObjectName sequence = new ObjectName(
                    draw.group(1).replace("``", "`"), draw.group(2).replace("``", "`"));
            return Optional.of(new Entry(path, MySqlTypes.shown(full), range.get(), Optional.of(sequence)));
        }
        if (plain || QUOTED.matcher(text).replaceAll("?").contains("nextval(")) {
            batches.skips().add(path.toString(), "its default computes with a sequence's values");
        }
        return Optional.empty();
    }

    private Place place(ResultSet row) throws SQLException {
        String engine = row.getString(3);
        Optional<BigInteger> counter = Optional.ofNullable(row.getString(4))
                .map(BigInteger::new)
                .filter(any -> !engine.equalsIgnoreCase(MERGE));
        return new Place(schema.name(row.getString(1)), row.getString(2).equals("SEQUENCE"), engine, counter);
    }

    /** Reads the sequences; returns those that do not exist. */
    private Set<ObjectName> readSequences(List<Entry> entries, Map<ColumnPath, Extremes> extremes) throws SQLException {
        Set<ObjectName> names = new LinkedHashSet<>();
        for (Place place : places.values()) {
            if (place.sequence()) {
                names.add(place.name());
                addEngine(place, true);
            }
        }
        Map<ObjectName, BigInteger> drawn = new HashMap<>();
        Set<ObjectName> others = new LinkedHashSet<>();
        for (Entry entry : entries) {
            entry.sequence().ifPresent(name -> {
                others.add(name);
                extremes.getOrDefault(entry.path(), Extremes.NONE)
                        .highest()
                        .ifPresent(highest -> drawn.merge(name, highest, BigInteger::max));
            });
        }
        others.removeAll(names);
        for (ObjectName other : others) {
            if (mayBeSequence(other)) {
                names.add(other);
            }
        }
        Set<ObjectName> missing = new HashSet<>();
        batches.read(
                BatchedReads.BATCH,
                List.copyOf(names),
                name -> SEQUENCE + " FROM " + MySqlRemedies.quoted(name) + " d",
                ObjectName::toString,
                (name, row) -> sequences.put(name, sequence(row, name, Optional.ofNullable(drawn.get(name)))),
                (name, e) -> {
                    if (MySqlCatalog.isMissing(e)) {
                        missing.add(name);
                    } else {
                        batches.skips().add(name.toString(), MySqlCatalog.reason(e));
                    }
                });
        return missing;
    }

    /** Returns whether a name in a default may be read. A view may have replaced the sequence, and would run code. */
    private boolean mayBeSequence(ObjectName name) throws SQLException {
        Optional<String> type = Query.first(batches.connection(), TYPE, name.schema(), name.name());
        boolean other = type.filter(kind -> !kind.equals("SEQUENCE")).isPresent();
        if (other) {
            batches.skips().add(name.toString(), "it is not a sequence, although a default draws from it");
        }
        return !other;
    }

    private NativeSequence sequence(ResultSet row, ObjectName name, Optional<BigInteger> drawn) throws SQLException {
        BigInteger increment = new BigInteger(row.getString(3));
        ValueRange range = new ValueRange(new BigInteger(row.getString(4)), new BigInteger(row.getString(5)));
        long cache = Math.max(1, row.getLong(7));
        BigInteger next = new BigInteger(row.getString(8));
        boolean beyond = next.compareTo(range.highest()) > 0 || next.compareTo(range.lowest()) < 0;
        boolean cycle = row.getBoolean(6);
        boolean usedUp = beyond && !cycle && (cache == 1 || endIsDrawn(drawn, increment, range));
        if (beyond && !cycle && !usedUp) {
            batches.skips().add(name.toString(), """
                            its last values are in the server's cache, which does not show how many are left""");
        }
        return new NativeSequence(
                name,
                new BigInteger(row.getString(2)),
                increment,
                range,
                cycle,
                cache,
                beyond ? Optional.empty() : Optional.of(next),
                usedUp,
                Optional.empty(),
                false);
    }

    private static boolean endIsDrawn(Optional<BigInteger> drawn, BigInteger increment, ValueRange range) {
        return increment.signum() >= 0
                && drawn.filter(high -> high.add(increment.max(BigInteger.ONE)).compareTo(range.highest()) > 0)
                        .isPresent();
    }

    private void addCounting(Entry entry, boolean first, Extremes ends) {
        Place place = places.get(entry.path().table());
        Optional<BigInteger> next = Optional.empty();
        if (place != null) {
            // A counter for each group of an index's first columns is no counter of the column.
            boolean whole = first || place.engine().equals(MEMORY);
            next = place.counter().filter(any -> whole).map(counter -> next(counter, entry.range(), ends));
            addEngine(place, whole);
        }
        columns.add(new NumberedColumn(
                entry.path(),
                Generator.AUTO_INCREMENT,
                entry.type(),
                entry.range(),
                Optional.empty(),
                false,
                next,
                server.increment(),
                ends));
    }

    private BigInteger next(BigInteger counter, ValueRange range, Extremes ends) {
        BigInteger last = range.highest();
        boolean held = ends.highest().filter(last::equals).isPresent();
        // MySQL's counter stops at the type's last number; the next insert fails, as it does where it goes on.
        return counter.compareTo(last) >= 0 && (held || last.equals(MOST))
                ? last.add(BigInteger.ONE)
                : server.generated(counter);
    }

    private void addDrawing(Entry entry, ObjectName sequence, Set<ObjectName> missing, Extremes ends) {
        if (missing.contains(sequence)) {
            String start = ends.highest()
                    .map(high -> " START WITH " + high.add(BigInteger.ONE))
                    .orElse("");
            findings.add(new InspectionFinding(
                    InspectionFault.NOT_GENERATED,
                    entry.path().toString(),
                    """
                    the sequence %s, which its default draws from, does not exist: inserts fail""".formatted(sequence),
                    Remedy.statement(
                            "CREATE SEQUENCE " + MySqlRemedies.quoted(sequence) + start, Remedy.Kind.CHANGES)));
        }
        boolean foreign = !sequence.schema().equals(entry.path().table().schema());
        columns.add(NumberedColumn.drawing(
                entry.path(), Generator.DEFAULT, entry.type(), entry.range(), entry.sequence(), foreign, ends));
    }

    /** Reports the engine of a table or a sequence; InnoDB refuses to number in groups. */
    private void addEngine(Place place, boolean convertible) {
        boolean memory = place.engine().equals(MEMORY);
        if (memory || WITHOUT_TRANSACTIONS.contains(place.engine())) {
            findings.add(new InspectionFinding(
                    memory ? InspectionFault.REPEATS : InspectionFault.LOSES_COMMITS,
                    place.name().toString(),
                    memory
                            ? "its engine is MEMORY: a restart empties it, and generates its numbers again"
                            : """
                                    its engine is %s, which has no transactions: a crash loses acknowledged rows, and \
                                    generates their numbers again""".formatted(place.engine()),
                    convertible
                            ? MySqlRemedies.alter("TABLE", place.name(), "ENGINE = InnoDB")
                            : new Remedy("""
                                    InnoDB does not number in groups: number the groups with a sequence each, then \
                                    change the engine""", Remedy.Kind.ADVICE)));
        }
    }
}
