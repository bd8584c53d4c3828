// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import dev.seriatim.doctor.inventory.InspectionFinding.Fault;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads SQLite files: row numbers, with and without {@code AUTOINCREMENT}, and keys that only look like them. */
final class SqliteCatalog extends EngineCatalog {

    private static final BigInteger LAST = BigInteger.valueOf(Long.MAX_VALUE);

    /** Columns of tables. The columns of a virtual table are not read, since its module may be missing. */
    private static final String COLUMNS = """
             FROM sqlite_master m
              JOIN pragma_table_info(CASE WHEN m.sql LIKE 'CREATE VIRTUAL%' THEN '' ELSE m.name END) k
            WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'""";

    private static final String KEYS = """
            SELECT * FROM (SELECT m.name, m.sql, k.name, k.type, k."notnull", k.dflt_value,
              (SELECT COUNT(*) FROM pragma_index_list(m.name) i WHERE i.origin = 'pk'),
              COUNT(*) OVER (PARTITION BY m.name) AS columns\
            """ + COLUMNS + " AND k.pk > 0) WHERE columns = 1 ORDER BY 1";

    private static final String NAMED = """
            SELECT k.type, k.pk = 1 OR EXISTS (SELECT 1 FROM pragma_index_list(m.name) l
              JOIN pragma_index_info(l.name) c WHERE l.partial = 0 AND c.seqno = 0 AND c.name = k.name)\
            """ + COLUMNS + " AND m.name = ? AND k.name = ?";

    private static final String COUNTERS =
            "SELECT name, CAST(seq AS INTEGER) FROM sqlite_sequence WHERE name IS NOT NULL ORDER BY rowid";

    /** The types whose values are text, bytes, or numbers with a fraction. */
    private static final Pattern NO_NUMBERS =
            Pattern.compile("|.*(?:CHAR|CLOB|TEXT|BLOB|REAL|FLOA|DOUB).*", Pattern.CASE_INSENSITIVE);

    /** Text, quoted names and comments, which may contain any word. A doubled quote is an end and a beginning. */
    private static final Pattern QUOTED = Pattern.compile(
            "'[^']*+(?:'|\\z)|\"[^\"]*+(?:\"|\\z)|`[^`]*+(?:`|\\z)|\\[[^\\]]*+(?:\\]|\\z)|--[^\\n]*+|/\\*.*?(?:\\*/|\\z)",
            Pattern.DOTALL);

    private static final Pattern AUTOINCREMENT = word("AUTOINCREMENT");
    private static final Pattern WITHOUT_ROWID = word("WITHOUT\\s+ROWID");
    private static final Pattern STRICT = word("STRICT");

    private static Pattern word(String words) {
        return Pattern.compile("\\b" + words + "\\b", Pattern.CASE_INSENSITIVE);
    }

    SqliteCatalog(Connection connection, InspectionLimits limits) {
        super(connection, limits, "`", "", "");
    }

    @Override
    void begin() throws SQLException {
        connection.setAutoCommit(true);
        long millis = Math.max(1, Math.min(Integer.MAX_VALUE, limits.statement().toMillis()));
        execute(List.of("PRAGMA busy_timeout = " + millis, "PRAGMA query_only = ON"));
    }

    @Override
    String product() throws SQLException {
        return "SQLite " + first("SELECT sqlite_version()").orElse("");
    }

    @Override
    Remedies remedies() {
        return new SqliteRemedies();
    }

    /** {@inheritDoc} Reads in one transaction, so that numbers and counters are of the same moment. */
    @Override
    List<NumberSource> sources() throws SQLException {
        // Not setAutoCommit(false), which may begin a transaction that writes.
        execute(List.of("BEGIN DEFERRED"));
        try {
            return rowNumbers();
        } finally {
            execute(List.of("ROLLBACK"));
        }
    }

