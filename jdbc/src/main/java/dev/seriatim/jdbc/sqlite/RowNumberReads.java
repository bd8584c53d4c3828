// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sqlite;

import dev.seriatim.jdbc.inspect.BatchedExtremes;
import dev.seriatim.jdbc.inspect.BatchedExtremes.Extremes;
import dev.seriatim.jdbc.inspect.ColumnPath;
import dev.seriatim.jdbc.inspect.InspectionFault;
import dev.seriatim.jdbc.inspect.InspectionFinding;
import dev.seriatim.jdbc.inspect.InspectionLimits;
import dev.seriatim.jdbc.inspect.Inventory;
import dev.seriatim.jdbc.inspect.NumberedColumn;
import dev.seriatim.jdbc.inspect.ObjectName;
import dev.seriatim.jdbc.inspect.Remedy;
import dev.seriatim.jdbc.inspect.Skips;
import dev.seriatim.jdbc.inspect.ValueRange;
import dev.seriatim.jdbc.sql.Settings;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Reads the row numbers of one SQLite file, inside a transaction. Not thread-safe. */
final class RowNumberReads {

    private static final BigInteger LAST = BigInteger.valueOf(Long.MAX_VALUE);
    private static final ValueRange RANGE = new ValueRange(BigInteger.valueOf(Long.MIN_VALUE), LAST);

    /** A virtual table is not looked into, since its module may be missing. */
    private static final String OWN = "CASE WHEN m.sql LIKE 'CREATE VIRTUAL%' THEN '' ELSE m.name END";

    private static final String KEYS = "SELECT m.name, m.sql, k.name, k.type, k.\"notnull\", k.dflt_value,"
            + " (SELECT COUNT(*) FROM pragma_index_list(m.name) i WHERE i.origin = 'pk')"
            + " FROM sqlite_master m JOIN pragma_table_info(" + OWN + ") k ON k.pk > 0"
            + " WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY m.name, k.pk";

    /** Foreign keys of one column. */
    private static final String REFERENCES = "SELECT m.name, f.\"from\", f.\"table\", f.\"to\","
            + " EXISTS (SELECT 1 FROM pragma_index_list(m.name) l JOIN pragma_index_info(l.name) c"
            + " WHERE l.partial = 0 AND c.seqno = 0 AND c.name = f.\"from\" COLLATE NOCASE)"
            + " OR EXISTS (SELECT 1 FROM pragma_table_info(m.name) k WHERE k.pk = 1 AND k.name = f.\"from\" COLLATE NOCASE)"
            + " FROM sqlite_master m JOIN pragma_foreign_key_list(" + OWN + ") f"
            + " WHERE m.type = 'table' GROUP BY m.name, f.id HAVING COUNT(*) = 1";

    private static final String COUNTERS =
            "SELECT rowid, name, CAST(seq AS INTEGER) FROM sqlite_sequence WHERE name IS NOT NULL ORDER BY rowid";

    private final Connection connection;
    private final InspectionLimits limits;
    private final long end;
    private final Skips skips = new Skips();
    private final List<NumberedColumn> columns = new ArrayList<>();
    private final List<InspectionFinding> findings = new ArrayList<>();

    /** A table's primary key of one column. */
    private record Key(
            String table,
            TableText text,
            String column,
            String type,
            boolean notNull,
            boolean defaulted,
            boolean ofIndex) {

        boolean isRowNumber() {
            return type.equalsIgnoreCase("INTEGER") && !ofIndex && !text.withoutRowid();
        }

        boolean looksGenerated() {
            return type.toUpperCase(Locale.ROOT).contains("INT")
                    && !notNull
                    && !defaulted
                    && !text.withoutRowid()
                    && !text.strict();
        }

        ColumnPath path() {
            return new ColumnPath(new ObjectName("", table), column);
        }
    }

    /** A row of sqlite_sequence. */
    private record Counter(long row, BigInteger value) {}

    /** A column that refers to row numbers. */
    private record Reference(ColumnPath from, String table, Optional<String> to, boolean indexed) {}

