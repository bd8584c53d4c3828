// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;

/** Reads one engine's catalog for one examination. What it finds and what it leaves out gathers in its fields. Not thread-safe. */
abstract class EngineCatalog {

    /** How many sequences or tables one statement reads. */
    static final int BATCH = 100;

    interface Row<R> {
        R read(ResultSet row) throws SQLException;
    }

    /** Reads the row of one of many objects, from its second column on. */
    interface RowOf<T> {
        void read(T of, ResultSet row) throws SQLException;
    }

    interface Work<R> {
        R run() throws SQLException;
    }

    /** A column that was asked for and exists, with its ends; empty if it has no numbers, or could not be read. */
    record Extent(ColumnPath column, Optional<ValueRange> held) {}

    /** A column that is ahead of its source. */
    private record Asked(NumberSource source, ColumnPath column) {
        @Override
        public String toString() {
            return column.toString();
        }
    }

    final Connection connection;
    final InspectionLimits limits;
    final Skips skips = new Skips();

    /** What the engine's own rules found. */
    final List<InspectionFinding> findings = new ArrayList<>();

    /** The names of tables in the schemas of sequences; empty if every sequence counts in steps of 1. */
    final Set<ObjectName> tables = new HashSet<>();

    /** Columns of partitioned tables, and whether they have too many partitions to be read at once. */
    final Map<ColumnPath, Boolean> partitioned = new HashMap<>();

    /** The increment where the server chooses it. */
    BigInteger chosenIncrement = BigInteger.ONE;

    private final String value;
    private final String only;
    private final String quote;
    private final long end;

    /** @param value the value that a sequence deals next, with {@code %s} for its increment */
    EngineCatalog(Connection connection, InspectionLimits limits, String quote, String only, String value) {
        this.connection = connection;
        this.limits = limits;
        this.value = value;
        this.quote = quote;
        this.only = only;
        this.end = System.nanoTime() + limits.total().toNanos();
    }

    /** Prepares the connection or its next transaction: read-only, with limits that do not outlive the connection. */
    abstract void begin() throws SQLException;

    abstract String product() throws SQLException;

    /** Reads what generates numbers, without the sequences of this library. */
    abstract List<NumberSource> sources() throws SQLException;

    /**
     * Looks up columns of numbers by their names, and reads their ends. The database resolves names without a schema. A column that
     * exists but cannot be read is returned, and skipped.
     */
    abstract Map<ColumnPath, Extent> extents(List<ColumnPath> asked) throws SQLException;

    /** Finds what is wrong with the table of this library's sequences, which may be missing. */
    void checkOwnTable(String table) throws SQLException {}

    abstract Remedies remedies();

    /** Returns why a statement over one table or sequence failed. */
    String reason(SQLException e) {
        return Skips.unread(e);
    }

    /** Runs a statement that locks one object, or many; perhaps in a transaction of its own. */
    <R> R transaction(boolean many, Work<R> work) throws SQLException {
        return work.run();
    }

    /** Returns how many locks the read of a sequence or table takes. */
    int locks(Object of) {
        return 1;
    }

    /** Returns an expression that reads an aggregate without rounding it. */
    String exact(String aggregate) {
        return aggregate;
    }

    void note(Object subject, String what) {
        findings.add(InspectionFinding.note(subject, what));
    }

    void loses(String setting, String what, String remedy) {
        findings.add(InspectionFinding.Fault.LOSES_COMMITS.of(setting, what, remedy));
    }

    boolean isOver() {
        return System.nanoTime() - end > 0;
    }

    <R> List<R> rows(String sql, Row<R> reader, Object... parameters) throws SQLException {
        return transaction(false, () -> query(sql, reader, parameters));
    }

    /** Runs a part of the examination. If it fails, such as in its time limit, it is skipped. */
    <R> R part(String name, R otherwise, Work<R> work) throws SQLException {
        try {
            return work.run();
        } catch (SQLException e) {
            if (connection.isClosed()) {
                throw e;
            }
            skips.add(name, reason(e));
            return otherwise;
        }
    }

    /** Returns the first column of the first row; empty if there is no row or the value is null. */
    Optional<String> first(String sql, Object... parameters) throws SQLException {
        return rows(sql, row -> Optional.ofNullable(row.getString(1)), parameters).stream()
                .findFirst()
                .flatMap(value -> value);
    }

