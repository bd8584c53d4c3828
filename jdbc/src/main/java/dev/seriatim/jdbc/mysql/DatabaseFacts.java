// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.mysql;

import dev.seriatim.jdbc.inspect.BatchedExtremes;
import dev.seriatim.jdbc.inspect.BatchedExtremes.Extremes;
import dev.seriatim.jdbc.inspect.ColumnPath;
import dev.seriatim.jdbc.inspect.InspectionFault;
import dev.seriatim.jdbc.inspect.InspectionFinding;
import dev.seriatim.jdbc.inspect.NativeSequence;
import dev.seriatim.jdbc.inspect.NumberedColumn;
import dev.seriatim.jdbc.inspect.NumberedColumn.Generator;
import dev.seriatim.jdbc.inspect.ObjectName;
import dev.seriatim.jdbc.inspect.Remedy;
import dev.seriatim.jdbc.inspect.Skips;
import dev.seriatim.jdbc.inspect.ValueRange;
import java.math.BigInteger;
import java.sql.Connection;
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
import org.jspecify.annotations.Nullable;

/**
 * What generates numbers in one database.
 *
 * @param columns the columns with generated numbers
 * @param sequences its sequences, and those of other databases that its columns draw from
 * @param findings what is wrong with the kinds of its tables
 */
record DatabaseFacts(List<NumberedColumn> columns, List<NativeSequence> sequences, List<InspectionFinding> findings) {

    private static final int UNKNOWN_COLUMN = 1054;

    /** Engines without transactions. Others, such as NDB or RocksDB, have them. */
    private static final Set<String> WITHOUT_TRANSACTIONS = Set.of("MyISAM", "Aria", "ARCHIVE");

    private static final String MEMORY = "MEMORY";

    /** Shows the rows of other tables, which are reported themselves, and has no counter. */
    private static final String MERGE = "MRG_MYISAM";

    private static final String COLUMNS = "SELECT TABLE_NAME, COLUMN_NAME, DATA_TYPE, COLUMN_TYPE, NUMERIC_PRECISION,"
            + " NUMERIC_SCALE, EXTRA, COLUMN_DEFAULT FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ?"
            + " AND (EXTRA LIKE '%auto_increment%'";

    /** MySQL has no sequences, and shows a text without its quotes. */
    private static final String DRAWING = " OR COLUMN_DEFAULT LIKE '%nextval(%'";

    private static final String INDEXES = "SELECT TABLE_NAME, COLUMN_NAME FROM information_schema.STATISTICS"
            + " WHERE TABLE_SCHEMA = ? AND SEQ_IN_INDEX = 1 AND INDEX_TYPE = 'BTREE' AND SUB_PART IS NULL"
            + " AND COLUMN_NAME IS NOT NULL";

    private static final String TABLES = "SELECT TABLE_NAME, TABLE_TYPE, ENGINE, AUTO_INCREMENT"
            + " FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND ENGINE IS NOT NULL";

    /** A view shows its columns with the defaults of their tables; to read a view runs what it calls. */
    private static final String VIEWS =
            "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_TYPE LIKE '%VIEW' AND TABLE_SCHEMA = ?";

    /** A column as the catalog has it. */
    private record Entry(ColumnPath path, String type, ValueRange range, Optional<ObjectName> sequence) {}

    /** A table, or a sequence, with its counter. */
    private record Place(String name, boolean sequence, String engine, Optional<BigInteger> counter) {}

    static DatabaseFacts read(
            Connection connection,
            String database,
            boolean mariaDb,
            MySqlServerFindings server,
            boolean scans,
            long end,
            Skips skips)
            throws SQLException {
        SchemaReads schema = new SchemaReads(connection, database, end, skips);
        Set<String> views = views(schema, scans);
        List<Entry> entries = entries(schema, database, mariaDb, skips).stream()
                .filter(entry -> !views.contains(entry.path().table().name()))
                .toList();
        Set<ColumnPath> indexed = indexed(schema, database, mariaDb);
        List<ColumnPath> wanted = new ArrayList<>();
        for (Entry entry : entries) {
            if (scans || indexed.contains(entry.path())) {
                wanted.add(entry.path());
            } else {
                skips.add(entry.path().toString(), Skips.NO_INDEX);
            }
        }
        // The highest numbers first, the counters after them: a counter that is read later is ahead of what is read
        // earlier.
        Map<ColumnPath, Extremes> extremes = extremes(connection, end, skips).of(wanted);
        Map<String, Place> places = places(schema);
        Reader reader = new Reader(database, server, indexed, extremes, places);
        reader.addSequences(new MariaDbSequenceReads(connection, end, skips), entries);
        entries.forEach(reader::add);
        return reader.facts();
    }