    RowNumberReads(Connection connection, InspectionLimits limits) {
        this.connection = connection;
        this.limits = limits;
        this.end = System.nanoTime() + limits.total().toNanos();
    }

    Inventory inventory() throws SQLException {
        Map<String, Key> rowNumbers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (Key key : keys()) {
            if (key.isRowNumber()) {
                rowNumbers.put(key.table(), key);
            } else if (key.looksGenerated()) {
                findings.add(notGenerated(key));
            }
        }
        Map<String, List<Counter>> counters = counters();
        Map<ColumnPath, Extremes> extremes =
                extremes(rowNumbers.values().stream().map(Key::path).toList());
        List<String> plain = new ArrayList<>();
        for (Key key : rowNumbers.values()) {
            // Names are compared as bytes here.
            List<Counter> ofTable = counters.getOrDefault(key.table(), List.of());
            Optional<Extremes> ends = Optional.ofNullable(extremes.get(key.path()));
            columns.add(column(key, ofTable, ends));
            if (key.text().autoincrement()) {
                checkCounters(key, ofTable, ends);
            } else {
                plain.add(key.path().toString());
                checkPlain(key, ofTable, ends);
            }
        }
        checkStrays(counters, rowNumbers);
        checkOrphans(rowNumbers, extremes);
        noteOnPlain(plain);
        noteOnJournal();
        return new Inventory(
                "SQLite " + read("SELECT sqlite_version()").orElse(""),
                "main",
                columns,
                List.of(),
                List.of(),
                findings,
                skips.lines());
    }

