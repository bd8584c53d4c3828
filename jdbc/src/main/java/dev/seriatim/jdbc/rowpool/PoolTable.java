// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.rowpool;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.jdbc.sql.ClassifiedException;
import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.Fault;
import dev.seriatim.jdbc.sql.Grant;
import dev.seriatim.jdbc.sql.PlacedTable;
import dev.seriatim.jdbc.sql.PoolClaim;
import dev.seriatim.jdbc.sql.Sql;
import dev.seriatim.store.SequenceState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * The table of the pools, beside that of the sequences. Each row is a number that is laid out; a claim deletes it. All
 * methods run in the connection's current transaction; changes other than claims require a lock on the sequence.
 *
 * <p>The rows at places below 1 are the pool's {@link Head}. The rows from place 1 to its bottom are ignored.
 *
 * @param epochs whether the rows of the sequences hold epochs
 */
public record PoolTable(PlacedTable place, PoolClaim claim, boolean epochs) {

    private static final long LAST = 0;
    private static final long EPOCH = -1;
    private static final long BOTTOM = -2;

    /** The epoch of a pool that is being emptied; no sequence has it. */
    private static final long OUTDATED = -1;

    private static final int ROWS_AT_A_TIME = 500;

    /** Returns the statement that creates the table if it does not exist; the prefix is its schema. */
    public String create(String prefix) {
        Dialect dialect = place.dialect();
        return "CREATE TABLE IF NOT EXISTS " + named(prefix) + " (\n  name " + dialect.nameType()
                + " NOT NULL,\n  place "
                + dialect.numberType() + " NOT NULL,\n  value " + dialect.numberType()
                + " NOT NULL,\n  PRIMARY KEY (name, place)\n)" + claim.tableOptions();
    }

    public void create(Connection connection) throws SQLException {
        Sql.execute(connection, create(place.prefix()));
    }

    /** Returns whether the table exists. Call this before other statements: it also refuses a table of others. */
    boolean exists(Connection connection) throws SQLException {
        return !place.beside("").missing(connection);
    }

    public List<Grant> grants(String prefix) {
        return place.dialect().poolGrants(named(prefix));
    }

    /**
     * The state of a pool as a whole.
     *
     * @param last the last place used
     * @param epoch the sequence's epoch when numbers were laid out; in any other epoch, they must not be dealt
     * @param bottom numbers are at places above this one
     */
    public record Head(long last, long epoch, long bottom) {

        /** Returns whether nothing has been laid out since the pool was closed off. */
        boolean isClosedOff() {
            return last == bottom;
        }
    }

    /** Reads the head of a sequence's pool; empty if the sequence has no pool. */
    Optional<Head> head(Connection connection, String sequence) throws SQLException {
        String sql = "SELECT value FROM " + quoted() + from() + upTo() + " ORDER BY place DESC";
        List<Long> rows = Sql.numbers(connection, sql, sequence, BOTTOM, LAST);
        return rows.size() < 3 ? Optional.empty() : Optional.of(new Head(rows.get(0), rows.get(1), rows.get(2)));
    }

    void insert(Connection connection, String sequence, Head head) throws SQLException {
        String sql = "INSERT INTO " + quoted() + " (name, place, value) VALUES (?, ?, ?)";
        Sql.update(connection, sql, sequence, BOTTOM, head.bottom());
        Sql.update(connection, sql, sequence, EPOCH, head.epoch());
        Sql.update(connection, sql, sequence, LAST, head.last());
    }

    /**
     * Returns whether the counter was set outside the library since numbers were laid out. Without epochs, this shows only
     * while the pool holds a number that the counter has not reached; the last number decides.
     *
     * @param sequence the current state, locked
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
        return areOutdated(
                Sql.numbers(connection, last, name, Math.max(from, head.bottom() + 1), head.last()), sequence);
    }

    /** Returns the same for a pool whose numbers are known; read the sequence after them, or in the same snapshot. */
    boolean isOutdated(SequenceState sequence, Head head, List<Long> numbers) {
        return head.epoch() != sequence.epoch() || (!epochs && areOutdated(numbers, sequence));
    }

    private static boolean areOutdated(List<Long> numbers, SequenceState sequence) {
        boolean up = sequence.definition().ascending();
        long next = sequence.nextValue();
        return !sequence.usedUp() && numbers.stream().anyMatch(number -> up ? number >= next : number <= next);
    }

    public void setEpoch(Connection connection, String sequence, long epoch) throws SQLException {
        setHead(connection, sequence, EPOCH, epoch);
    }

    /** Reads up to {@code count} of the lowest places from {@code from} on whose number has no committed claim. */
    List<Long> lowest(Connection connection, String sequence, Head head, long from, int count) throws SQLException {
        String sql = "SELECT place FROM " + quoted() + from() + " ORDER BY place LIMIT " + count;
        return Sql.numbers(connection, sql, sequence, Math.max(from, head.bottom() + 1));
    }

