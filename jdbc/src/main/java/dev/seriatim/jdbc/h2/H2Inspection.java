// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.h2;

import dev.seriatim.jdbc.inspect.BatchedExtremes;
import dev.seriatim.jdbc.inspect.BatchedExtremes.Extremes;
import dev.seriatim.jdbc.inspect.ColumnPath;
import dev.seriatim.jdbc.inspect.EngineInspection;
import dev.seriatim.jdbc.inspect.InspectionFault;
import dev.seriatim.jdbc.inspect.InspectionFinding;
import dev.seriatim.jdbc.inspect.InspectionLimits;
import dev.seriatim.jdbc.inspect.Inventory;
import dev.seriatim.jdbc.inspect.NativeSequence;
import dev.seriatim.jdbc.inspect.NumberedColumn;
import dev.seriatim.jdbc.inspect.NumberedColumn.Generator;
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
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Inspects H2: sequences, identity columns, and defaults that draw from a sequence. */
record H2Inspection() implements EngineInspection {

    private static final long USUAL_CACHE = 32;
    private static final String NO_CACHE = "NO CACHE";

    private static final Map<String, Integer> BITS = Map.of("TINYINT", 8, "SMALLINT", 16, "INTEGER", 32, "BIGINT", 64);

    private static final String COLUMNS =
            "SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, DATA_TYPE, NUMERIC_PRECISION, NUMERIC_SCALE,"
                    + " IS_IDENTITY, IDENTITY_START, IDENTITY_INCREMENT, IDENTITY_MINIMUM, IDENTITY_MAXIMUM, IDENTITY_CYCLE,"
                    + " IDENTITY_CACHE, IDENTITY_BASE, COLUMN_DEFAULT FROM INFORMATION_SCHEMA.COLUMNS"
                    + " WHERE TABLE_SCHEMA <> 'INFORMATION_SCHEMA'"
                    + " AND (IS_IDENTITY = 'YES' OR COLUMN_DEFAULT LIKE '%NEXT VALUE FOR %') ORDER BY 1, 2, 3";

    private static final String SEQUENCES =
            "SELECT SEQUENCE_SCHEMA, SEQUENCE_NAME, START_VALUE, INCREMENT, MINIMUM_VALUE, MAXIMUM_VALUE, CYCLE_OPTION,"
                    + " CACHE, BASE_VALUE FROM INFORMATION_SCHEMA.SEQUENCES WHERE SEQUENCE_SCHEMA <> 'INFORMATION_SCHEMA'"
                    + " ORDER BY 1, 2";

    private static final String INDEXES =
            "SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME FROM INFORMATION_SCHEMA.INDEX_COLUMNS WHERE ORDINAL_POSITION = 1";

    /** The last row is in effect; an earlier one holds a value that was set once. */
    private static final String WRITE_DELAY =
            "SELECT SETTING_VALUE FROM INFORMATION_SCHEMA.SETTINGS WHERE SETTING_NAME = 'WRITE_DELAY'";

    private static final String NAME = "(U&)?\"([^\"]*+(?:\"\"[^\"]*+)*+)\"";
    private static final Pattern ALONE = Pattern.compile("NEXT VALUE FOR " + NAME + "\\." + NAME);

    /** H2 writes a name with characters beyond ASCII, or with a line break, in this way. */
    private static final Pattern ESCAPE = Pattern.compile("\\\\(?:\\+(\\p{XDigit}{6})|(\\p{XDigit}{4})|\\\\)");

    /** A column as the catalog has it; an identity column has a sequence of its own, which has no name. */
    private record Entry(
            ColumnPath path, String type, ValueRange range, ObjectName sequence, Optional<NativeSequence> ofIdentity) {}

    @Override
    public void begin(Connection connection, InspectionLimits limits) throws SQLException {
        connection.setAutoCommit(true);
        long millis = Math.max(1, Math.min(Integer.MAX_VALUE, limits.statement().toMillis()));
        try (Statement statement = connection.createStatement()) {
            // Of this session alone.
            statement.execute("SET LOCK_TIMEOUT " + millis);
            statement.execute("SET QUERY_TIMEOUT " + millis);
        }
    }