    static BatchedExtremes extremes(Connection connection, long end, Skips skips) {
        return new BatchedExtremes(
                connection,
                end,
                QuotedNames::quoted,
                // With places after the point: a fraction is not rounded up to a number that is not there.
                value -> "CAST(" + value + " AS DECIMAL(65, 10))",
                MySqlErrors::reason,
                skips);
    }

    /** Returns the views; none unless columns without an index are read, since a view has none. */
    static Set<String> views(SchemaReads schema, boolean scans) throws SQLException {
        return scans ? new HashSet<>(schema.rows(VIEWS, row -> row.getString(1))) : Set.of();
    }

    private static List<Entry> entries(SchemaReads schema, String database, boolean mariaDb, Skips skips)
            throws SQLException {
        return schema.rows(COLUMNS + (mariaDb ? DRAWING : "") + ")", row -> entry(database, row, skips)).stream()
                .flatMap(Optional::stream)
                .sorted(Comparator.comparing(entry -> entry.path().toString()))
                .toList();
    }

    private static Optional<Entry> entry(String database, ResultSet row, Skips skips) throws SQLException {
        ColumnPath path = new ColumnPath(new ObjectName(database, row.getString(1)), row.getString(2));
        String full = row.getString(4);
        Optional<ValueRange> range = IntegerTypes.range(row.getString(3), full, row.getInt(5), row.getInt(6));
        Optional<ObjectName> sequence = Optional.empty();
        if (!row.getString(7).contains("auto_increment")) {
            NextValueDefault drawn = NextValueDefault.of(row.getString(8));
            sequence = drawn.sequence();
            if (range.isEmpty() || sequence.isEmpty()) {
                if (drawn.draws()) {
                    skips.add(path.toString(), "its default computes with a sequence's values");
                }
                return Optional.empty();
            }
        }
        Optional<ObjectName> source = sequence;
        return range.map(values -> new Entry(path, IntegerTypes.shown(full), values, source));
    }

    /** Returns the columns that an index begins with. */
    static Set<ColumnPath> indexed(SchemaReads schema, String database, boolean mariaDb) throws SQLException {
        SchemaReads.RowReader<ColumnPath> column =
                row -> new ColumnPath(new ObjectName(database, row.getString(1)), row.getString(2));
        try {
            // The server does not use an index that it was told to ignore, and would read the whole table.
            return new HashSet<>(
                    schema.rows(INDEXES + (mariaDb ? " AND IGNORED = 'NO'" : " AND IS_VISIBLE = 'YES'"), column));
        } catch (SQLException e) {
            if (e.getErrorCode() != UNKNOWN_COLUMN) {
                throw e;
            }
            return new HashSet<>(schema.rows(INDEXES, column)); // before MariaDB 10.6
        }
    }

    private static Map<String, Place> places(SchemaReads schema) throws SQLException {
        Map<String, Place> places = new HashMap<>();
        schema.rows(TABLES, DatabaseFacts::place).forEach(place -> places.put(place.name(), place));
        return places;
    }

    private static Place place(ResultSet row) throws SQLException {
        String engine = row.getString(3);
        return new Place(
                row.getString(1),
                row.getString(2).equals("SEQUENCE"),
                engine,
                engine.equalsIgnoreCase(MERGE)
                        ? Optional.empty()
                        : Optional.ofNullable(row.getString(4)).map(BigInteger::new));
    }

    /** Puts together what was read. */
    private static final class Reader {

        /** The last value of this type is never generated (error 1467). */
        private static final BigInteger MOST = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);

        private final String database;
        private final MySqlServerFindings server;
        private final Set<ColumnPath> indexed;
        private final Map<ColumnPath, Extremes> extremes;
        private final Map<String, Place> places;
        private final List<NumberedColumn> columns = new ArrayList<>();
        private final Map<ObjectName, NativeSequence> sequences = new HashMap<>();
        private final Set<ObjectName> missing = new HashSet<>();
        private final List<InspectionFinding> findings = new ArrayList<>();

        Reader(
                String database,
                MySqlServerFindings server,
                Set<ColumnPath> indexed,
                Map<ColumnPath, Extremes> extremes,
                Map<String, Place> places) {
            this.database = database;
            this.server = server;
            this.indexed = indexed;
            this.extremes = extremes;
            this.places = places;
        }

        void addSequences(MariaDbSequenceReads reads, List<Entry> entries) throws SQLException {
            List<ObjectName> names = new ArrayList<>();
            for (Place place : places.values()) {
                if (place.sequence()) {
                    ObjectName name = new ObjectName(database, place.name());
                    names.add(name);
                    addEngine(place, name, "ALTER TABLE " + QuotedNames.quoted(name) + " ENGINE = InnoDB");
                }
            }
            Map<ObjectName, BigInteger> drawn = new HashMap<>();
            for (Entry entry : entries) {
                entry.sequence()
                        .ifPresent(name -> Optional.ofNullable(extremes.get(entry.path()))
                                .flatMap(Extremes::highest)
                                .ifPresent(highest -> drawn.merge(name, highest, BigInteger::max)));
            }
            Set<ObjectName> others = new LinkedHashSet<>();
            entries.forEach(entry -> entry.sequence().ifPresent(others::add));
            names.forEach(others::remove);
            for (ObjectName other : others) {
                if (reads.mayBeSequence(other)) {
                    names.add(other);
                }
            }
            sequences.putAll(reads.of(names, drawn, missing));
        }

