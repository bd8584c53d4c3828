// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import dev.seriatim.doctor.inventory.InspectionFinding.Fault;
import dev.seriatim.doctor.inventory.NumberSource.Kind;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Reads Spanner in both of its dialects: bit-reversed sequences, identity columns, and the columns that draw from sequences.
 *
 * <p>Of these, numbers are those of the counter. A column holds them reversed, so its lowest and highest value say nothing: rows ahead
 * of the counter are found by the keys of the next {@value #AHEAD} draws, or by reading all. The service keeps several counters for a
 * source and reports the highest, so what lies beyond it is not generated yet.
 */
final class SpannerCatalog extends EngineCatalog {

    private static final int AHEAD = 1_000;

    /** Keys that were counted up without a sequence lie further ahead: reversed, they are huge. */
    private static final BigInteger FAR = BigInteger.TWO.pow(40);

    private static final BigInteger LAST = BigInteger.valueOf(Long.MAX_VALUE);
    private static final ValueRange ALL = new ValueRange(BigInteger.ONE, LAST);

    private static final String COLUMNS = """
            SELECT c.table_schema, c.table_name, c.column_name, c.identity_start_with_counter, c.identity_skip_range_min,
              c.identity_skip_range_max, c.is_identity, COALESCE(c.column_default, '')
            FROM information_schema.columns AS c JOIN information_schema.tables AS t
              ON t.table_schema = c.table_schema AND t.table_name = c.table_name
            WHERE t.table_type = 'BASE TABLE' AND c.spanner_type IN ('INT64', 'bigint') AND c.is_generated = 'NEVER'""";

    private static final String INDEXES = """
            SELECT table_schema, table_name, column_name, index_type FROM information_schema.index_columns
            WHERE ordinal_position = 1 AND index_type IN ('PRIMARY_KEY', 'INDEX')""";

    /** No aggregates: the emulator ends if one compares these values, which are numbers in a column of text. */
    private static final String SEQUENCES = """
            SELECT s.schema, s.name, '', c.option_value, l.option_value, h.option_value
            FROM information_schema.sequences AS s
            LEFT JOIN information_schema.sequence_options AS c
              ON c.schema = s.schema AND c.name = s.name AND c.option_name = 'start_with_counter'
            LEFT JOIN information_schema.sequence_options AS l
              ON l.schema = s.schema AND l.name = s.name AND l.option_name = 'skip_range_min'
            LEFT JOIN information_schema.sequence_options AS h
              ON h.schema = s.schema AND h.name = s.name AND h.option_name = 'skip_range_max'""";

    private static final String SEQUENCES_OF_POSTGRES = """
            SELECT sequence_schema, sequence_name, '', counter_start_value, skip_range_min, skip_range_max
            FROM information_schema.sequences""";

    private static final Pattern DRAW = Pattern.compile(
            "(?i)(?:GET_NEXT_SEQUENCE_VALUE\\(\\s*SEQUENCE\\s+|nextval\\(')([\\w.`\"]+)(?:'(?:::[\\w ]+)?)?\\s*\\)");

    private final String product;
    private final boolean postgres;

    /** The columns that an index begins with, and whether one of these is the primary key. */
    private final Map<ColumnPath, Boolean> indexes = new HashMap<>();

    private final Map<ObjectName, NumberSource> defined = new LinkedHashMap<>();

    /** The skip ranges of sources that have one, for SQL. */
    private final Map<ObjectName, String> skipped = new HashMap<>();

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
        long millis = Math.max(1, limits.statement().toMillis());
        execute(List.of("SET STATEMENT_TIMEOUT = '" + millis + "ms'"));
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
        // The emulator does not report identity columns, so each column is asked.
        boolean emulator = System.getenv("SPANNER_EMULATOR_HOST") != null
                || connection.getMetaData().getURL().matches("(?i).*(usePlainText|autoConfigEmulator)=true.*");
        rows(
                postgres ? SEQUENCES_OF_POSTGRES : SEQUENCES,
                row -> define(row, path(row).table(), Optional.empty()));
        Map<ColumnPath, ObjectName> drawing = new LinkedHashMap<>();
        rows(COLUMNS, row -> {
            ColumnPath column = path(row);
            String expression = row.getString(8);
            Matcher draw = DRAW.matcher(expression);
            if (row.getString(7).equals("YES") || (emulator && expression.isEmpty())) {
                ObjectName name = new ObjectName(column.table().schema(), row.getString(2) + "." + row.getString(3));
                drawing.put(column, define(row, name, Optional.of(column)));
            } else if (draw.matches()) {
                String name = draw.group(1).replaceAll("[`\"]|^public\\.", "");
                defined.keySet().stream()
                        .filter(source -> source.toString().equalsIgnoreCase(name))
                        .forEach(source -> drawing.put(column, source));
            } else if (draw.reset().find()) {
                skips.add(column.toString(), "its default computes");
            }
            return column;
        });
        Map<ObjectName, NumberSource> sources = counted();
        drawing.values().retainAll(sources.keySet());
        Map<ColumnPath, Optional<ValueRange>> ahead = ends(
                10,
                readable(drawing.keySet(), indexes::containsKey),
                path -> ahead(path, Objects.requireNonNull(sources.get(drawing.get(path)))));
        drawing.forEach((path, name) -> sources.computeIfPresent(
                name, (same, source) -> source.and(new Extent(path, ahead.getOrDefault(path, Optional.empty())))));
        sources.forEach((name, source) -> {
            if (skipped.containsKey(name)) {
                note(source.subject(), "skips " + skipped.get(name).replace(" AND ", " to "));
            }
        });
        return List.copyOf(sources.values());
    }

    /** Reads a definition from a row, from its fourth column on. */
    private ObjectName define(ResultSet row, ObjectName name, Optional<ColumnPath> identity) throws SQLException {
        String text = String.valueOf(row.getString(4));
        BigInteger start = text.matches("[1-9]\\d*") ? new BigInteger(text) : BigInteger.ONE;
        NumberSource source = new NumberSource(
                Kind.BIT_REVERSED,
                name,
                Optional.empty(),
                false,
                start,
                BigInteger.ONE,
                ALL,
                false,
                1,
                identity,
                List.of());
        defined.put(name, source);
        String range = row.getString(5) + " AND " + row.getString(6);
        if (range.matches("-?\\d+ AND -?\\d+")) {
            skipped.put(name, range);
        }
        return name;
    }

    /** Returns the sources whose counter could be read, with its next value. */
    private Map<ObjectName, NumberSource> counted() throws SQLException {
        Map<ObjectName, NumberSource> read = new LinkedHashMap<>();
        RowOf<ObjectName> reader = (name, row) -> {
            NumberSource source = Objects.requireNonNull(defined.get(name));
            BigInteger state = new BigInteger(Objects.requireNonNullElse(row.getString(2), "0"));
            // A counter at its end stays at its last value, which it does not deal.
            BigInteger next = state.equals(LAST) ? LAST.add(BigInteger.ONE) : state.max(source.start());
            read.put(name, source.at(Optional.of(next), List.of()));
        };
        batch(
                BATCH,
                List.copyOf(defined.keySet()),
                name -> state(Objects.requireNonNull(defined.get(name))),
                reader,
                (name, e) -> {
                    if (!String.valueOf(e.getMessage()).contains("Identity column not found")) {
                        skips.add(name.toString(), reason(e));
                    }
                });
        return read;
    }

    /** Returns an expression that reads a counter. Names that are no identifiers do not exist. */
    private String state(NumberSource of) {
        String text = "'" + of.name().toString().replaceAll("[^\\w.]", "") + "'";
        return (postgres ? "spanner." : "")
                + (of.owner().isPresent()
                        ? "GET_TABLE_COLUMN_IDENTITY_STATE(" + text + ")"
                        : "GET_INTERNAL_SEQUENCE_STATE(" + (postgres ? text : "SEQUENCE " + quoted(of.name())) + ")");
    }

    /** Returns the ends of a column's rows that its source has yet to generate, as values of the counter. */
    private String ahead(ColumnPath path, NumberSource source) {
        BigInteger from = source.next().orElse(LAST);
        String column = quoted(path.column());
        String range = skipped.get(source.name());
        String keys = LongStream.iterate(from.longValue(), next -> next > 0, next -> next + 1)
                .limit(AHEAD)
                .mapToObj(
                        next -> NumberSource.reversed(BigInteger.valueOf(next)).toString())
                .collect(Collectors.joining(", "));
        return """
                MIN(counter), MAX(counter) FROM (SELECT %1$sBIT_REVERSE(%2$s, TRUE) AS counter FROM %3$s WHERE %2$s %4$s%5$s) AS held
                WHERE counter > COALESCE(%6$s, 0) AND counter BETWEEN %7$s AND %8$s""".formatted(
                        postgres ? "spanner." : "",
                        column,
                        quoted(path.table()),
                        limits.scans() ? "> 0" : "IN (" + keys + ")",
                        range == null ? "" : " AND NOT " + column + " BETWEEN " + range,
                        state(source),
                        from,
                        from.add(FAR).min(LAST));
    }

    /** Returns a column as the state functions name it: without the default schema. */
    private ColumnPath path(ResultSet row) throws SQLException {
        String schema = row.getString(1);
        ObjectName table = new ObjectName(schema.equals("public") ? "" : schema, row.getString(2));
        return new ColumnPath(table, row.getString(3));
    }

    @Override
    Map<ColumnPath, Extent> extents(List<ColumnPath> all) throws SQLException {
        rows(INDEXES, row -> indexes.merge(path(row), row.getString(4).equals("PRIMARY_KEY"), Boolean::logicalOr));
        List<ColumnPath> found = rows(COLUMNS, this::path);
        found.retainAll(all);
        return extents(
                found.stream().collect(Collectors.toMap(column -> column, column -> column)), indexes::containsKey);
    }

    /** {@inheritDoc} Also notes keys in order. What is ahead of a bit-reversed counter is known from its columns. */
    @Override
    Map<List<Object>, Optional<BigInteger>> met(List<NumberSource> sources) throws SQLException {
        Map<List<Object>, Optional<BigInteger>> met = super.met(
                sources.stream().filter(source -> source.kind() == Kind.COUNTER).toList());
        for (NumberSource source : sources) {
            for (NumberedColumn column : source.columns()) {
                Optional<BigInteger> first = column.held().map(ValueRange::lowest);
                if (source.kind() == Kind.BIT_REVERSED) {
                    met.put(List.of(source.name(), column.name()), first);
                } else if (indexes.getOrDefault(column.name(), false)
                        && first.isPresent()
                        && source.notPassed(column).isEmpty()) {
                    findings.add(Fault.NOTE.of(column.name(), """
                            is a key that Seriatim's %s numbers in order, so one server takes all \
                            inserts""".formatted(source.name()), """
                            if many sessions insert, reverse the bits: Transform.bitReversed(), next \
                            --bit-reversed"""));
                }
            }
        }
        return met;
    }

    @Override
    String met(NumberSource source, ColumnPath column) {
        return """
                (SELECT %1$s FROM %2$s WHERE %1$s %3$s %4$s AND MOD(ABS(CAST(%1$s AS NUMERIC) - %4$s), %5$s) = 0 \
                ORDER BY %1$s %6$s LIMIT 1)""".formatted(
                        quoted(column.column()),
                        quoted(column.table()),
                        source.ascending() ? ">=" : "<=",
                        source.next().orElseThrow(),
                        source.increment().abs(),
                        source.ascending() ? "ASC" : "DESC");
    }

    /** The statements that move counters. Beside draws they could move one back, so none runs by itself. */
    private final class SpannerRemedies implements Remedies {

        @Override
        public Remedy raise(NumberSource source, BigInteger held) {
            if (!limits.scans()) {
                return Remedy.advice("""
                        examine again with --scan, which finds where to restart the counter""");
            }
            String from = held.add(BigInteger.ONE).toString();
            String restart = "RESTART COUNTER WITH " + from;
            return Remedy.changes(source.owner()
                    .map(path -> "ALTER TABLE " + quoted(path.table()) + " ALTER COLUMN " + quoted(path.column())
                            + (postgres ? " " : " ALTER IDENTITY ") + restart)
                    .orElse("ALTER SEQUENCE " + quoted(source.name()) + " "
                            + (postgres ? restart : "SET OPTIONS (start_with_counter = " + from + ")")));
        }

        @Override
        public Remedy extend(NumberSource source) {
            return Remedy.advice("""
                    draw from another sequence: 63 bits hold no further number""");
        }
    }
}
