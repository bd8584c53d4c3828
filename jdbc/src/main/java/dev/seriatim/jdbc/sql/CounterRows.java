// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.store.Layout;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SequenceTable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The rows of the table as sequences. Reads, locks and writes them inside the connection's current transaction.
 * Thread-safe.
 */
public final class CounterRows {

    private final Dialect dialect;
    private final PlacedTable place;
    private final SequenceTable table;
    private final Layout layout;
    private final Pattern tableInText;
    private final String lockAndRead;
    private final String read;
    private final String readAll;
    private final String insert;
    private final String write;
    private final String rewrite;
    private final String delete;
    private final String probe;
    private final String answer;
    private final String whoAnswers;

    /** The column is known to hold every counter of these sequences. */
    private volatile boolean holdsAll;

    public CounterRows(PlacedTable place, SequenceTable table) {
        this.dialect = place.dialect();
        this.place = place;
        this.table = table;
        this.layout = Layout.of(table);
        // In whatever case: names without quotes, and on some servers all names, are the same in any.
        tableInText = Pattern.compile(table.unqualified(), Pattern.LITERAL | Pattern.CASE_INSENSITIVE);
        String t = place.qualified();
        String name = dialect.quote(table.nameColumn());
        List<String> quoted = layout.columns().stream().map(dialect::quote).toList();
        String columns = String.join(", ", quoted);
        String whole = columns + ", " + name;
        String equal = " " + dialect.operator("=") + " ?";
        String named = " WHERE " + name + equal;
        lockAndRead = dialect.upToDate(dialect.newest(dialect.lockAndRead(t, name, whole)));
        read = dialect.upToDate("SELECT " + whole + " FROM " + t + named);
        String who = dialect.onStandby().orElse("0") + ", " + dialect.server();
        answer = dialect.upToDate("SELECT " + whole + ", " + who + " FROM " + t + named);
        whoAnswers = "SELECT " + who;
        readAll = dialect.upToDate("SELECT " + whole + " FROM " + t + " ORDER BY " + name);
        insert = "INSERT INTO " + t + " (" + columns + ", " + name + ") VALUES (" + "?, ".repeat(quoted.size()) + "?)";
        write = dialect.newest("UPDATE " + t + " SET "
                + quoted.stream().map(c -> c + " = ?").collect(Collectors.joining(", ")) + named);
        rewrite = write + quoted.stream().map(c -> " AND " + c + equal).collect(Collectors.joining());
        delete = "DELETE FROM " + t + named;
        holdsAll = !dialect.hasTypedColumns();
        probe = "SELECT " + whole + " FROM " + t + " WHERE 1 " + dialect.operator("=") + " 0";
    }

    public PlacedTable place() {
        return place;
    }

    public SequenceTable table() {
        return table;
    }

    public Layout layout() {
        return layout;
    }

    /** Returns whether a statement may read or write these rows, judged by its text; those in functions are not seen. */
    public boolean maySee(String sql) {
        return tableInText.matcher(sql).find();
    }

    /** Locks a row until the transaction ends, and reads it. */
    public Optional<SequenceState> lock(Connection connection, String name) throws SQLException {
        return lock(connection, name, LockWait.UNBOUNDED);
    }

    /** Like {@link #lock(Connection, String)}, with a limited wait. */
    Optional<SequenceState> lock(Connection connection, String name, LockWait wait) throws SQLException {
        return one(connection, lockAndRead, name, wait);
    }

    /** Reads a row without a lock. */
    public Optional<SequenceState> read(Connection connection, String name) throws SQLException {
        return one(connection, read, name, LockWait.UNBOUNDED);
    }

    /** Reads a row without a lock, and who has answered. */
    Optional<CounterReads.Answer> answer(Connection connection, String name) throws SQLException {
        return one(
                connection,
                answer,
                name,
                LockWait.UNBOUNDED,
                (row, state) -> new CounterReads.Answer(
                        state, answering(row, layout.columns().size() + 2)));
    }