    @Override
    public Inventory read(Connection connection, InspectionLimits limits) throws SQLException {
        long end = System.nanoTime() + limits.total().toNanos();
        Skips skips = new Skips();
        Set<ColumnPath> indexed = indexed(connection);
        List<ColumnPath> wanted = new ArrayList<>();
        for (Entry entry : entries(connection, new Skips())) {
            if (limits.scans() || indexed.contains(entry.path())) {
                wanted.add(entry.path());
            } else {
                skips.add(entry.path().toString(), Skips.NO_INDEX);
            }
        }
        // The highest numbers first, the counters after them: a counter that is read later is ahead of what is read
        // earlier.
        Map<ColumnPath, Extremes> extremes = new BatchedExtremes(
                        connection, end, H2Inspection::quoted, value -> value, H2Inspection::reason, skips)
                .of(wanted);
        List<NumberedColumn> columns = new ArrayList<>();
        List<NativeSequence> sequences = new ArrayList<>(sequences(connection));
        for (Entry entry : entries(connection, skips)) {
            Optional<Extremes> ends = Optional.ofNullable(extremes.get(entry.path()));
            columns.add(new NumberedColumn(
                    entry.path().table(),
                    entry.path().column(),
                    entry.ofIdentity().isPresent() ? Generator.IDENTITY : Generator.DEFAULT,
                    entry.type(),
                    entry.range(),
                    Optional.of(entry.sequence()),
                    false,
                    Optional.empty(),
                    BigInteger.ONE,
                    ends.flatMap(Extremes::lowest),
                    ends.flatMap(Extremes::highest)));
            entry.ofIdentity().ifPresent(sequences::add);
        }
        String version = Settings.read(connection, "SELECT H2VERSION()").orElse("");
        String file = Settings.read(connection, "SELECT DATABASE_PATH()").orElse("");
        return new Inventory(
                "H2 " + version,
                Optional.ofNullable(connection.getCatalog()).orElse(""),
                columns,
                sequences,
                List.of(),
                file.isEmpty() ? List.of() : ofFiles(delay(connection), version),
                skips.lines());
    }

    /** Returns what is wrong with a database in a file; one in memory promises nothing. */
    static List<InspectionFinding> ofFiles(String delay, String version) {
        List<InspectionFinding> findings = new ArrayList<>();
        if (!delay.equals("0")) {
            findings.add(new InspectionFinding(
                    InspectionFault.LOSES_COMMITS,
                    "WRITE_DELAY",
                    "is " + delay + " ms: a crash of the process loses the commits that it acknowledged in that time",
                    Optional.of(new Remedy(
                            "SET WRITE_DELAY 0, by an administrator, each time the database is opened",
                            Remedy.Kind.ADVICE))));
        }
        if (H2Dialect.loses(version)) {
            findings.add(new InspectionFinding(
                    InspectionFault.LOSES_COMMITS,
                    "H2 " + version,
                    "loses acknowledged commits, and parts of others, when the process crashes, regardless of its settings",
                    Optional.of(new Remedy("use H2 2.4.240", Remedy.Kind.ADVICE))));
        }
        return findings;
    }

