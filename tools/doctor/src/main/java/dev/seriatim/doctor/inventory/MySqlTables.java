// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import static dev.seriatim.doctor.inventory.EngineCatalog.backticks;

import dev.seriatim.doctor.inventory.InspectionFinding.Fault;
import java.math.BigInteger;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
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
            SELECT TABLE_NAME, COLUMN_NAME, DATA_TYPE, COLUMN_TYPE, NUMERIC_PRECISION, NUMERIC_SCALE, EXTRA, COLUMN_DEFAULT
            FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ? AND (EXTRA LIKE '%auto_increment%'""";

    /** MySQL has no sequences, and shows a text without its quotes. */
    private static final String DRAWING = " OR COLUMN_DEFAULT LIKE '%nextval(%'";

    private static final String TABLES = """
            SELECT TABLE_NAME, TABLE_TYPE, ENGINE, AUTO_INCREMENT, CREATE_OPTIONS
            FROM information_schema.TABLES WHERE ENGINE IS NOT NULL AND TABLE_SCHEMA = ?""";

    /** The server does not show how much of its cache is used; the next value that it shows is the first beyond the cache. */
    private static final String SEQUENCE = """
            d.start_value, d.increment, d.minimum_value, d.maximum_value, d.cycle_option, d.cache_size, \
            d.next_not_cached_value""";

    private static final String TYPE =
            "SELECT TABLE_TYPE FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?";

    private static final String FOREIGN_KEYS = """
            TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, REFERENCED_TABLE_SCHEMA, REFERENCED_TABLE_NAME, \
            REFERENCED_COLUMN_NAME, CONSTRAINT_NAME
            FROM information_schema.KEY_COLUMN_USAGE WHERE REFERENCED_TABLE_NAME IS NOT NULL""";

    private static final String NAME = "`([^`]*+(?:``[^`]*+)*+)`";

    /** A default that draws from a sequence and nothing else, as MariaDB writes it. */
    private static final Pattern DRAW = Pattern.compile("nextval\\(" + NAME + "\\." + NAME + "\\)");

    /** Text and quoted names, which may look like a call. */
    private static final Pattern QUOTED =
            Pattern.compile("'(?:[^'\\\\]++|\\\\.)*+(?:'|\\z)|`[^`]*+(?:`|\\z)", Pattern.DOTALL);

    /** The last value of this type is never generated (error 1467). */
    private static final BigInteger MOST = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);

    private record Entry(ColumnPath path, String type, ValueRange range, Optional<ObjectName> sequence) {}

    /** A table, or a sequence, with its counter. */
    private record Place(ObjectName name, boolean sequence, String engine, Optional<BigInteger> counter) {}

    private record Reference(ColumnPath from, ColumnPath to, String key) {}

    private final SchemaReads schema;
    private final MySqlCatalog catalog;
    private final MySqlServer server;
    private final Map<ObjectName, Place> places = new HashMap<>();

    MySqlTables(SchemaReads schema, MySqlCatalog catalog, MySqlServer server) {
        this.schema = schema;
        this.catalog = catalog;
        this.server = server;
    }

    /** Reads the sequences of the database, those of other databases that its columns draw from, and its columns. */
    List<NumberSource> read() throws SQLException {
        Set<String> views = schema.views();
        List<Entry> entries = schema.rows(COLUMNS + (catalog.mariaDb ? DRAWING : "") + ")", this::entry).stream()
                .flatMap(Optional::stream)
                .filter(entry -> !views.contains(entry.path().table().name()))
                .sorted(Comparator.comparing(entry -> entry.path().toString()))
                .toList();
        Set<ColumnPath> indexed = schema.indexed();
        // Beside inserts, a counter that is read after its column is ahead of it.
        Map<ColumnPath, Optional<ValueRange>> ends =
                catalog.ends(entries.stream().map(Entry::path).toList(), indexed::contains);
        schema.rows(TABLES, this::place).forEach(place -> places.put(place.name(), place));
        Map<ObjectName, List<NumberedColumn>> drawing = new HashMap<>();
        List<NumberSource> counting = new ArrayList<>();
        for (Entry entry : entries) {
            Optional<ValueRange> held = ends.getOrDefault(entry.path(), Optional.empty());
            entry.sequence()
                    .ifPresentOrElse(
                            name -> drawing.computeIfAbsent(name, none -> new ArrayList<>())
                                    .add(column(entry, held)),
                            () -> counting.add(counting(entry, indexed.contains(entry.path()), held)));
        }
        List<NumberSource> sources = sequences(drawing);
        sources.addAll(counting);
        widen(sources);
        return sources;
    }

    /** Prepares the statements that widen columns, for sources of which most is used. */
    private void widen(List<NumberSource> sources) throws SQLException {
        List<ColumnPath> tight = sources.stream()
                .filter(source -> source.usedOfNearest().stream().anyMatch(Share::isMost))
                .flatMap(source -> source.columns().stream())
                .map(NumberedColumn::name)
                .toList();
        List<Reference> references = new ArrayList<>();
        catalog.batch(1, tight.isEmpty() ? List.of() : List.of("foreign keys"), any -> FOREIGN_KEYS, (any, row) -> {
            ColumnPath from = new ColumnPath(new ObjectName(row.getString(2), row.getString(3)), row.getString(4));
            ColumnPath to = new ColumnPath(new ObjectName(row.getString(5), row.getString(6)), row.getString(7));
            references.add(new Reference(from, to, row.getString(8)));
        });
        tight.forEach(column -> widen(column, references));
    }

    /** With foreign keys, all that they tie to the column; the server changes no type under one, even with its checks off. */
    private void widen(ColumnPath column, List<Reference> references) {
        Set<ColumnPath> tied = new LinkedHashSet<>(List.of(column));
        Set<Reference> keys = new LinkedHashSet<>();
        while (keys.addAll(references.stream()
                .filter(key -> tied.contains(key.from) || tied.contains(key.to))
                .toList())) {
            keys.forEach(key -> tied.addAll(List.of(key.from, key.to)));
        }
        Set<String> all = new LinkedHashSet<>();
        keys.forEach(key ->
                all.add("ALTER TABLE " + backticks(key.from.table()) + " DROP FOREIGN KEY " + backticks(key.key)));
        tied.forEach(each -> all.add(change(each.table(), "MODIFY ", backticks(each.column()) + " ")));
        keys.forEach(
                key -> all.add(change(key.from.table(), "ADD ", "CONSTRAINT " + backticks(key.key) + " FOREIGN KEY")));
        if (!all.contains("")) {
            catalog.widening.put(column, String.join("; ", all));
        }
    }

    /** Returns the statement that repeats a part of a table's definition without a type; empty if this user may not read it. */
    private String change(ObjectName table, String change, String part) {
        try {
            return catalog.rows("SHOW CREATE TABLE " + backticks(table), row -> row.getString(2))
                    .get(0)
                    .lines()
                    .filter(line -> line.startsWith("  " + part))
                    .map(line -> line.substring(2 + part.length()).replaceFirst("^\\S+( unsigned)?( zerofill)?", "\0"))
                    .map(rest -> "ALTER TABLE " + backticks(table) + " " + change + part + rest.replaceFirst(",$", ""))
                    .findFirst()
                    .orElse("");
        } catch (SQLException e) {
            return "";
        }
    }

    private static NumberedColumn column(Entry entry, Optional<ValueRange> held) {
        String database = entry.path().table().schema();
        boolean foreign =
                entry.sequence().filter(name -> !name.schema().equals(database)).isPresent();
        return new NumberedColumn(entry.path(), entry.type(), entry.range(), foreign, held, false, List.of());
    }

    private Optional<Entry> entry(ResultSet row) throws SQLException {
        ColumnPath path = schema.column(row);
        String full = row.getString(4);
        // The width of an integer's display means nothing.
        String type = full.startsWith("decimal") ? full : full.replaceFirst("\\(\\d+\\)", "");
        Optional<ValueRange> range = range(row.getString(3), full, row.getInt(5), row.getInt(6));
        if (row.getString(7).contains("auto_increment")) {
            return range.map(values -> new Entry(path, type, values, Optional.empty()));
        }
        String text = Optional.ofNullable(row.getString(8)).orElse("");
        Matcher draw = DRAW.matcher(text);
        boolean plain = draw.matches();
        if (plain && range.isPresent()) {
            ObjectName sequence = new ObjectName(
                    draw.group(1).replace("``", "`"), draw.group(2).replace("``", "`"));
            return Optional.of(new Entry(path, type, range.get(), Optional.of(sequence)));
        }
        if (plain || QUOTED.matcher(text).replaceAll("?").contains("nextval(")) {
            catalog.skips.add(path.toString(), "its default computes with a sequence's values");
        }
        return Optional.empty();
    }

    private Place place(ResultSet row) throws SQLException {
        String engine = row.getString(3);
        Optional<BigInteger> counter = Optional.ofNullable(row.getString(4))
                .map(BigInteger::new)
                .filter(any -> !engine.equalsIgnoreCase(MERGE));
        ObjectName name = schema.name(row.getString(1));
        if (catalog.mariaDb && counter.isPresent() && row.getString(5).contains("partitioned")) {
            catalog.note(name, """
                    is partitioned: an insert that fails can set AUTO_INCREMENT back (MDEV-40995); a key of several \
                    columns then lets the numbers repeat""");
        }
        return new Place(name, row.getString(2).equals("SEQUENCE"), engine, counter);
    }

    /** Returns what a type holds, such as {@code int} or {@code int(10) unsigned} in full; empty if no whole numbers. */
    private static Optional<ValueRange> range(String type, String full, int precision, int scale) {
        boolean unsigned = full.toLowerCase(Locale.ROOT).contains("unsigned");
        int sign = unsigned ? 0 : 1;
        ValueRange signed = switch (type.toLowerCase(Locale.ROOT)) {
            case "tinyint" -> ValueRange.ofBits(8 - sign);
            case "smallint" -> ValueRange.ofBits(16 - sign);
            case "mediumint" -> ValueRange.ofBits(24 - sign);
            case "int" -> ValueRange.ofBits(32 - sign);
            case "bigint" -> ValueRange.ofBits(64 - sign);
            case "decimal" -> ValueRange.ofDigits(precision - scale);
            case "float" -> ValueRange.ofMantissa(24);
            case "double" -> ValueRange.ofMantissa(53);
            default -> null;
        };
        return Optional.ofNullable(signed)
                .map(range -> unsigned ? new ValueRange(BigInteger.ZERO, range.highest()) : range);
    }

    /** Reads the sequences; {@code drawing} has the columns by the sequences that they draw from. */
    private List<NumberSource> sequences(Map<ObjectName, List<NumberedColumn>> drawing) throws SQLException {
        Set<ObjectName> names = new LinkedHashSet<>();
        for (Place place : places.values()) {
            if (place.sequence()) {
                names.add(place.name());
                checkEngine(place, true);
            }
        }
        for (ObjectName other : drawing.keySet()) {
            // A view may have replaced the sequence, and would run code.
            if (catalog.first(TYPE, other.schema(), other.name())
                    .orElse("SEQUENCE")
                    .equals("SEQUENCE")) {
                names.add(other);
            } else {
                catalog.skips.add(other.toString(), "it is not a sequence, although a default draws from it");
            }
        }
        Map<String, NumberSource> sequences = new TreeMap<>();
        catalog.batch(
                EngineCatalog.BATCH,
                List.copyOf(names),
                name -> SEQUENCE + " FROM " + backticks(name) + " d",
                (name, row) ->
                        sequences.put(name.toString(), sequence(row, name, drawing.getOrDefault(name, List.of()))),
                (name, e) -> {
                    if (MySqlCatalog.isMissing(e)) {
                        drawing.getOrDefault(name, List.of()).forEach(column -> missing(name, column));
                    } else {
                        catalog.skips.add(name.toString(), catalog.reason(e));
                    }
                });
        List<NumberSource> sources = new ArrayList<>(sequences.values());
        sequences.values().forEach(source -> source.columns().forEach(column -> mayCollide(source, column)));
        drawing.forEach((name, columns) -> {
            if (!sequences.containsKey(name.toString())) {
                columns.forEach(column -> sources.add(NumberSource.of(column)));
            }
        });
        return sources;
    }

    private void missing(ObjectName sequence, NumberedColumn column) {
        String start = column.held()
                .map(held -> " START WITH " + held.highest().add(BigInteger.ONE))
                .orElse("");
        catalog.findings.add(Fault.MISSING_SEQUENCE.of(
                column.name(),
                """
                the sequence %s, which its default draws from, does not exist: inserts \
                fail""".formatted(sequence),
                Remedy.changes("CREATE SEQUENCE " + backticks(sequence) + start)));
    }

    private NumberSource sequence(ResultSet row, ObjectName name, List<NumberedColumn> columns) throws SQLException {
        BigInteger increment = new BigInteger(row.getString(3));
        ValueRange range = new ValueRange(new BigInteger(row.getString(4)), new BigInteger(row.getString(5)));
        long cache = Math.max(1, row.getLong(7));
        BigInteger free = new BigInteger(row.getString(8));
        BigInteger next = increment.signum() == 0 ? server.generated(free) : free;
        boolean beyond = next.compareTo(range.highest()) > 0 || next.compareTo(range.lowest()) < 0;
        boolean ended = beyond && !row.getBoolean(6);
        boolean usedUp = ended && (cache == 1 || endIsDrawn(columns, increment, range));
        if (ended && !usedUp) {
            catalog.skips.add(name.toString(), """
                    its last values are in the server's cache, which does not show how many are left""");
        }
        return new NumberSource(
                NumberSource.Kind.SEQUENCE,
                name,
                beyond ? Optional.empty() : Optional.of(next),
                usedUp,
                new BigInteger(row.getString(2)),
                increment,
                range,
                row.getBoolean(6),
                cache,
                Optional.empty(),
                columns);
    }

    /** Offers to pass the last number of a column, which may be in the server's cache; only the first value there is known to be dealt. */
    private void mayCollide(NumberSource source, NumberedColumn column) {
        BigInteger step = source.increment();
        BigInteger next = source.next().orElse(BigInteger.ZERO);
        BigInteger ahead = column.held().map(source::last).map(next::subtract).orElse(BigInteger.ZERO);
        if (source.next().isPresent() && !column.foreign() && ahead.signum() * step.signum() > 0) {
            BigInteger left = ahead.subtract(BigInteger.valueOf(step.signum())).divide(step);
            if (left.compareTo(BigInteger.valueOf(source.cache() - 1)) < 0) {
                BigInteger beyond = next.subtract(left.multiply(step));
                Remedy remedy = Remedy.raises("SELECT SETVAL(" + backticks(source.name()) + ", " + beyond + ", 0)");
                catalog.findings.add(Fault.MAYBE_BEHIND.of(source.name(), "may repeat " + column.path(), remedy));
                catalog.skips.add(source.name().toString(), """
                        the server's cache hides the next number, which a column may hold already; --mend passes it""");
            }
        }
    }

    private static boolean endIsDrawn(List<NumberedColumn> columns, BigInteger increment, ValueRange range) {
        BigInteger beyond = range.highest().subtract(increment.max(BigInteger.ONE));
        return increment.signum() >= 0
                && columns.stream()
                        .flatMap(column -> column.held().stream())
                        .anyMatch(held -> held.highest().compareTo(beyond) > 0);
    }

    private NumberSource counting(Entry entry, boolean first, Optional<ValueRange> held) {
        Place place = places.get(entry.path().table());
        Optional<BigInteger> next = Optional.empty();
        if (place != null) {
            // A counter for each group of an index's first columns is no counter of the column.
            boolean whole = first || place.engine().equals(MEMORY);
            next = place.counter().filter(any -> whole).map(counter -> next(counter, entry.range(), held));
            checkEngine(place, whole);
        }
        return NumberSource.of(NumberSource.Kind.AUTO_INCREMENT, column(entry, held), next, server.increment());
    }

    private BigInteger next(BigInteger counter, ValueRange range, Optional<ValueRange> held) {
        BigInteger last = range.highest();
        boolean used = held.filter(ends -> ends.highest().equals(last)).isPresent();
        // MySQL's counter stops at the type's last number; the next insert fails, as it does where it goes on.
        return counter.compareTo(last) >= 0 && (used || last.equals(MOST))
                ? last.add(BigInteger.ONE)
                : server.generated(counter);
    }

    /** Reports the engine of a table or a sequence; InnoDB refuses to number in groups. */
    private void checkEngine(Place place, boolean convertible) {
        boolean memory = place.engine().equals(MEMORY);
        if (memory || WITHOUT_TRANSACTIONS.contains(place.engine())) {
            Remedy remedy =
                    convertible ? MySqlCatalog.alter("TABLE", place.name(), "ENGINE = InnoDB") : Remedy.advice("""
                            InnoDB does not number in groups: number the groups with a sequence each, then change the \
                            engine""");
            String what =
                    memory ? "a restart empties it, and" : "without transactions, a crash loses acknowledged rows, and";
            catalog.findings.add((memory ? Fault.REPEATS : Fault.LOSES_COMMITS)
                    .of(
                            place.name(),
                            "its engine is " + place.engine() + ": " + what + " generates their numbers again",
                            remedy));
        }
    }
}
