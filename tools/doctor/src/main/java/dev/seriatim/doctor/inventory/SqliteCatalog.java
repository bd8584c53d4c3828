// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import java.math.BigInteger;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads SQLite files: row numbers, with and without {@code AUTOINCREMENT}, and keys that only look like them. */
record SqliteCatalog() implements EngineCatalog {

    private static final BigInteger LAST = BigInteger.valueOf(Long.MAX_VALUE);
    private static final ValueRange RANGE = new ValueRange(BigInteger.valueOf(Long.MIN_VALUE), LAST);

    /** Columns of tables. The columns of a virtual table are not read, since its module may be missing. */
    private static final String COLUMNS = " FROM sqlite_master m"
            + " JOIN pragma_table_info(CASE WHEN m.sql LIKE 'CREATE VIRTUAL%' THEN '' ELSE m.name END) k"
            + " WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";

    private static final String KEYS = "SELECT m.name, m.sql, k.name, k.type, k.\"notnull\", k.dflt_value,"
            + " (SELECT COUNT(*) FROM pragma_index_list(m.name) i WHERE i.origin = 'pk')" + COLUMNS
            + " AND k.pk > 0 ORDER BY m.name, k.pk";

    private static final String NAMED = "SELECT k.type, k.pk = 1 OR EXISTS (SELECT 1 FROM pragma_index_list(m.name) l"
            + " JOIN pragma_index_info(l.name) c WHERE l.partial = 0 AND c.seqno = 0 AND c.name = k.name)" + COLUMNS
            + " AND m.name = ? AND k.name = ?";

    private static final String COUNTERS =
            "SELECT name, CAST(seq AS INTEGER) FROM sqlite_sequence WHERE name IS NOT NULL ORDER BY rowid";

    /** The types whose values are text, bytes, or numbers with a fraction. */
    private static final Pattern NO_NUMBERS =
            Pattern.compile("|.*(?:CHAR|CLOB|TEXT|BLOB|REAL|FLOA|DOUB).*", Pattern.CASE_INSENSITIVE);

    /**
     * Text, quoted names and comments, which may contain any word. A doubled quote counts as an end and a beginning. None
     * backtracks.
     */
    private static final Pattern QUOTED = Pattern.compile(
            "'[^']*+(?:'|\\z)|\"[^\"]*+(?:\"|\\z)|`[^`]*+(?:`|\\z)|\\[[^\\]]*+(?:\\]|\\z)|--[^\\n]*+|/\\*.*?(?:\\*/|\\z)",
            Pattern.DOTALL);

    private static final Pattern AUTOINCREMENT = word("AUTOINCREMENT");
    private static final Pattern WITHOUT_ROWID = word("WITHOUT\\s+ROWID");
    private static final Pattern STRICT = word("STRICT");

    private static Pattern word(String words) {
        return Pattern.compile("\\b" + words + "\\b", Pattern.CASE_INSENSITIVE);
    }

    @Override
    public void begin(Connection connection, InspectionLimits limits) throws SQLException {
        connection.setAutoCommit(true);
        long millis = Math.max(1, Math.min(Integer.MAX_VALUE, limits.statement().toMillis()));
        Query.execute(connection, List.of("PRAGMA busy_timeout = " + millis, "PRAGMA query_only = ON"));
    }

    @Override
    public Remedies remedies() {
        return new SqliteRemedies();
    }

    /** {@inheritDoc} Reads in one transaction, so that numbers and counters are of the same moment. */
    @Override
    public Generators read(Connection connection, InspectionLimits limits, Skips skips) throws SQLException {
        // Not setAutoCommit(false), which may begin a transaction that writes.
        Query.execute(connection, List.of("BEGIN DEFERRED"));
        try {
            return read(connection, batches(connection, limits, skips));
        } finally {
            Query.execute(connection, List.of("ROLLBACK"));
        }
    }

    private static BatchedReads batches(Connection connection, InspectionLimits limits, Skips skips) {
        return new BatchedReads(
                connection,
                System.nanoTime() + limits.total().toNanos(),
                skips,
                (many, read) -> read.on(connection),
                Skips::unread);
    }

