// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.pool;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.jdbc.dialect.ClassifiedException;
import dev.seriatim.jdbc.dialect.Dialect;
import dev.seriatim.jdbc.dialect.Fault;
import dev.seriatim.jdbc.dialect.PoolClaim;
import dev.seriatim.jdbc.dialect.SqlExpressions;
import dev.seriatim.store.SequenceState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The table of the pools, beside that of the sequences: a row for each number that is laid out, which a claim deletes. Works
 * inside whatever transaction the connection has; who changes a pool, other than by claims, has locked its sequence.
 *
 * <p>The rows at places below 1 are the pool's {@link Head}. Those at its bottom and below it, down to 1, count for nothing.
 *
 * <p>Immutable and thread-safe.
 *
 * @param epochs whether the rows of the sequences hold epochs
 */
public record PoolTable(Dialect dialect, String name, PoolClaim claim, boolean epochs) {

    static final String SUFFIX = "_pool";

    private static final long LAST = 0;
    private static final long EPOCH = -1;
    private static final long BOTTOM = -2;

    /** The epoch of a pool that is being emptied, which no sequence has. */
    private static final long OUTDATED = -1;

    /** So many rows go into the database by one statement. */
    private static final int ROWS_AT_A_TIME = 500;

    /** What creates the table unless it is there; the prefix says where. */
    public String create(String prefix) {
        return "CREATE TABLE IF NOT EXISTS " + prefix + quoted() + " (\n  name " + dialect.nameType()
                + " NOT NULL,\n  place "
                + dialect.numberType() + " NOT NULL,\n  value " + dialect.numberType()
                + " NOT NULL,\n  PRIMARY KEY (name, place)\n)" + claim.tableOptions();
    }