    /** Returns the rows of a query, in the transaction that is open. */
    <R> List<R> query(String sql, Row<R> reader, Object... parameters) throws SQLException {
        List<R> rows = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    rows.add(reader.read(row));
                }
            }
        }
        return rows;
    }

    void execute(Iterable<String> statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /**
     * Reads one row of each of many sequences or tables, with one statement for a batch of them. If that statement fails, they are
     * read one by one, so that a table that is locked, forbidden or dropped meanwhile costs only itself.
     *
     * @param size how many locks a batch takes; an object that needs more is read by itself
     * @param all the objects; their texts are names for display
     * @param sql returns the query of one of them, after {@code SELECT}
     */
    <T> void batch(int size, List<T> all, Function<T, String> sql, RowOf<T> reader) throws SQLException {
        batch(size, all, sql, reader, (of, e) -> skips.add(of.toString(), reason(e)));
    }

    <T> void batch(int size, List<T> all, Function<T, String> sql, RowOf<T> reader, BiConsumer<T, SQLException> failed)
            throws SQLException {
        int to = 0;
        for (int from = 0; from < all.size(); from = to) {
            int locks = locks(all.get(to++));
            while (to < all.size() && (locks += locks(all.get(to))) <= size) {
                to++;
            }
            List<T> some = all.subList(from, to);
            if (isOver()) {
                all.subList(from, all.size()).forEach(one -> skips.add(one.toString(), Skips.TIME_IS_OVER));
                return;
            }
            try {
                transaction(some.size() > 1, () -> union(some, sql, reader));
            } catch (SQLException e) {
                if (connection.isClosed()) {
                    throw e;
                }
                if (some.size() == 1) {
                    failed.accept(some.get(0), e);
                } else {
                    batch(1, some, sql, reader, failed);
                }
            }
        }
    }

    private <T> int union(List<T> some, Function<T, String> sql, RowOf<T> reader) throws SQLException {
        List<String> selects = new ArrayList<>();
        for (T one : some) {
            selects.add("SELECT " + selects.size() + ", " + sql.apply(one));
        }
        try (Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false); // a name may contain braces
            try (ResultSet row = statement.executeQuery(String.join(" UNION ALL ", selects))) {
                while (row.next()) {
                    reader.read(some.get(row.getInt(1)), row);
                }
            }
        }
        return selects.size();
    }

    /** Returns the ends of the columns that could be read. */
    <T> Map<T, Optional<ValueRange>> ends(int size, List<T> columns, Function<T, String> sql) throws SQLException {
        Map<T, Optional<ValueRange>> found = new HashMap<>();
        batch(size, columns, sql, (column, row) -> {
            try {
                found.put(column, ValueRange.held(row));
            } catch (NumberFormatException e) {
                skips.add(column.toString(), "it holds what is no number");
            }
        });
        return found;
    }

    /** Returns the columns that may be read; skips the others. */
    List<ColumnPath> readable(Collection<ColumnPath> columns, Predicate<ColumnPath> indexed) {
        List<ColumnPath> readable = new ArrayList<>(columns);
        if (!limits.scans()) {
            readable.removeIf(indexed.negate());
            columns.stream().filter(indexed.negate()).forEach(column -> skips.add(column.toString(), Skips.NO_INDEX));
        }
        return readable;
    }

    /** Returns the ends of the columns that an index begins with; of all, if columns may be read in full. */
    Map<ColumnPath, Optional<ValueRange>> ends(Collection<ColumnPath> columns, Predicate<ColumnPath> indexed)
            throws SQLException {
        return ends(BATCH, readable(columns, indexed), path -> {
            String column = quoted(path.column());
            String from = " FROM " + quoted(path.table());
            return "(SELECT " + exact("MIN(" + column + ")") + from + "), (SELECT " + exact("MAX(" + column + ")")
                    + from + ")";
        });
    }

    /** Reads {@link Inventory#met}. What lies before the value that a sequence deals by then may have been drawn meanwhile. */
    Map<List<Object>, Optional<BigInteger>> met(List<NumberSource> sources) throws SQLException {
        List<Asked> asked = new ArrayList<>();
        for (NumberSource source : sources) {
            source.columns().stream()
                    .filter(column -> source.notPassed(column).isPresent()
                            && !partitioned.getOrDefault(column.name(), false)
                            && !(column.applied() && source.steps())) // an application deals what lies between
                    .forEach(column -> asked.add(new Asked(source, column.name())));
        }
        Map<List<Object>, Optional<BigInteger>> met = new HashMap<>();
        batch(partitioned.isEmpty() ? BATCH / 2 : 1, asked, one -> met(one.source, one.column), (one, row) -> {
            Optional<BigDecimal> first = Optional.ofNullable(row.getBigDecimal(2));
            met.put(List.of(one.source.name(), one.column), first.map(BigDecimal::toBigInteger));
        });
        return met;
    }

    String met(NumberSource source, ColumnPath column) {
        String name = quoted(column.column());
        String number = "CAST(" + name + " AS DECIMAL(65, 10))";
        Object next = source.next().orElse(BigInteger.ZERO);
        Object now = source.isSequence() && !source.cycle() // begins again before its last value
                ? "(SELECT " + value.formatted(source.increment()) + from("", source.name()) + ")"
                : next;
        String beyond = name + (source.ascending() ? " >= " : " <= ");
        Object step = source.increment().signum() == 0 ? chosenIncrement : source.increment();
        return "(SELECT " + number + from(partitioned.containsKey(column) ? "" : only, column.table()) + " WHERE "
                + beyond + next + " AND " + beyond + now
                + " AND ABS(" + number + " - " + next + ") % " + step + " = 0 ORDER BY " + name
                + (source.ascending() ? "" : " DESC") + " LIMIT 1)";
    }

    final String quoted(String name) {
        return quote + name.replace(quote, quote + quote) + quote;
    }

    final String quoted(ObjectName name) {
        return (name.schema().isEmpty() ? "" : quoted(name.schema()) + ".") + quoted(name.name());
    }

    private String from(String rows, ObjectName table) {
        return " FROM " + rows + quoted(table);
    }

    /** Returns the columns that were found for those asked for, with their ends. */
    Map<ColumnPath, Extent> extents(Map<ColumnPath, ColumnPath> found, Predicate<ColumnPath> indexed)
            throws SQLException {
        Map<ColumnPath, Optional<ValueRange>> ends =
                ends(found.values().stream().distinct().toList(), indexed);
        Map<ColumnPath, Extent> extents = new LinkedHashMap<>();
        found.forEach((asked, column) ->
                extents.put(asked, new Extent(column, ends.getOrDefault(column, Optional.empty()))));
        return extents;
    }

    /** Quotes any name. SQLite reads double quotes as a string if the column does not exist. */
    static String backticks(String name) {
        return '`' + name.replace("`", "``") + '`';
    }

    static String backticks(ObjectName name) {
        return (name.schema().isEmpty() ? "" : backticks(name.schema()) + ".") + backticks(name.name());
    }
}