    private static List<Entry> entries(Connection connection, Skips skips) throws SQLException {
        List<Entry> entries = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(COLUMNS)) {
            while (row.next()) {
                ObjectName table = new ObjectName(row.getString(1), row.getString(2));
                ColumnPath path = new ColumnPath(table, row.getString(3));
                String type = row.getString(4);
                Optional<ValueRange> range = range(type, row.getInt(5), row.getInt(6));
                boolean identity = row.getString(7).equals("YES");
                Optional<ObjectName> sequence = identity
                        ? Optional.of(new ObjectName(table.schema(), table.name() + "." + path.column()))
                        : drawn(row.getString(15));
                if (sequence.isEmpty() || range.isEmpty()) {
                    skips.add(
                            path.toString(),
                            range.isEmpty()
                                    ? "its type is not one of whole numbers"
                                    : "its default computes with a sequence's values");
                    continue;
                }
                entries.add(new Entry(
                        path,
                        type,
                        range.get(),
                        sequence.get(),
                        identity
                                ? Optional.of(sequence(row, 8, sequence.get(), Optional.of(path)))
                                : Optional.empty()));
            }
        }
        return entries;
    }

    private static List<NativeSequence> sequences(Connection connection) throws SQLException {
        List<NativeSequence> sequences = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(SEQUENCES)) {
            while (row.next()) {
                ObjectName name = new ObjectName(row.getString(1), row.getString(2));
                sequences.add(sequence(row, 3, name, Optional.empty()));
            }
        }
        return sequences;
    }

    private static NativeSequence sequence(ResultSet row, int first, ObjectName name, Optional<ColumnPath> of)
            throws SQLException {
        boolean cycle = row.getString(first + 4).equals("YES");
        // Where nothing is left, there is no next value.
        Optional<BigInteger> next =
                Optional.ofNullable(row.getString(first + 6)).map(BigInteger::new);
        return new NativeSequence(
                name,
                new BigInteger(row.getString(first)),
                new BigInteger(row.getString(first + 1)),
                new ValueRange(new BigInteger(row.getString(first + 2)), new BigInteger(row.getString(first + 3))),
                cycle,
                Math.max(1, row.getLong(first + 5)),
                next,
                next.isEmpty() && !cycle,
                of,
                of.isPresent());
    }

    private static Set<ColumnPath> indexed(Connection connection) throws SQLException {
        Set<ColumnPath> indexed = new HashSet<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(INDEXES)) {
            while (row.next()) {
                indexed.add(new ColumnPath(new ObjectName(row.getString(1), row.getString(2)), row.getString(3)));
            }
        }
        return indexed;
    }

    private static Optional<ObjectName> drawn(String text) {
        Matcher alone = ALONE.matcher(text);
        return alone.matches()
                ? Optional.of(
                        new ObjectName(plain(alone.group(1), alone.group(2)), plain(alone.group(3), alone.group(4))))
                : Optional.empty();
    }

    private static Optional<ValueRange> range(String type, int precision, int scale) {
        Integer bits = BITS.get(type.toUpperCase(Locale.ROOT));
        if (bits != null) {
            BigInteger most = BigInteger.ONE.shiftLeft(bits - 1);
            return Optional.of(new ValueRange(most.negate(), most.subtract(BigInteger.ONE)));
        }
        if (type.equals("NUMERIC") || type.equals("DECIMAL")) {
            BigInteger most = BigInteger.TEN.pow(Math.max(0, precision - scale)).subtract(BigInteger.ONE);
            return Optional.of(new ValueRange(most.negate(), most));
        }
        return Optional.empty();
    }

    private static String delay(Connection connection) throws SQLException {
        String delay = "0";
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(WRITE_DELAY)) {
            while (row.next()) {
                delay = row.getString(1);
            }
        }
        return delay;
    }

    /** {@inheritDoc} Not a statement that is safe beside draws: H2 reads the sequence, and restarts it afterwards. */
    @Override
    public Remedy raise(NativeSequence sequence, BigInteger held) {
        Optional<ColumnPath> column = sequence.owner().filter(owner -> sequence.ofIdentity());
        boolean up = sequence.increment().signum() > 0;
        String now = column.map(H2Inspection::base)
                .orElse("SELECT BASE_VALUE FROM INFORMATION_SCHEMA.SEQUENCES WHERE SEQUENCE_SCHEMA = "
                        + text(sequence.name().schema()) + " AND SEQUENCE_NAME = "
                        + text(sequence.name().name()));
        return change(
                sequence,
                "RESTART WITH " + (up ? "GREATEST(" : "LEAST(") + "(" + now + "), " + sequence.firstBeyond(held) + ")",
                "",
                " -- while nothing draws");
    }

    @Override
    public Remedy raise(NumberedColumn column, BigInteger held) {
        return new Remedy("every generated column of H2 has a sequence; raise that", Remedy.Kind.ADVICE);
    }

    @Override
    public Remedy own(NativeSequence sequence, NumberedColumn by) {
        return new Remedy(
                "H2's sequences belong to no column; make " + by.path() + " an identity column, or drop "
                        + sequence.name() + " when you drop its table",
                Remedy.Kind.ADVICE);
    }

    @Override
    public Remedy noCycle(NativeSequence sequence) {
        return change(sequence, "NO CYCLE", "SET ", "");
    }

    @Override
    public Remedy noCache(NativeSequence sequence) {
        return change(sequence, NO_CACHE, "SET ", "");
    }

    /** Returns a query for the next value of an identity column; it is NULL if none is left. */
    private static String base(ColumnPath of) {
        return "SELECT IDENTITY_BASE FROM INFORMATION_SCHEMA.COLUMNS WHERE TABLE_SCHEMA = "
                + text(of.table().schema()) + " AND TABLE_NAME = "
                + text(of.table().name()) + " AND COLUMN_NAME = " + text(of.column());
    }

    private static Remedy change(NativeSequence sequence, String option, String set, String warning) {
        Optional<ColumnPath> column = sequence.owner().filter(owner -> sequence.ofIdentity());
        // H2 gives a sequence that descends over all 64 bits a cache below zero, and then refuses every other change.
        boolean alone = sequence.increment().signum() > 0 || option.equals(NO_CACHE);
        return Remedy.statement(
                column.map(of -> "ALTER TABLE " + quoted(of.table()) + " ALTER COLUMN " + quoted(of.column()) + " "
                                        + set)
                                .orElse("ALTER SEQUENCE " + quoted(sequence.name()) + " ")
                        + option
                        + (alone ? "" : (column.isPresent() ? " SET " : " ") + NO_CACHE)
                        + warning,
                Remedy.Kind.CHANGES);
    }

    /** {@inheritDoc} The sequence of an identity column keeps its end, and stays at it; so it is moved too. */
    @Override
    public Remedy widen(NumberedColumn column) {
        if (column.type().equalsIgnoreCase("BIGINT")
                || !BITS.containsKey(column.type().toUpperCase(Locale.ROOT))) {
            return new Remedy(
                    "no wider type holds what is in " + column.path() + "; number anew, or in another column",
                    Remedy.Kind.ADVICE);
        }
        String alter = "ALTER TABLE " + quoted(column.table()) + " ALTER COLUMN " + quoted(column.column());
        String further = "; " + alter + " SET MAXVALUE " + Long.MAX_VALUE + " RESTART WITH coalesce(("
                + base(new ColumnPath(column.table(), column.column())) + "), "
                + column.range().highest().add(BigInteger.ONE) + ")";
        return Remedy.statement(
                alter + " SET DATA TYPE BIGINT" + (column.generator() == Generator.IDENTITY ? further : ""),
                Remedy.Kind.CHANGES);
    }

    @Override
    public boolean cachesReorder() {
        return false;
    }

    @Override
    public long usualCache() {
        return USUAL_CACHE;
    }

    @Override
    public boolean sequencesHaveOwners() {
        return false;
    }

    private static String reason(SQLException e) {
        return switch (new H2Dialect().fault(e)) {
            case TIMED_OUT, CONFLICT -> "another session holds it, or reading it took too long";
            case DENIED -> "this user may not read it";
            case MISSING_TABLE -> "it was dropped meanwhile";
            default -> "it could not be read (" + String.valueOf(e.getMessage()).replaceAll("\\s+", " ") + ")";
        };
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    private static String quoted(ObjectName name) {
        return quoted(name.schema()) + "." + quoted(name.name());
    }

    private static String text(String value) {
        return "'" + value.replace("'", "''") + "'";
    }

    private static String plain(@Nullable String unicode, String quoted) {
        String name = quoted.replace("\"\"", "\"");
        return unicode == null
                ? name
                : ESCAPE.matcher(name).replaceAll(escape -> Matcher.quoteReplacement(character(escape)));
    }

    private static String character(MatchResult escape) {
        String code = escape.group(1) == null ? escape.group(2) : escape.group(1);
        return code == null ? "\\" : Character.toString(Integer.parseInt(code, 16));
    }
}