    private List<Key> keys() throws SQLException {
        Map<String, Key> first = new LinkedHashMap<>();
        List<String> composite = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(KEYS)) {
            while (row.next()) {
                String table = row.getString(1);
                Key key = new Key(
                        table,
                        TableText.of(row.getString(2)),
                        row.getString(3),
                        Optional.ofNullable(row.getString(4)).orElse(""),
                        row.getBoolean(5),
                        row.getString(6) != null,
                        row.getInt(7) > 0);
                if (first.putIfAbsent(table, key) != null) {
                    composite.add(table);
                }
            }
        }
        composite.forEach(first::remove);
        return List.copyOf(first.values());
    }

    private Map<String, List<Counter>> counters() throws SQLException {
        Map<String, List<Counter>> counters = new LinkedHashMap<>();
        if (read("SELECT name FROM sqlite_master WHERE name = 'sqlite_sequence'")
                .isEmpty()) {
            return counters;
        }
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(COUNTERS)) {
            while (row.next()) {
                counters.computeIfAbsent(row.getString(2), none -> new ArrayList<>())
                        .add(new Counter(row.getLong(1), BigInteger.valueOf(row.getLong(3))));
            }
        }
        return counters;
    }

    private Map<ColumnPath, Extremes> extremes(List<ColumnPath> of) throws SQLException {
        return new BatchedExtremes(
                        connection,
                        end,
                        SqliteInspection::quoted,
                        value -> value,
                        e -> "it could not be read ("
                                + String.valueOf(e.getMessage()).replaceAll("\\s+", " ") + ")",
                        skips)
                .of(of);
    }

    private static NumberedColumn column(Key key, List<Counter> counters, Optional<Extremes> ends) {
        Optional<BigInteger> highest = ends.flatMap(Extremes::highest);
        boolean auto = key.text().autoincrement();
        // As SQLite does: one more than the highest, and than the first row of its counters.
        BigInteger next = highest.orElse(BigInteger.ZERO).add(BigInteger.ONE);
        if (auto) {
            BigInteger counter =
                    counters.isEmpty() ? BigInteger.ZERO : counters.get(0).value();
            next = next.max(counter.add(BigInteger.ONE));
        }
        boolean known = ends.isPresent() && (auto || next.compareTo(LAST) <= 0);
        return new NumberedColumn(
                key.path().table(),
                key.column(),
                NumberedColumn.Generator.ROWID,
                auto ? "INTEGER PRIMARY KEY AUTOINCREMENT" : "INTEGER PRIMARY KEY",
                RANGE,
                Optional.empty(),
                false,
                known ? Optional.of(next) : Optional.empty(),
                BigInteger.ONE,
                ends.flatMap(Extremes::lowest),
                highest);
    }

    private void checkCounters(Key key, List<Counter> counters, Optional<Extremes> ends) {
        String name = SqliteInspection.text(key.table());
        if (counters.size() > 1) {
            add(
                    InspectionFault.DEFINED_TWICE,
                    key,
                    "sqlite_sequence has " + counters.size() + " rows for its table; SQLite goes by the first of them, "
                            + counters.get(0).value() + ", whatever the others say",
                    Remedy.statement(
                            "DELETE FROM sqlite_sequence WHERE name = " + name
                                    + " AND rowid <> (SELECT rowid FROM sqlite_sequence WHERE name = " + name
                                    + " ORDER BY CAST(seq AS INTEGER) DESC, rowid LIMIT 1)",
                            Remedy.Kind.CHANGES));
            return;
        }
        Optional<BigInteger> highest = ends.flatMap(Extremes::highest).filter(high -> high.signum() > 0);
        if (highest.isEmpty()) {
            return;
        }
        BigInteger held = highest.get();
        if (counters.isEmpty()) {
            add(
                    InspectionFault.REUSES,
                    key,
                    "sqlite_sequence has no row for its table, whose highest number is " + held
                            + ": if that row is deleted before the next insert, its number is generated again",
                    Remedy.statement(
                            "INSERT INTO sqlite_sequence (name, seq) SELECT " + name + ", " + held
                                    + " WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = " + name + ")",
                            Remedy.Kind.RAISES));
        } else if (counters.get(0).value().compareTo(held) < 0) {
            add(
                    InspectionFault.REUSES,
                    key,
                    "sqlite_sequence says " + counters.get(0).value() + ", and the highest number is " + held
                            + ": if that row is deleted before the next insert, its number is generated again",
                    SqliteInspection.raise(key.table(), held));
        }
    }

    private void checkPlain(Key key, List<Counter> counters, Optional<Extremes> ends) {
        Optional<BigInteger> highest = ends.flatMap(Extremes::highest);
        if (highest.filter(LAST::equals).isPresent()) {
            findings.add(new InspectionFinding(
                    InspectionFault.EXHAUSTED,
                    key.path().toString(),
                    "its highest number is " + LAST
                            + ", the last there is: SQLite tries random numbers, which are in no order and can be those of deleted rows",
                    Optional.of(new Remedy(
                            "give the row with the number " + LAST
                                    + " another one, and copy the table to one with AUTOINCREMENT",
                            Remedy.Kind.ADVICE))));
        }
        boolean deleted = !counters.isEmpty()
                && ends.isPresent()
                && counters.get(0).value().compareTo(highest.orElse(BigInteger.ZERO)) > 0;
        if (deleted) {
            reuses(
                    key,
                    "sqlite_sequence says that " + counters.get(0).value()
                            + " was generated, but the table is not AUTOINCREMENT: the numbers from "
                            + highest.orElse(BigInteger.ZERO).add(BigInteger.ONE) + " on are generated again");
        }
    }

    private void reuses(Key key, String what) {
        findings.add(new InspectionFinding(
                InspectionFault.REUSES,
                key.path().toString(),
                what,
                Optional.of(new Remedy(
                        "copy the rows to a table whose key is INTEGER PRIMARY KEY AUTOINCREMENT, and set its row of sqlite_sequence",
                        Remedy.Kind.ADVICE))));
    }

    private void checkStrays(Map<String, List<Counter>> counters, Map<String, Key> rowNumbers) {
        counters.forEach((name, rows) -> {
            Key key = rowNumbers.get(name);
            if (key != null && key.table().equals(name)) {
                return; // its own; looked at above
            }
            findings.add(new InspectionFinding(
                    InspectionFault.NOTE,
                    "sqlite_sequence",
                    key == null
                            ? "has a row for '" + name
                                    + "', which is no table with row numbers; a new table of that name goes on from "
                                    + rows.get(0).value()
                            : "has a row for '" + name + "', which SQLite ignores, since the table's name is '"
                                    + key.table() + "'",
                    Optional.of(Remedy.statement(
                            "DELETE FROM sqlite_sequence WHERE name = " + SqliteInspection.text(name),
                            Remedy.Kind.CHANGES))));
        });
    }

    /** Finds references to rows that were deleted, whose numbers are generated again. */
    private void checkOrphans(Map<String, Key> rowNumbers, Map<ColumnPath, Extremes> extremes) throws SQLException {
        Map<ColumnPath, List<Key>> parents = new LinkedHashMap<>();
        for (Reference reference : references()) {
            Key parent = rowNumbers.get(reference.table());
            if (parent == null
                    || parent.text().autoincrement()
                    || !extremes.containsKey(parent.path())
                    || reference
                            .to()
                            .filter(to -> !to.equalsIgnoreCase(parent.column()))
                            .isPresent()) {
                continue;
            }
            if (reference.indexed() || limits.scans()) {
                parents.computeIfAbsent(reference.from(), none -> new ArrayList<>())
                        .add(parent);
            } else {
                skips.add(
                        reference.from().toString(),
                        "no index begins with it, so it was not compared with the row numbers that it refers to");
            }
        }
        Map<ColumnPath, Extremes> referred = extremes(List.copyOf(parents.keySet()));
        Map<ColumnPath, String> found = new HashMap<>();
        parents.forEach((from, keys) -> keys.forEach(parent -> {
            BigInteger highest = Optional.ofNullable(extremes.get(parent.path()))
                    .flatMap(Extremes::highest)
                    .orElse(BigInteger.ZERO);
            Optional.ofNullable(referred.get(from))
                    .flatMap(Extremes::highest)
                    .filter(high -> high.compareTo(highest) > 0)
                    .filter(high -> found.putIfAbsent(parent.path(), "") == null)
                    .ifPresent(high -> reuses(
                            parent,
                            from + " refers to row " + high
                                    + ", which was deleted: a later row gets its number, and what refers to it"));
        }));
    }

    private List<Reference> references() throws SQLException {
        List<Reference> references = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(REFERENCES)) {
            while (row.next()) {
                references.add(new Reference(
                        new ColumnPath(new ObjectName("", row.getString(1)), row.getString(2)),
                        row.getString(3),
                        Optional.ofNullable(row.getString(4)),
                        row.getBoolean(5)));
            }
        }
        return references;
    }

    private static InspectionFinding notGenerated(Key key) {
        return new InspectionFinding(
                InspectionFault.NOT_GENERATED,
                key.path().toString(),
                "its type is " + key.type() + (key.ofIndex() && key.type().equalsIgnoreCase("INTEGER") ? " DESC" : "")
                        + ", and only INTEGER PRIMARY KEY is a row number: an insert without a number stores NULL, again and again",
                Optional.of(new Remedy(
                        "copy the rows to a table whose key is INTEGER PRIMARY KEY AUTOINCREMENT, or declare it NOT NULL if the application numbers",
                        Remedy.Kind.ADVICE)));
    }

    private void noteOnPlain(List<String> plain) {
        if (!plain.isEmpty()) {
            Skips counted = new Skips();
            plain.forEach(name -> counted.add(
                    name, "without AUTOINCREMENT, so that the number of a deleted last row is generated again"));
            findings.add(new InspectionFinding(
                    InspectionFault.NOTE, "row numbers", counted.lines().get(0), Optional.empty()));
        }
    }

    private void noteOnJournal() throws SQLException {
        String journal = read("PRAGMA journal_mode").orElse("");
        if (!journal.equals("wal")) {
            findings.add(new InspectionFinding(
                    InspectionFault.NOTE,
                    "journal_mode",
                    "is not WAL, so each connection chooses it, and the file does not tell: with OFF or MEMORY, a crash can destroy"
                            + " the file, and with synchronous = OFF a power cut loses acknowledged commits",
                    Optional.empty()));
        }
    }

    private void add(InspectionFault fault, Key key, String what, Remedy remedy) {
        findings.add(new InspectionFinding(fault, key.path().toString(), what, Optional.of(remedy)));
    }

    private Optional<String> read(String sql) throws SQLException {
        return Settings.read(connection, sql);
    }
}