    private List<NumberSource> rowNumbers() throws SQLException {
        List<Key> rowNumbers = new ArrayList<>();
        for (Key key : rows(KEYS, Key::of)) {
            if (key.isRowNumber()) {
                rowNumbers.add(key);
            } else if (key.looksGenerated()) {
                findings.add(notGenerated(key));
            }
        }
        Map<String, List<BigInteger>> counters = counters();
        Map<ColumnPath, Optional<ValueRange>> ends =
                ends(rowNumbers.stream().map(Key::path).toList(), rowNumber -> true);
        List<NumberSource> sources = new ArrayList<>();
        Skips plain = new Skips();
        for (Key key : rowNumbers) {
            // SQLite compares the names in its table of counters as bytes.
            List<BigInteger> ofTable = counters.getOrDefault(key.table(), List.of());
            Optional<ValueRange> held = ends.getOrDefault(key.path(), Optional.empty());
            boolean read = ends.containsKey(key.path());
            BigInteger highest = held.map(ValueRange::highest).orElse(BigInteger.ZERO);
            sources.add(source(key, ofTable, held, read));
            if (key.autoincrement()) {
                checkCounters(key, ofTable, highest);
            } else {
                plain.add(key.path().toString(), """
                        without AUTOINCREMENT, so that the number of a deleted last row is generated again""");
                if (read) {
                    checkPlain(key, ofTable, highest);
                }
            }
        }
        plain.lines().forEach(line -> note("row numbers", line));
        if (!first("PRAGMA journal_mode").orElse("").equals("wal")) {
            note("journal_mode", """
                    is not WAL, so each connection chooses it, and the file does not tell: with OFF or MEMORY, a \
                    crash can destroy the file, and with synchronous = OFF a power cut loses acknowledged commits""");
        }
        return sources;
    }

    /** A table's primary key of one column. */
    private record Key(
            ColumnPath path, String type, boolean optional, boolean ofIndex, boolean autoincrement, boolean hasRowid) {

        static Key of(ResultSet row) throws SQLException {
            String words = QUOTED.matcher(Optional.ofNullable(row.getString(2)).orElse(""))
                    .replaceAll(" _ ");
            String options = words.substring(words.lastIndexOf(')') + 1);
            boolean checked = row.getBoolean(5)
                    || row.getString(6) != null
                    || STRICT.matcher(options).find();
            return new Key(
                    new ColumnPath(new ObjectName("", row.getString(1)), row.getString(3)),
                    Optional.ofNullable(row.getString(4)).orElse(""),
                    !checked,
                    row.getInt(7) > 0,
                    AUTOINCREMENT.matcher(words).find(),
                    !WITHOUT_ROWID.matcher(options).find());
        }

        boolean isRowNumber() {
            return type.equalsIgnoreCase("INTEGER") && !ofIndex && hasRowid;
        }

        boolean looksGenerated() {
            return type.toUpperCase(Locale.ROOT).contains("INT") && optional && hasRowid;
        }

        String table() {
            return path.table().name();
        }
    }

    private Map<String, List<BigInteger>> counters() throws SQLException {
        Map<String, List<BigInteger>> counters = new HashMap<>();
        if (first("SELECT name FROM sqlite_master WHERE name = 'sqlite_sequence'")
                .isPresent()) {
            rows(
                    COUNTERS,
                    row -> counters.computeIfAbsent(row.getString(1), none -> new ArrayList<>())
                            .add(BigInteger.valueOf(row.getLong(2))));
        }
        return counters;
    }

    private static NumberSource source(Key key, List<BigInteger> counters, Optional<ValueRange> held, boolean read) {
        // SQLite adds 1 to the highest number, or to the first row of its counters if that is higher.
        BigInteger highest = held.map(ValueRange::highest).orElse(BigInteger.ZERO);
        BigInteger counter = counters.stream().findFirst().orElse(BigInteger.ZERO);
        BigInteger next = (key.autoincrement() ? highest.max(counter) : highest).add(BigInteger.ONE);
        boolean known = read && (key.autoincrement() || next.compareTo(LAST) <= 0);
        String type = key.autoincrement() ? "INTEGER PRIMARY KEY AUTOINCREMENT" : "INTEGER PRIMARY KEY";
        return NumberSource.of(
                NumberSource.Kind.ROWID,
                new NumberedColumn(key.path(), type, ValueRange.ofBits(63), false, held, false, List.of()),
                Optional.of(next).filter(any -> known),
                BigInteger.ONE);
    }

