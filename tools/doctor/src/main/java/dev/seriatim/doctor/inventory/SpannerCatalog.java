// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import dev.seriatim.doctor.inventory.InspectionFinding.Fault;
import dev.seriatim.doctor.inventory.NumberSource.Kind;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Reads Spanner in both of its dialects: bit-reversed sequences, identity columns, and the columns that draw from sequences.
 *
 * <p>A bit-reversed source is known by its counter. Its columns hold reversed values, so the lowest and highest value say nothing.
 * Rows ahead of the counter are found by their keys: those of the next {@value #AHEAD} draws, or, with {@code --scan}, all. The
 * service keeps several counters for a source, and reports the highest: what lies beyond is not generated yet.
 */
final class SpannerCatalog extends EngineCatalog {

    private static final int AHEAD = 1_000;

    /** Beyond are the keys that were counted up before the table had a sequence: reversed, they are huge. */
    private static final BigInteger FAR_AHEAD = BigInteger.TWO.pow(40);

    private static final BigInteger LAST = BigInteger.valueOf(Long.MAX_VALUE);

    private static final String COLUMNS = """
            SELECT c.table_schema, c.table_name, c.column_name, c.column_default, c.is_identity,
              c.identity_start_with_counter, c.identity_skip_range_min, c.identity_skip_range_max
            FROM information_schema.columns AS c JOIN information_schema.tables AS t
              ON t.table_schema = c.table_schema AND t.table_name = c.table_name
            WHERE t.table_type = 'BASE TABLE' AND c.spanner_type IN ('INT64', 'bigint') AND c.is_generated = 'NEVER'""";

    private static final String INDEXES = """
            SELECT table_schema, table_name, column_name, index_type FROM information_schema.index_columns
            WHERE ordinal_position = 1 AND index_type IN ('PRIMARY_KEY', 'INDEX')""";

    /** No aggregates: the emulator ends if one compares these values, which are numbers in a column of text. */
    private static final String SEQUENCES = """
            SELECT s.schema, s.name, c.option_value, l.option_value, h.option_value
            FROM information_schema.sequences AS s
            LEFT JOIN information_schema.sequence_options AS c
              ON c.schema = s.schema AND c.name = s.name AND c.option_name = 'start_with_counter'
            LEFT JOIN information_schema.sequence_options AS l
              ON l.schema = s.schema AND l.name = s.name AND l.option_name = 'skip_range_min'
            LEFT JOIN information_schema.sequence_options AS h
              ON h.schema = s.schema AND h.name = s.name AND h.option_name = 'skip_range_max'""";

    private static final String SEQUENCES_OF_POSTGRES = """
            SELECT sequence_schema, sequence_name, counter_start_value, skip_range_min, skip_range_max
            FROM information_schema.sequences""";

    private static final Pattern DRAWS = Pattern.compile("(?i)GET_NEXT_SEQUENCE_VALUE\\(|\\bnextval\\(");

    private static final Pattern DEFAULT = Pattern.compile(
            "(?i)(?:GET_NEXT_SEQUENCE_VALUE\\(\\s*SEQUENCE\\s+|nextval\\(')([\\w.`\"]+)(?:'(?:::[\\w ]+)?)?\\s*\\)");

    private final String product;
    private final boolean postgres;

    /** The columns that an index begins with, and whether one of these is the primary key. */
    private final Map<ColumnPath, Boolean> indexes = new HashMap<>();

    /** A sequence, or what numbers an identity column. */
    private record Counter(
            ObjectName name, Optional<ColumnPath> identity, BigInteger start, Optional<ValueRange> skipped) {

        /** Reads its definition from three columns of a row. */
        static Counter of(ObjectName name, Optional<ColumnPath> identity, ResultSet row, int from) throws SQLException {
            Optional<BigInteger> lowest = number(row, from + 1);
            return new Counter(
                    name,
                    identity,
                    number(row, from).orElse(BigInteger.ONE).max(BigInteger.ONE),
                    number(row, from + 2)
                            .filter(highest -> lowest.isPresent())
                            .map(highest -> new ValueRange(lowest.orElseThrow(), highest)));
        }

        private static Optional<BigInteger> number(ResultSet row, int column) throws SQLException {
            return Optional.ofNullable(row.getString(column))
                    .filter(text -> text.matches("-?\\d+"))
                    .map(BigInteger::new);
        }

        @Override
        public String toString() {
            return name.toString();
        }
    }

    private record Column(ColumnPath path, String expression, boolean identity, Counter counter) {}

    /** A column that a source numbers, whose counter stands at {@code from}. */
    private record Drawing(Counter counter, ColumnPath column, BigInteger from) {
        @Override
        public String toString() {
            return column.toString();
        }
    }

    /** @param product the product, which names the dialect */
    SpannerCatalog(Connection connection, InspectionLimits limits, String product) {
        super(connection, limits, product.equals("Spanner") ? "`" : "\"", "", "");
        this.product = product;
        this.postgres = !product.equals("Spanner");
    }

    @Override
    void begin() throws SQLException {
        connection.setAutoCommit(true);
        connection.setReadOnly(true);
        execute(List.of(
                "SET STATEMENT_TIMEOUT = '" + Math.max(1, limits.statement().toMillis()) + "ms'"));
    }

    @Override
    String product() {
        return product;
    }

    @Override
    Remedies remedies() {
        return new SpannerRemedies();
    }

    @Override
    List<NumberSource> sources() throws SQLException {
        List<Column> columns = columns();
        Map<String, Counter> sequences = new LinkedHashMap<>();
        for (Counter one : rows(
                postgres ? SEQUENCES_OF_POSTGRES : SEQUENCES,
                row -> Counter.of(name(row.getString(1), row.getString(2)), Optional.empty(), row, 3))) {
            sequences.put(one.toString().toLowerCase(Locale.ROOT), one);
        }
        Map<Counter, BigInteger> counters = counters(List.copyOf(sequences.values()));
        counters.putAll(identities(columns));
        List<Drawing> drawing = new ArrayList<>();
        for (Column column : columns) {
            Matcher drawn = DEFAULT.matcher(column.expression);
            String named = drawn.matches() ? drawn.group(1).replaceAll("[`\"]|^public\\.", "") : "";
            Counter counter = sequences.getOrDefault(named.toLowerCase(Locale.ROOT), column.counter);
            BigInteger next = counters.get(counter);
            if (next != null) {
                drawing.add(new Drawing(counter, column.path, next));
            } else if (DRAWS.matcher(column.expression).find()) {
                skips.add(column.path.toString(), "its default computes with a sequence's values");
            }
        }
        Map<Drawing, Optional<ValueRange>> ahead = ahead(drawing);
        return counters.entrySet().stream()
                .map(one -> source(one.getKey(), one.getValue(), drawing, ahead))
                .toList();
    }

    /** Returns the identity columns. The emulator does not report them: there, each column is asked. */
    private Map<Counter, BigInteger> identities(List<Column> columns) throws SQLException {
        boolean emulator = System.getenv("SPANNER_EMULATOR_HOST") != null
                || connection.getMetaData().getURL().matches("(?i).*(usePlainText|autoConfigEmulator)=true.*");
        return counters(columns.stream()
                .filter(column -> column.identity || (emulator && column.expression.isEmpty()))
                .map(Column::counter)
                .toList());
    }

    /** Returns where the counters stand that could be read. One stays at the last value, which it does not deal. */
    private Map<Counter, BigInteger> counters(List<Counter> all) throws SQLException {
        Map<Counter, BigInteger> counters = new LinkedHashMap<>();
        batch(
                BATCH,
                all,
                this::state,
                (of, row) -> {
                    BigInteger state = Optional.ofNullable(row.getString(2))
                            .map(BigInteger::new)
                            .orElse(of.start);
                    boolean ended = row.getString(2) != null && state.equals(LAST);
                    counters.put(of, ended ? state.add(BigInteger.ONE) : state);
                },
                (of, e) -> {
                    if (!String.valueOf(e.getMessage()).contains("Identity column not found")) {
                        skips.add(of.toString(), reason(e));
                    }
                });
        return counters;
    }

    /** Returns an expression that reads a counter. Names that are no identifiers do not exist. */
    private String state(Counter of) {
        String text = "'" + of.toString().replaceAll("[^\\w.]", "") + "'";
        String prefix = postgres ? "spanner." : "";
        return of.identity.isPresent()
                ? prefix + "GET_TABLE_COLUMN_IDENTITY_STATE(" + text + ")"
                : prefix + "GET_INTERNAL_SEQUENCE_STATE(" + (postgres ? text : "SEQUENCE " + quoted(of.name)) + ")";
    }

    /** Returns the counters of the rows that have yet to be generated, in columns that an index begins with, or that are read in full. */
    private Map<Drawing, Optional<ValueRange>> ahead(List<Drawing> drawing) throws SQLException {
        List<Drawing> read = new ArrayList<>();
        for (Drawing one : drawing) {
            if (limits.scans() || indexes.containsKey(one.column)) {
                read.add(one);
            } else {
                skips.add(one.toString(), Skips.NO_INDEX);
            }
        }
        return ends(10, read, one -> {
            String column = quoted(one.column.column());
            String keys = limits.scans() ? column + " > 0" : column + " IN (" + next(one.from) + ")";
            String unskipped = one.counter
                    .skipped
                    .map(skipped -> " AND NOT " + column + " BETWEEN " + skipped.lowest() + " AND " + skipped.highest())
                    .orElse("");
            return "MIN(counter), MAX(counter) FROM (SELECT " + (postgres ? "spanner." : "") + "BIT_REVERSE(" + column
                    + ", TRUE) AS counter FROM " + quoted(one.column.table()) + " WHERE " + keys + unskipped
                    + ") AS held WHERE counter > COALESCE(" + state(one.counter) + ", 0) AND counter BETWEEN "
                    + one.from
                    + " AND " + one.from.add(FAR_AHEAD).min(LAST);
        });
    }

    /** Returns the next values, separated by commas. */
    private static String next(BigInteger counter) {
        long from = counter.min(LAST).longValue();
        return LongStream.rangeClosed(from, from + Math.min(AHEAD, Long.MAX_VALUE - from))
                .mapToObj(
                        each -> NumberSource.reversed(BigInteger.valueOf(each)).toString())
                .collect(Collectors.joining(", "));
    }

    private NumberSource source(
            Counter counter, BigInteger next, List<Drawing> drawing, Map<Drawing, Optional<ValueRange>> ahead) {
        List<NumberedColumn> columns = drawing.stream()
                .filter(one -> one.counter.equals(counter))
                .map(one -> new NumberedColumn(
                        one.column,
                        postgres ? "bigint" : "INT64",
                        ValueRange.ofBits(63),
                        false,
                        ahead.getOrDefault(one, Optional.empty()),
                        false,
                        List.of()))
                .toList();
        return new NumberSource(
                        Kind.BIT_REVERSED,
                        counter.name,
                        Optional.empty(),
                        false,
                        counter.start,
                        BigInteger.ONE,
                        new ValueRange(BigInteger.ONE, LAST),
                        false,
                        1,
                        counter.identity,
                        List.of(),
                        counter.skipped)
                .at(Optional.of(next), columns);
    }

    private List<Column> columns() throws SQLException {
        rows(INDEXES, row -> indexes.merge(path(row), row.getString(4).equals("PRIMARY_KEY"), Boolean::logicalOr));
        return rows(COLUMNS, row -> {
            ColumnPath path = path(row);
            ObjectName name = new ObjectName(path.table().schema(), path.table().name() + "." + path.column());
            return new Column(
                    path,
                    Optional.ofNullable(row.getString(4)).orElse(""),
                    row.getString(5).equals("YES"),
                    Counter.of(name, Optional.of(path), row, 6));
        });
    }

    private ColumnPath path(ResultSet row) throws SQLException {
        return new ColumnPath(name(row.getString(1), row.getString(2)), row.getString(3));
    }

    /** Returns a name as the state functions take it: without the default schema. */
    private ObjectName name(String schema, String name) {
        return new ObjectName(postgres && schema.equals("public") ? "" : schema, name);
    }

    @Override
    Map<ColumnPath, Extent> extents(List<ColumnPath> all) throws SQLException {
        Map<ColumnPath, ColumnPath> found = new LinkedHashMap<>();
        List<ColumnPath> columns = columns().stream().map(Column::path).toList();
        for (ColumnPath asked : all) {
            ColumnPath column =
                    new ColumnPath(name(asked.table().schema(), asked.table().name()), asked.column());
            if (columns.contains(column)) {
                found.put(asked, column);
            }
        }
        return extents(found, indexes::containsKey);
    }

    /** {@inheritDoc} Also notes keys whose numbers rise. What is ahead of a reversed counter was read together with it. */
    @Override
    Map<List<Object>, Optional<BigInteger>> met(List<NumberSource> sources) throws SQLException {
        List<NumberSource> counters =
                sources.stream().filter(source -> source.kind() == Kind.COUNTER).toList();
        Map<List<Object>, Optional<BigInteger>> met = super.met(counters);
        for (NumberSource source : sources) {
            for (NumberedColumn column : source.columns()) {
                if (source.kind() == Kind.BIT_REVERSED) {
                    column.held()
                            .ifPresent(
                                    held -> met.put(List.of(source.name(), column.name()), Optional.of(held.lowest())));
                } else if (indexes.getOrDefault(column.name(), false)
                        && column.held().isPresent()
                        && source.notPassed(column).isEmpty()) {
                    findings.add(new InspectionFinding(
                            Fault.NOTE, column.name(), """
                            is a key that Seriatim's %s numbers in order, so one server of Spanner takes all inserts \
                            at a time""".formatted(source.name()), Optional.of(Remedy.advice("""
                            if many sessions insert, reverse the bits: Transform.bitReversed(), or next \
                            --bit-reversed"""))));
                }
            }
        }
        return met;
    }

    @Override
    String number(String column) {
        return "CAST(" + column + " AS NUMERIC)";
    }

    @Override
    String remainder(String dividend, Object divisor) {
        return "MOD(" + dividend + ", " + divisor + ")";
    }

    @Override
    String reason(SQLException e) {
        return switch (e.getErrorCode()) {
            case 7 -> Skips.DENIED;
            case 5 -> Skips.DROPPED;
            default ->
                e instanceof SQLTimeoutException || e.getErrorCode() == 4
                        ? "reading it took too long"
                        : super.reason(e);
        };
    }

    /** The statements that move counters. Beside draws they could move one back, so none runs by itself. */
    private final class SpannerRemedies implements Remedies {

        @Override
        public Remedy raise(NumberSource source, BigInteger held) {
            if (!limits.scans()) {
                return Remedy.advice(
                        "examine again with --scan, which reads the table and finds the counter to restart with");
            }
            String restart = "RESTART COUNTER WITH " + held.add(BigInteger.ONE);
            if (source.owner().isPresent()) {
                ColumnPath column = source.owner().get();
                return Remedy.changes("ALTER TABLE " + quoted(column.table()) + " ALTER COLUMN "
                        + quoted(column.column()) + (postgres ? " " : " ALTER IDENTITY ") + restart);
            }
            return Remedy.changes("ALTER SEQUENCE " + quoted(source.name()) + " "
                    + (postgres ? restart : "SET OPTIONS (start_with_counter = " + held.add(BigInteger.ONE) + ")"));
        }

        @Override
        public Remedy extend(NumberSource source) {
            return Remedy.advice("number the column from another sequence: 63 bits hold no further number");
        }
    }
}