    /** Creates the table unless it is there. */
    public void create(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(create(""));
        }
    }

    /** Advice on the least privileges, one line each, as SQL comments. */
    public List<String> grants(String prefix) {
        return List.of(
                "-- to draw: GRANT SELECT ON " + prefix + quoted() + " TO the_application",
                "-- to draw in the mode POOLED: GRANT SELECT, INSERT, UPDATE, DELETE ON " + prefix + quoted()
                        + " TO the_application");
    }

    /**
     * What is known of a pool as a whole.
     *
     * @param last the place that was given last
     * @param epoch the sequence's epoch when numbers were laid out: in another one, they are not to be dealt any more
     * @param bottom numbers are at places above this one
     */
    public record Head(long last, long epoch, long bottom) {

        /** Whether nothing has been laid out since the pool was closed off. */
        boolean isClosedOff() {
            return last == bottom;
        }
    }

    /** The head of a sequence's pool; empty when it has none. */
    Optional<Head> head(Connection connection, String sequence) throws SQLException {
        String sql = "SELECT value FROM " + quoted() + from() + upTo() + " ORDER BY place DESC";
        List<Long> rows = numbers(connection, sql, sequence, BOTTOM, LAST);
        if (rows.size() < 2) {
            return Optional.empty();
        }
        long bottom = rows.size() > 2 ? rows.get(2) : 0; // earlier versions made none
        return Optional.of(new Head(rows.get(0), rows.get(1), bottom));
    }

    /** Makes a pool, which is empty. */
    void insert(Connection connection, String sequence, Head head) throws SQLException {
        setBottom(connection, sequence, head.bottom()); // drop, by earlier versions, leaves that row
        insertHead(connection, sequence, EPOCH, head.epoch());
        insertHead(connection, sequence, LAST, head.last());
    }

    /**
     * Whether the counter was set, other than by the library, since numbers were laid out. Where rows hold no epoch, this shows only
     * while the pool holds a number that the counter has yet to come to. Numbers follow each other in the order of their
     * places, so the last one tells.
     *
     * @param sequence as it stands, locked
     * @param from a place below which there is no number
     */
    public boolean isOutdated(Connection connection, SequenceState sequence, Head head, long from) throws SQLException {
        if (head.epoch() != sequence.epoch()) {
            return true;
        }
        if (epochs) {
            return false;
        }
        String last = "SELECT value FROM " + quoted() + from() + upTo() + " ORDER BY place DESC LIMIT 1";
        String name = sequence.definition().name();
        return areOutdated(numbers(connection, last, name, Math.max(from, head.bottom() + 1), head.last()), sequence);
    }

    /** The same for a pool whose numbers are known; read the sequence after them, or in the same snapshot. */
    boolean isOutdated(SequenceState sequence, Head head, List<Long> numbers) {
        return head.epoch() != sequence.epoch() || (!epochs && areOutdated(numbers, sequence));
    }

    private static boolean areOutdated(List<Long> numbers, SequenceState sequence) {
        boolean up = sequence.definition().ascending();
        long next = sequence.nextValue();
        return !sequence.usedUp() && numbers.stream().anyMatch(number -> up ? number >= next : number <= next);
    }

    /** Says that the pool belongs to another epoch from now on. */
    public void setEpoch(Connection connection, String sequence, long epoch) throws SQLException {
        setHead(connection, sequence, EPOCH, epoch);
    }

    /** The lowest places that hold a number that is not committed, from one on; at most so many of them. */
    List<Long> lowest(Connection connection, String sequence, Head head, long from, int count) throws SQLException {
        String sql = "SELECT place FROM " + quoted() + from() + " ORDER BY place LIMIT " + count;
        return numbers(connection, sql, sequence, Math.max(from, head.bottom() + 1));
    }

    /** All numbers that are not committed, in the order of their places. */
    List<Long> all(Connection connection, String sequence, Head head) throws SQLException {
        String sql = "SELECT value FROM " + quoted() + from() + upTo() + " ORDER BY place";
        return numbers(connection, sql, sequence, head.bottom() + 1, head.last());
    }

    /** Lays out a block behind the last place. */
    void layOut(Connection connection, String sequence, long lastPlace, Block block) throws SQLException {
        for (long from = 0; from < block.count(); from += ROWS_AT_A_TIME) {
            insert(connection, sequence, lastPlace, block, from, Math.min(block.count(), from + ROWS_AT_A_TIME));
        }
        setHead(connection, sequence, LAST, lastPlace + block.count());
    }

    /** Removes all numbers; waits for those that transactions hold. */
    public void removeAll(Connection connection, String sequence, Head head) throws SQLException {
        long last = closeOff(connection, sequence, head).bottom() - claim.rest();
        update(connection, "DELETE FROM " + quoted() + from() + upTo(), sequence, 1, last);
    }

    /** Removes the numbers that come before one; waits for those that transactions hold. */
    public void removeBefore(Connection connection, SequenceDefinition sequence, Head head, long number)
            throws SQLException {
        long first = head.bottom() + 1;
        String others = "SELECT place FROM " + quoted() + from() + " AND "
                + is("value", sequence.ascending() ? ">=" : "<=") + " LIMIT 1";
        if (numbers(connection, others, sequence.name(), first, number).isEmpty()) {
            removeAll(connection, sequence.name(), head);
        } else {
            String sql = "DELETE FROM " + quoted() + from() + " AND " + is("value", sequence.ascending() ? "<" : ">");
            update(connection, sql, sequence.name(), first, number);
        }
    }

    /**
     * Empties the pool; its rows stay for now, and count for nothing. A process that does not know yet goes on searching where the old
     * numbers were. If it found no row there or behind, it would lock the gap in which its own refill inserts: so where searches
     * come to rest on the last rows, others that never are numbers follow these.
     *
     * @return the head as it is then
     */
    Head closeOff(Connection connection, String sequence, Head head) throws SQLException {
        if (head.isClosedOff()) {
            return head;
        }
        if (claim.rest() > 0) {
            insert(connection, sequence, head.last(), new Block(0, claim.rest(), 1), 0, claim.rest());
        }
        long bottom = head.last() + claim.rest();
        setHead(connection, sequence, LAST, bottom);
        setBottom(connection, sequence, bottom);
        return new Head(bottom, head.epoch(), bottom);
    }

    /** Closes an outdated pool off, and says so in its head: the numbers by which it shows count for nothing from now on. */
    void closeOffOutdated(Connection connection, String sequence, Head head) throws SQLException {
        closeOff(connection, sequence, head);
        setEpoch(connection, sequence, OUTDATED);
    }

    /**
     * Removes numbers that have been closed off, some at a time, and waits for no lock: whoever has locked a row may be waiting for what comes
     * after this.
     *
     * @return whether there were none any more; else it is to be called again, in another transaction
     * @throws SQLException a {@linkplain Fault#passing passing} one while transactions hold some of them, or have come to rest on them
     */
    boolean removeClosedOff(Connection connection, String sequence, Head head) throws SQLException {
        long last = head.bottom() - claim.rest();
        PoolClaim.Places places = new PoolClaim.Places(1, last);
        if (!claim.take(connection, sequence, places, ROWS_AT_A_TIME).isEmpty()) {
            return false;
        }
        String left = "SELECT place FROM " + quoted() + from() + upTo() + " LIMIT 1";
        if (!numbers(connection, left, sequence, 1, last).isEmpty()) {
            throw new ClassifiedException(
                    Fault.CONFLICT, "numbers are locked that were laid out before the counter was set");
        }
        return true;
    }

    /** Removes the pool itself; waits for numbers that transactions hold. */
    public void remove(Connection connection, String sequence) throws SQLException {
        update(connection, "DELETE FROM " + quoted() + from(), sequence, BOTTOM);
    }

    /** Whether a number that is not committed is outside the bounds. */
    public boolean hasOutside(Connection connection, SequenceDefinition bounds, Head head) throws SQLException {
        String sql = "SELECT place FROM " + quoted() + from() + " AND (" + is("value", "<") + " OR " + is("value", ">")
                + ") LIMIT 1";
        return !numbers(connection, sql, bounds.name(), head.bottom() + 1, bounds.min(), bounds.max())
                .isEmpty();
    }

    private String quoted() {
        return dialect.quote(name);
    }

    /** The rows of a sequence from a place on; asks for both. */
    private String from() {
        return " WHERE " + is("name", "=") + " AND " + is("place", ">=");
    }

    private String upTo() {
        return " AND " + is("place", "<=");
    }

    private String is(String column, String symbol) {
        return column + " " + SqlExpressions.of(dialect).operator(symbol) + " ?";
    }

    private void setBottom(Connection connection, String sequence, long bottom) throws SQLException {
        if (setHead(connection, sequence, BOTTOM, bottom) == 0) {
            insertHead(connection, sequence, BOTTOM, bottom);
        }
    }

    private void insertHead(Connection connection, String sequence, long place, long value) throws SQLException {
        update(
                connection,
                "INSERT INTO " + quoted() + " (name, place, value) VALUES (?, ?, ?)",
                sequence,
                place,
                value);
    }

    private int setHead(Connection connection, String sequence, long place, long value) throws SQLException {
        String sql = "UPDATE " + quoted() + " SET value = ? WHERE " + is("name", "=") + " AND " + is("place", "=");
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, value);
            statement.setString(2, sequence);
            statement.setLong(3, place);
            return statement.executeUpdate();
        }
    }

    private void insert(Connection connection, String sequence, long lastPlace, Block block, long from, long to)
            throws SQLException {
        int rows = (int) (to - from);
        String sql =
                "INSERT INTO " + quoted() + " (name, place, value) VALUES (?, ?, ?)" + ", (?, ?, ?)".repeat(rows - 1);
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < rows; i++) {
                statement.setString(3 * i + 1, sequence);
                statement.setLong(3 * i + 2, lastPlace + from + i + 1);
                statement.setLong(3 * i + 3, block.get(from + i));
            }
            statement.executeUpdate();
        }
    }

    private static List<Long> numbers(Connection connection, String sql, String sequence, long... parameters)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, sequence, parameters);
            try (ResultSet row = statement.executeQuery()) {
                List<Long> numbers = new ArrayList<>();
                while (row.next()) {
                    numbers.add(row.getLong(1));
                }
                return numbers;
            }
        }
    }

    private static void update(Connection connection, String sql, String sequence, long... parameters)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, sequence, parameters);
            statement.executeUpdate();
        }
    }

    private static void bind(PreparedStatement statement, String sequence, long... parameters) throws SQLException {
        statement.setString(1, sequence);
        for (int i = 0; i < parameters.length; i++) {
            statement.setLong(i + 2, parameters[i]);
        }
    }
}