    private static Generators read(Connection connection, BatchedReads batches) throws SQLException {
        List<InspectionFinding> findings = new ArrayList<>();
        List<Key> rowNumbers = new ArrayList<>();
        for (Key key : keys(connection)) {
            if (key.isRowNumber()) {
                rowNumbers.add(key);
            } else if (key.looksGenerated()) {
                findings.add(notGenerated(key));
            }
        }
        Map<String, List<BigInteger>> counters = counters(connection);
        Map<ColumnPath, Extremes> extremes =
                extremes(batches, rowNumbers.stream().map(Key::path).toList());
        List<NumberedColumn> columns = new ArrayList<>();
        Skips plain = new Skips();
        for (Key key : rowNumbers) {
            // SQLite compares the names in its table of counters as bytes.
            List<BigInteger> ofTable = counters.getOrDefault(key.path().table().name(), List.of());
            Optional<Extremes> ends = Optional.ofNullable(extremes.get(key.path()));
            columns.add(column(key, ofTable, ends));
            if (key.autoincrement()) {
                ofCounters(key, ofTable, ends).ifPresent(findings::add);
            } else {
                plain.add(key.path().toString(), """
                        without AUTOINCREMENT, so that the number of a deleted last row is generated again""");
                ends.ifPresent(read -> findings.addAll(ofPlain(key, ofTable, read)));
            }
        }
        plain.lines().forEach(line -> findings.add(InspectionFinding.note("row numbers", line)));
        if (!Query.first(connection, "PRAGMA journal_mode").orElse("").equals("wal")) {
            findings.add(InspectionFinding.note("journal_mode", """
                    is not WAL, so each connection chooses it, and the file does not tell: with OFF or MEMORY, a \
                    crash can destroy the file, and with synchronous = OFF a power cut loses acknowledged commits"""));
        }
        String version = Query.first(connection, "SELECT sqlite_version()").orElse("");
        return new Generators("SQLite " + version, columns, List.of(), Set.of(), findings);
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

        InspectionFinding finding(InspectionFault fault, String what, Remedy remedy) {
            return new InspectionFinding(fault, path.toString(), what, remedy);
        }

        InspectionFinding advised(InspectionFault fault, String what, String advice) {
            return InspectionFinding.advised(fault, path.toString(), what, advice);
        }
    }

    private static List<Key> keys(Connection connection) throws SQLException {
        Map<ObjectName, List<Key>> keys = new LinkedHashMap<>();
        Query.each(connection, KEYS, row -> {
            Key key = Key.of(row);
            keys.computeIfAbsent(key.path().table(), none -> new ArrayList<>()).add(key);
        });
        return keys.values().stream()
                .filter(ofTable -> ofTable.size() == 1)
                .map(ofTable -> ofTable.get(0))
                .toList();
    }

    private static Map<String, List<BigInteger>> counters(Connection connection) throws SQLException {
        Map<String, List<BigInteger>> counters = new HashMap<>();
        if (Query.first(connection, "SELECT name FROM sqlite_master WHERE name = 'sqlite_sequence'")
                .isPresent()) {
            Query.each(
                    connection,
                    COUNTERS,
                    row -> counters.computeIfAbsent(row.getString(1), none -> new ArrayList<>())
                            .add(BigInteger.valueOf(row.getLong(2))));
        }
        return counters;
    }

    private static Map<ColumnPath, Extremes> extremes(BatchedReads batches, List<ColumnPath> of) throws SQLException {
        return batches.extremes(of, SqliteRemedies::quoted, value -> value);
    }

    private static NumberedColumn column(Key key, List<BigInteger> counters, Optional<Extremes> ends) {
        // SQLite adds 1 to the highest number, or to the first row of its counters if that is higher.
        BigInteger highest = ends.flatMap(Extremes::highest).orElse(BigInteger.ZERO);
        BigInteger counter = counters.stream().findFirst().orElse(BigInteger.ZERO);
        BigInteger next = (key.autoincrement() ? highest.max(counter) : highest).add(BigInteger.ONE);
        boolean known = ends.isPresent() && (key.autoincrement() || next.compareTo(LAST) <= 0);
        return new NumberedColumn(
                key.path(),
                NumberedColumn.Generator.ROWID,
                key.autoincrement() ? "INTEGER PRIMARY KEY AUTOINCREMENT" : "INTEGER PRIMARY KEY",
                RANGE,
                Optional.empty(),
                false,
                known ? Optional.of(next) : Optional.empty(),
                BigInteger.ONE,
                ends.orElse(Extremes.NONE));
    }