    /** Reads all numbers without a committed claim, in the order of their places. */
    List<Long> all(Connection connection, String sequence, Head head) throws SQLException {
        String sql = "SELECT value FROM " + quoted() + from() + upTo() + " ORDER BY place";
        return Sql.numbers(connection, sql, sequence, head.bottom() + 1, head.last());
    }

    void layOut(Connection connection, String sequence, long lastPlace, Block block) throws SQLException {
        for (long from = 0; from < block.count(); from += ROWS_AT_A_TIME) {
            insert(connection, sequence, lastPlace, block, from, Math.min(block.count(), from + ROWS_AT_A_TIME));
        }
        setHead(connection, sequence, LAST, lastPlace + block.count());
    }

    /** Removes all numbers; waits for those that transactions hold. */
    public void removeAll(Connection connection, String sequence, Head head) throws SQLException {
        long last = closeOff(connection, sequence, head).bottom() - claim.rest();
        Sql.update(connection, "DELETE FROM " + quoted() + from() + upTo(), sequence, 1, last);
    }

    /** Removes the numbers before the given one; waits for those that transactions hold. */
    public void removeBefore(Connection connection, SequenceDefinition sequence, Head head, long number)
            throws SQLException {
        long first = head.bottom() + 1;
        String others = "SELECT place FROM " + quoted() + from() + " AND "
                + is("value", sequence.ascending() ? ">=" : "<=") + " LIMIT 1";
        if (Sql.numbers(connection, others, sequence.name(), first, number).isEmpty()) {
            removeAll(connection, sequence.name(), head);
        } else {
            String sql = "DELETE FROM " + quoted() + from() + " AND " + is("value", sequence.ascending() ? "<" : ">");
            Sql.update(connection, sql, sequence.name(), first, number);
        }
    }

    /**
     * Empties the pool. Its rows stay and are ignored. A process that does not know this yet still searches where the old
     * numbers were, and would lock the gap in which its own refill inserts if it found no row there. So on engines where
     * searches stop at the last rows, more rows follow that never become numbers.
     *
     * @return the head afterwards
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
        setHead(connection, sequence, BOTTOM, bottom);
        return new Head(bottom, head.epoch(), bottom);
    }

    /** Closes an outdated pool off, and marks it: the numbers that prove it outdated are ignored from now on. */
    void closeOffOutdated(Connection connection, String sequence, Head head) throws SQLException {
        closeOff(connection, sequence, head);
        setEpoch(connection, sequence, OUTDATED);
    }

    /**
     * Removes some of the closed-off numbers without waiting for locks, whose holders may wait for this transaction.
     *
     * @return whether there were none left; otherwise, call it again in another transaction
     * @throws SQLException a {@link Fault#CONFLICT} while transactions hold some of them
     */
    boolean removeClosedOff(Connection connection, String sequence, Head head) throws SQLException {
        long last = head.bottom() - claim.rest();
        PoolClaim.Places places = new PoolClaim.Places(1, last);
        if (!claim.take(connection, sequence, places, ROWS_AT_A_TIME).isEmpty()) {
            return false;
        }
        String left = "SELECT place FROM " + quoted() + from() + upTo() + " LIMIT 1";
        if (!Sql.numbers(connection, left, sequence, 1, last).isEmpty()) {
            throw new ClassifiedException(Fault.CONFLICT, "numbers laid out before the counter was set are locked");
        }
        return true;
    }

    /** Removes the pool itself; waits for numbers that transactions hold. */
    public void remove(Connection connection, String sequence) throws SQLException {
        Sql.update(connection, "DELETE FROM " + quoted() + from(), sequence, BOTTOM);
    }

    /** Returns whether a number without a committed claim is outside the bounds. */
    public boolean hasOutside(Connection connection, SequenceDefinition bounds, Head head) throws SQLException {
        String sql = "SELECT place FROM " + quoted() + from() + " AND (" + is("value", "<") + " OR " + is("value", ">")
                + ") LIMIT 1";
        return !Sql.numbers(connection, sql, bounds.name(), head.bottom() + 1, bounds.min(), bounds.max())
                .isEmpty();
    }

    private String quoted() {
        return place.qualified();
    }

    private String named(String prefix) {
        return prefix + place.dialect().quote(place.name());
    }

    /** Returns the condition for a sequence's rows from a place on; the sequence and the place are parameters. */
    private String from() {
        return " WHERE " + is("name", "=") + " AND " + is("place", ">=");
    }

    private String upTo() {
        return " AND " + is("place", "<=");
    }

    private String is(String column, String symbol) {
        return column + " " + place.dialect().operator(symbol) + " ?";
    }

    private void setHead(Connection connection, String sequence, long place, long value) throws SQLException {
        String sql = "UPDATE " + quoted() + " SET value = ? WHERE " + is("name", "=") + " AND " + is("place", "=");
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, value);
            statement.setString(2, sequence);
            statement.setLong(3, place);
            statement.executeUpdate();
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
}