    private void checkCounters(Key key, List<BigInteger> counters, BigInteger highest) {
        if (counters.size() > 1) {
            findings.add(Fault.DEFINED_TWICE.of(
                    key.path(),
                    """
                    sqlite_sequence has %s rows for its table; SQLite uses the first of them, %s, and ignores the \
                    others""".formatted(counters.size(), counters.get(0)),
                    SqliteRemedies.countOnce(key.table())));
            return;
        }
        Optional<BigInteger> counter = counters.stream().findFirst();
        if (highest.signum() > 0
                && counter.filter(value -> value.compareTo(highest) >= 0).isEmpty()) {
            String where = counter.map(value -> "says " + value + ", and the highest number")
                    .orElse("has no row for its table, whose highest number");
            findings.add(Fault.REUSES.of(
                    key.path(), """
                    sqlite_sequence %s is %s: if that row is deleted before the next insert, its number is \
                    generated again""".formatted(where, highest), SqliteRemedies.raise(key.table(), highest, counter)));
        }
    }

    private void checkPlain(Key key, List<BigInteger> counters, BigInteger highest) {
        if (highest.equals(LAST)) {
            findings.add(Fault.EXHAUSTED.of(key.path(), """
                    its highest number is %s, the last there is: SQLite tries random numbers, which are in no order \
                    and can be those of deleted rows""".formatted(LAST), """
                    give the row with the number %s another one, and copy the table \
                    to one with AUTOINCREMENT""".formatted(LAST)));
        }
        if (!counters.isEmpty()) {
            findings.add(Fault.REUSES.of(key.path(), """
                    sqlite_sequence says that %s was generated, but the table is not AUTOINCREMENT: it generates %s \
                    next, and the number of a deleted last row again""".formatted(counters.get(0), highest.add(BigInteger.ONE)), """
                    copy the rows to a table whose key is INTEGER PRIMARY KEY AUTOINCREMENT, and set its row \
                    of sqlite_sequence"""));
        }
    }

    private static InspectionFinding notGenerated(Key key) {
        String order = key.ofIndex() && key.type().equalsIgnoreCase("INTEGER") ? " DESC" : "";
        return Fault.NOT_GENERATED.of(key.path(), """
                its type is %s%s, and only INTEGER PRIMARY KEY is a row number: an insert without a number stores \
                NULL, again and again""".formatted(key.type(), order), """
                copy the rows to a table whose key is INTEGER PRIMARY KEY AUTOINCREMENT, or declare it NOT NULL if \
                the application numbers""");
    }

    @Override
    Map<ColumnPath, Extent> extents(List<ColumnPath> all) throws SQLException {
        Map<ColumnPath, ColumnPath> found = new LinkedHashMap<>();
        Set<ColumnPath> indexed = new HashSet<>();
        for (ColumnPath asked : all) {
            ColumnPath column = new ColumnPath(new ObjectName("", asked.table().name()), asked.column());
            Row<ColumnPath> reader = row -> {
                if (!NO_NUMBERS.matcher(row.getString(1)).matches()) {
                    found.put(asked, column);
                }
                if (row.getBoolean(2)) {
                    indexed.add(column);
                }
                return column;
            };
            rows(NAMED, reader, column.table().name(), column.column());
        }
        return extents(found, indexed::contains);
    }

    /** The statements that mend row numbers. SQLite has no sequences. */
    private record SqliteRemedies() implements Remedies {

        private static String text(String value) {
            return "'" + value.replace("'", "''") + "'";
        }

        /** SQLite has one writer at a time, so nothing is generated between the comparison and the change. */
        static Remedy raise(String table, BigInteger held, Optional<BigInteger> counter) {
            String sql = counter.isPresent() ? """
                    UPDATE sqlite_sequence SET seq = %1$s WHERE name = %2$s \
                    AND coalesce(CAST(seq AS INTEGER), 0) < %1$s""" : """
                    INSERT INTO sqlite_sequence (name, seq) SELECT %2$s, %1$s \
                    WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = %2$s)""";
            return Remedy.raises(sql.formatted(held, text(table)));
        }

        static Remedy countOnce(String table) {
            return Remedy.changes("""
                    DELETE FROM sqlite_sequence WHERE name = %1$s \
                    AND rowid <> (SELECT rowid FROM sqlite_sequence WHERE name = %1$s \
                    ORDER BY CAST(seq AS INTEGER) DESC, rowid LIMIT 1)""".formatted(text(table)));
        }

        @Override
        public Remedy raise(NumberSource source, BigInteger held) {
            return raise(source.name().name(), held, source.next());
        }

        @Override
        public Remedy widen(NumberSource source, NumberedColumn column) {
            return Remedy.advice("""
                    SQLite has no wider type than %s has; copy the rows to a \
                    table that renumbers them""".formatted(column.path()));
        }
    }
}