        void add(Entry entry) {
            if (entry.sequence().isPresent()) {
                addDrawing(entry, entry.sequence().get());
                return;
            }
            Place place = places.get(entry.path().table().name());
            boolean first = indexed.contains(entry.path());
            Extremes ends = extremes.get(entry.path());
            // A counter for each group of an index's first columns is no counter of the column.
            Optional<BigInteger> next =
                    place == null || (!first && !place.engine().equals(MEMORY))
                            ? Optional.empty()
                            : place.counter().map(counter -> next(counter, entry.range(), ends));
            columns.add(column(entry, Generator.AUTO_INCREMENT, next, server.increment(), ends));
            if (place != null) {
                ObjectName table = entry.path().table();
                addEngine(
                        place,
                        table,
                        first || place.engine().equals(MEMORY)
                                ? "ALTER TABLE " + QuotedNames.quoted(table) + " ENGINE = InnoDB"
                                : "");
            }
        }

        private BigInteger next(BigInteger counter, ValueRange range, @Nullable Extremes ends) {
            BigInteger last = range.highest();
            boolean held = ends != null && ends.highest().filter(last::equals).isPresent();
            // MySQL's counter stops at the type's last number; the next insert fails, as it does where it goes on.
            if (counter.compareTo(last) >= 0 && (held || last.equals(MOST))) {
                return last.add(BigInteger.ONE);
            }
            return server.generated(counter);
        }

        private void addDrawing(Entry entry, ObjectName sequence) {
            if (missing.contains(sequence)) {
                findings.add(new InspectionFinding(
                        InspectionFault.NOT_GENERATED,
                        entry.path().toString(),
                        "the sequence " + sequence + ", which its default draws from, does not exist: inserts fail",
                        Optional.of(Remedy.statement(
                                "CREATE SEQUENCE " + QuotedNames.quoted(sequence)
                                        + highest(entry)
                                                .map(high -> " START WITH " + high.add(BigInteger.ONE))
                                                .orElse(""),
                                Remedy.Kind.CHANGES))));
            }
            columns.add(column(entry, Generator.DEFAULT, Optional.empty(), BigInteger.ONE, extremes.get(entry.path())));
        }

        private Optional<BigInteger> highest(Entry entry) {
            return Optional.ofNullable(extremes.get(entry.path())).flatMap(Extremes::highest);
        }

        /** Reports a table's or a sequence's engine; {@code mends} is empty if InnoDB would refuse it. */
        private void addEngine(Place place, ObjectName name, String mends) {
            boolean memory = place.engine().equals(MEMORY);
            if (!memory && !WITHOUT_TRANSACTIONS.contains(place.engine())) {
                return;
            }
            findings.add(new InspectionFinding(
                    memory ? InspectionFault.REPEATS : InspectionFault.LOSES_COMMITS,
                    name.toString(),
                    memory
                            ? "its engine is MEMORY: a restart empties it, and generates its numbers again"
                            : "its engine is " + place.engine()
                                    + ", which has no transactions: a crash loses acknowledged rows, and generates their numbers again",
                    Optional.of(
                            mends.isEmpty()
                                    ? new Remedy(
                                            "InnoDB does not number in groups: number the groups with a sequence each, then change the engine",
                                            Remedy.Kind.ADVICE)
                                    : Remedy.statement(mends, Remedy.Kind.CHANGES))));
        }

        private static NumberedColumn column(
                Entry entry,
                Generator generator,
                Optional<BigInteger> next,
                BigInteger increment,
                @Nullable Extremes ends) {
            return new NumberedColumn(
                    entry.path().table(),
                    entry.path().column(),
                    generator,
                    entry.type(),
                    entry.range(),
                    entry.sequence(),
                    entry.sequence()
                            .filter(name ->
                                    !name.schema().equals(entry.path().table().schema()))
                            .isPresent(),
                    next,
                    increment,
                    ends == null ? Optional.empty() : ends.lowest(),
                    ends == null ? Optional.empty() : ends.highest());
        }

        DatabaseFacts facts() {
            List<NativeSequence> sorted = sequences.values().stream()
                    .sorted(Comparator.comparing(sequence -> sequence.name().toString()))
                    .toList();
            return new DatabaseFacts(columns, sorted, findings);
        }
    }
}