    CounterReads.Answering whoAnswers(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(whoAnswers);
                ResultSet row = statement.executeQuery()) {
            row.next();
            return answering(row, 1);
        }
    }

    private static CounterReads.Answering answering(ResultSet row, int column) throws SQLException {
        return new CounterReads.Answering(row.getBoolean(column), String.valueOf(row.getString(column + 1)));
    }

    public List<SequenceState> readAll(Connection connection, BiConsumer<String, Misconfigured> broken)
            throws SQLException {
        place.check(connection);
        try (PreparedStatement statement = connection.prepareStatement(readAll);
                ResultSet row = statement.executeQuery()) {
            List<SequenceState> all = new ArrayList<>();
            while (row.next()) {
                String name = name(row);
                try {
                    all.add(state(row, name));
                } catch (Misconfigured e) {
                    broken.accept(name, e);
                }
            }
            return all;
        }
    }

    public void insert(Connection connection, SequenceState state) throws SQLException {
        place.check(connection);
        update(connection, insert, state);
    }

    public void write(Connection connection, SequenceState state) throws SQLException {
        update(connection, write, state);
    }

    /** Writes a locked row if it is unchanged; returns whether it was. */
    public boolean rewrite(Connection connection, SequenceState before, SequenceState after) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(rewrite)) {
            int next = bind(statement, after);
            for (long number : layout.numbers(before)) {
                statement.setLong(next++, number);
            }
            return statement.executeUpdate() == 1;
        }
    }

    public void delete(Connection connection, String name) throws SQLException {
        Sql.update(connection, delete, name);
    }

    /** Fails like any other statement if the table is missing or has an unexpected layout; changes nothing. */
    public void probe(Connection connection) throws SQLException {
        place.check(connection);
        try (PreparedStatement statement = connection.prepareStatement(probe);
                ResultSet none = statement.executeQuery()) {
            none.next();
        }
    }

    private void update(Connection connection, String sql, SequenceState state) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, state);
            statement.executeUpdate();
        }
    }

    /** Binds a row's numbers and its name; returns the next parameter's index. */
    private int bind(PreparedStatement statement, SequenceState state) throws SQLException {
        int next = 1;
        for (long number : layout.numbers(state)) {
            statement.setLong(next++, number);
        }
        statement.setString(next++, state.definition().name());
        return next;
    }

    @FunctionalInterface
    private interface Found<R> {
        R of(ResultSet row, SequenceState state) throws SQLException;
    }

    private Optional<SequenceState> one(Connection connection, String sql, String name, LockWait wait)
            throws SQLException {
        return one(connection, sql, name, wait, (row, state) -> state);
    }

    private <R> Optional<R> one(Connection connection, String sql, String name, LockWait wait, Found<R> found)
            throws SQLException {
        place.check(connection);
        try (PreparedStatement statement = connection.prepareStatement(wait.bounded(sql))) {
            wait.bound(statement);
            statement.setString(1, name);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    dialect.checkNotOverlooked(connection);
                    return Optional.empty();
                }
                String stored = name(row);
                if (!stored.equals(name)) {
                    throw anothersRow(name, stored);
                }
                R one = found.of(row, state(row, name));
                if (!holdsAll) {
                    checkHoldsAll(row.getMetaData(), name);
                    holdsAll = true;
                }
                if (row.next()) {
                    throw new Misconfigured(
                            name,
                            "has more than one row in table " + table.table() + "; delete all but one, and make "
                                    + table.nameColumn() + " the primary key");
                }
                return Optional.of(one);
            }
        }
    }

    /** Refuses a column that ends before its sequences: without strict mode, MariaDB would repeat its last number. */
    private void checkHoldsAll(ResultSetMetaData columns, String name) throws SQLException {
        SequenceDefinition any = table.template();
        long begin = counter(any, any.ascending() ? any.min() : any.max(), false);
        long end = counter(any, any.ascending() ? any.max() : any.min(), true);
        Optional<ColumnRange> range = ColumnRange.of(columns, 1);
        if (range.filter(r -> r.holds(begin) && r.holds(end)).isEmpty()) {
            String column = "column " + layout.columns().get(0) + " of table " + table.table();
            String remedy = "; make it " + dialect.numberType();
            throw new Misconfigured(
                    name,
                    range.map(
                                    r -> column + " holds only " + r + ", and its sequences need "
                                            + Math.min(begin, end) + " to "
                                            + Math.max(begin, end) + remedy
                                            + (layout.holdsDefinition()
                                                    ? ""
                                                    : ", or open the store with a min-value and max-value that the column holds"))
                            .orElse(column + " does not hold integers exactly" + remedy));
        }
    }

    private long counter(SequenceDefinition definition, long value, boolean usedUp) {
        return layout.numbers(new SequenceState(definition, value, usedUp, 0))[0];
    }

    /** Returns the stored name, without the padding of a fixed-width type. */
    private String name(ResultSet row) throws SQLException {
        int column = layout.columns().size() + 1;
        String stored = Objects.requireNonNullElse(row.getString(column), "");
        boolean padded = stored.endsWith(" ") && row.getMetaData().getColumnType(column) == Types.CHAR;
        return padded ? stored.stripTrailing() : stored;
    }

    private Misconfigured anothersRow(String name, String stored) {
        return new Misconfigured(name, """
                column %s of table %s treats this name as '%s', the name of another \
                sequence; give the column a type that distinguishes them (%s), or \
                choose another name""".formatted(table.nameColumn(), table.table(), stored, dialect.nameType()));
    }

    private SequenceState state(ResultSet row, String name) throws SQLException {
        long[] numbers = new long[layout.columns().size()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = whole(row.getObject(i + 1), layout.columns().get(i), name);
        }
        return layout.state(name, numbers);
    }

    // Strict, because the fast path's statement would compare and add texts and fractions by rules of its own.
    private long whole(@Nullable Object value, String column, String name) {
        if (value instanceof Long || value instanceof Integer || value instanceof Short) {
            return ((Number) value).longValue();
        }
        if (value instanceof BigDecimal || value instanceof BigInteger) {
            try {
                return new BigDecimal(value.toString()).longValueExact();
            } catch (ArithmeticException notWhole) {
                // reported below like any other invalid value
            }
        }
        throw new Misconfigured(
                name,
                "column " + column + " of table " + table.table() + " holds "
                        + (value == null ? "nothing" : "'" + value + "'")
                        + ", not a 64-bit integer; correct the row");
    }

    /** The integers that a column holds exactly. Servers refuse or silently change others. */
    private record ColumnRange(BigInteger lowest, BigInteger highest) {

        private static final int MEDIUM_DIGITS = 8;

        /** Returns empty for a type that does not hold integers exactly. */
        static Optional<ColumnRange> of(ResultSetMetaData columns, int column) throws SQLException {
            return switch (columns.getColumnType(column)) {
                case Types.TINYINT -> bits(8, columns.isSigned(column));
                case Types.SMALLINT -> bits(16, columns.isSigned(column));
                case Types.INTEGER -> bits(isMedium(columns, column) ? 24 : 32, columns.isSigned(column));
                case Types.BIGINT -> bits(64, columns.isSigned(column));
                case Types.DECIMAL, Types.NUMERIC ->
                    digits(columns.getPrecision(column), columns.getScale(column), columns.isSigned(column));
                default -> Optional.empty();
            };
        }

        private static boolean isMedium(ResultSetMetaData columns, int column) throws SQLException {
            // Asked for few types only: PostgreSQL's driver queries the catalogue for a type's name, with operators
            // that
            // others may have made.
            return columns.getPrecision(column) <= MEDIUM_DIGITS
                    && columns.getColumnTypeName(column)
                            .toUpperCase(Locale.ROOT)
                            .startsWith("MEDIUMINT");
        }

        private static Optional<ColumnRange> bits(int bits, boolean signed) {
            BigInteger half = BigInteger.ONE.shiftLeft(bits - 1);
            return Optional.of(
                    signed
                            ? new ColumnRange(half.negate(), half.subtract(BigInteger.ONE))
                            : new ColumnRange(BigInteger.ZERO, half.shiftLeft(1).subtract(BigInteger.ONE)));
        }

        private static Optional<ColumnRange> digits(int precision, int scale, boolean signed) {
            // PostgreSQL's numeric has no precision unless it is given one.
            int digits = precision == 0 ? 40 : Math.max(0, precision - scale);
            BigInteger most = BigInteger.TEN.pow(Math.min(digits, 40)).subtract(BigInteger.ONE);
            return Optional.of(new ColumnRange(signed ? most.negate() : BigInteger.ZERO, most));
        }

        boolean holds(long value) {
            BigInteger exact = BigInteger.valueOf(value);
            return lowest.compareTo(exact) <= 0 && exact.compareTo(highest) <= 0;
        }

        @Override
        public String toString() {
            return lowest + " to " + highest;
        }
    }
}