    private static Optional<InspectionFinding> ofCounters(Key key, List<BigInteger> counters, Optional<Extremes> ends) {
        if (counters.size() > 1) {
            return Optional.of(key.finding(
                    InspectionFault.DEFINED_TWICE,
                    """
                    sqlite_sequence has %s rows for its table; SQLite uses the first of them, %s, and ignores the \
                    others""".formatted(counters.size(), counters.get(0)),
                    SqliteRemedies.countOnce(key.table())));
        }
        Optional<BigInteger> counter = counters.stream().findFirst();
        return ends.flatMap(Extremes::highest)
                .filter(held -> held.signum() > 0)
                .filter(held ->
                        counter.filter(value -> value.compareTo(held) >= 0).isEmpty())
                .map(held -> key.finding(
                        InspectionFault.REUSES,
                        """
                        sqlite_sequence %s is %s: if that row is deleted before the next insert, its number is \
                        generated again""".formatted(
                                        counter.map(value -> "says " + value + ", and the highest number")
                                                .orElse("has no row for its table, whose highest number"),
                                        held),
                        counter.isPresent()
                                ? SqliteRemedies.raise(key.table(), held)
                                : SqliteRemedies.count(key.table(), held)));
    }

    private static List<InspectionFinding> ofPlain(Key key, List<BigInteger> counters, Extremes ends) {
        List<InspectionFinding> found = new ArrayList<>();
        BigInteger highest = ends.highest().orElse(BigInteger.ZERO);
        if (highest.equals(LAST)) {
            found.add(key.advised(InspectionFault.EXHAUSTED, """
                    its highest number is %s, the last there is: SQLite tries random numbers, which are in no order \
                    and can be those of deleted rows""".formatted(LAST), """
                    give the row with the number %s another one, and copy the table \
                    to one with AUTOINCREMENT""".formatted(LAST)));
        }
        if (!counters.isEmpty() && counters.get(0).compareTo(highest) > 0) {
            found.add(key.advised(
                    InspectionFault.REUSES, """
                            sqlite_sequence says that %s was generated, but \
                            the table is not AUTOINCREMENT: the numbers from \
                            %s on are generated again""".formatted(counters.get(0), highest.add(BigInteger.ONE)), """
                            copy the rows to a table whose key is INTEGER PRIMARY KEY AUTOINCREMENT, and set its row \
                            of sqlite_sequence"""));
        }
        return found;
    }

    private static InspectionFinding notGenerated(Key key) {
        String order = key.ofIndex() && key.type().equalsIgnoreCase("INTEGER") ? " DESC" : "";
        return key.advised(InspectionFault.NOT_GENERATED, """
                its type is %s%s, and only INTEGER PRIMARY KEY is a row number: an insert without a number stores \
                NULL, again and again""".formatted(key.type(), order), """
                copy the rows to a table whose key is INTEGER PRIMARY KEY AUTOINCREMENT, or declare it NOT NULL if \
                the application numbers""");
    }

    @Override
    public List<Extent> extents(
            Connection connection, InspectionLimits limits, List<ColumnPath> candidates, Skips skips)
            throws SQLException {
        Map<ColumnPath, ColumnPath> found = new LinkedHashMap<>();
        List<ColumnPath> wanted = new ArrayList<>();
        for (ColumnPath asked : candidates) {
            ColumnPath column = new ColumnPath(new ObjectName("", asked.table().name()), asked.column());
            Query.each(
                    connection,
                    NAMED,
                    row -> {
                        if (NO_NUMBERS.matcher(row.getString(1)).matches()) {
                            return;
                        }
                        found.put(asked, column);
                        if (limits.scans() || row.getBoolean(2)) {
                            wanted.add(column);
                        } else {
                            skips.add(column.toString(), Skips.NO_INDEX);
                        }
                    },
                    column.table().name(),
                    column.column());
        }
        Map<ColumnPath, Extremes> extremes = extremes(batches(connection, limits, skips), wanted);
        return found.entrySet().stream()
                .map(entry -> new Extent(
                        entry.getKey(), entry.getValue(), extremes.getOrDefault(entry.getValue(), Extremes.NONE)))
                .toList();
    }
}
