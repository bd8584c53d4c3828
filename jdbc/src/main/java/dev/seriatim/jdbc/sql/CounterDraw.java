// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.store.Layout;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SequenceStore;
import dev.seriatim.store.Window;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Collectors;

/**
 * Takes a block inside the connection's current transaction.
 *
 * <ol>
 *   <li>If the sequence was seen before, one statement draws. Its guard holds only if the row is unchanged and the
 *       block leaves at least one value after it.
 *   <li>If the guard does not hold, the row is locked, read, recomputed and written: on first use, near the limit,
 *       when a cycle restarts, after a change of the definition.
 * </ol>
 *
 * <p>Thread-safe.
 */
public final class CounterDraw {

    private final Dialect dialect;
    private final CounterRows rows;
    private final Layout layout;
    private final GuardedUpdate inside;
    private final Optional<GuardedUpdate> alone;
    private final String place;
    // The rows as last seen; never trusted, because the guard always checks them.
    private final ConcurrentMap<String, SequenceState> seen = new ConcurrentHashMap<>();

    /** @param ownSessions whether the store's own transactions run in sessions that no one else uses */
    public CounterDraw(CounterRows rows, String place, boolean ownSessions) {
        this.dialect = rows.place().dialect();
        this.rows = rows;
        this.layout = rows.layout();
        this.place = place;
        inside = GuardedUpdate.by(dialect.advance(), rows);
        alone = dialect.advanceAlone()
                .map(advance -> ownSessions ? advance.onOwnSession() : advance)
                .map(advance -> GuardedUpdate.by(advance, rows));
    }

    /** A counter whose row is locked: as it was, and as the row holds it since, perhaps moved past its next value. */
    public record Locked(SequenceState before, SequenceState written) {}

    /** How to draw from a sequence that was seen before: the statement and its parameters. */
    private record Plan(GuardedUpdate statement, SequenceState last, long wanted, Window window) {}

    /**
     * Returns work that takes the next values with one statement that is a transaction of its own; empty if that is
     * not possible now. The work returns empty if its guard did not hold: then nothing has happened.
     *
     * @param wait limits the wait for a lock
     */
    public Optional<SqlWork<Optional<Reservation>>> alone(String name, long count, LockWait wait) {
        SequenceStore.checkCount(name, count);
        return alone.flatMap(guarded -> plan(guarded, name, count))
                .map(plan -> connection -> run(connection, plan, wait));
    }

    /** Takes the next values in a transaction that does nothing else; the caller commits. */
    public Reservation takeAlone(Connection connection, String name, long count) throws SQLException {
        Optional<Reservation> atOnce = takeAtOnce(inside, connection, name, count, LockWait.UNBOUNDED);
        if (atOnce.isPresent()) {
            return atOnce.get();
        }
        dialect.endOutdated(connection);
        return byLock(connection, name, count, LockWait.UNBOUNDED);
    }

    /**
     * Locks the row until the transaction ends, which has done nothing before. Where one statement both locks and draws, the
     * row is then past the next value already, and a transaction that draws only that has nothing left to write.
     */
    public Locked lock(Connection connection, String name, LockWait wait) throws SQLException {
        Optional<Locked> atOnce = lockAtOnce(connection, name, wait);
        if (atOnce.isPresent()) {
            return atOnce.get();
        }
        dialect.commitDurably(connection);
        SequenceState before = locked(connection, name, wait);
        saw(before);
        boolean isUsedUp = before.usedUp() && !before.definition().cycle();
        if (isUsedUp || !dialect.forgetsSavepointsBeforeWrites()) {
            return new Locked(before, before);
        }
        SequenceState written = before.take(1).after();
        rows.write(connection, written);
        return new Locked(before, written);
    }

    /** Like {@link #lock}, with that one statement and a limited wait; empty if that is impossible. */
    public Optional<Locked> lockAtOnce(Connection connection, String name, LockWait wait) throws SQLException {
        if (!dialect.sharesLeanly()) {
            return Optional.empty();
        }
        return takeAtOnce(alone.orElse(inside), connection, name, 1, wait).map(next -> {
            SequenceState before =
                    new SequenceState(next.definition(), next.block().first(), false, next.epoch());
            return new Locked(before, before.take(1).after());
        });
    }

    /** Takes the next values, limiting the wait for a lock; the caller commits. */
    public Reservation take(Connection connection, String name, long count, LockWait wait) throws SQLException {
        Optional<Reservation> atOnce = takeAtOnce(inside, connection, name, count, wait);
        return atOnce.isPresent() ? atOnce.get() : byLock(connection, name, count, wait);
    }

    private Optional<Reservation> takeAtOnce(
            GuardedUpdate statement, Connection connection, String name, long count, LockWait wait)
            throws SQLException {
        SequenceStore.checkCount(name, count);
        Optional<Plan> plan = plan(statement, name, count);
        return plan.isPresent() ? run(connection, plan.get(), wait) : Optional.empty();
    }

    /** Returns the unused end of a block to the counter if no other session has reserved since; the caller commits. */
    public boolean giveBack(Connection connection, String name, Block unused, long epoch) throws SQLException {
        Optional<SequenceState> back = rows.lock(connection, name).flatMap(state -> state.giveBack(unused, epoch));
        if (back.isPresent()) {
            rows.write(connection, back.get());
        }
        return back.isPresent();
    }

    public SequenceState locked(Connection connection, String name) throws SQLException {
        return locked(connection, name, LockWait.UNBOUNDED);
    }

    private SequenceState locked(Connection connection, String name, LockWait wait) throws SQLException {
        return rows.lock(connection, name, wait).orElseThrow(() -> missing(name));
    }

    NotFound missing(String name) {
        return new NotFound(name, place);
    }

    /** Returns an epoch above every one of this name that was seen: clocks can stand still. */
    public long epochFrom(String name, long clock) {
        SequenceState last = seen.get(name);
        return last == null ? clock : Math.max(clock, last.epoch() + 1);
    }

    /** Records the state of a row; returns the part of that state that the row holds. */
    public SequenceState saw(SequenceState written) {
        SequenceDefinition definition = written.definition();
        SequenceState state = layout.state(definition.name(), layout.numbers(written));
        // The guard requires a sequence that still has values, whatever this one has.
        seen.put(definition.name(), new SequenceState(definition, definition.start(), false, state.epoch()));
        return state;
    }

    private Optional<Plan> plan(GuardedUpdate statement, String name, long count) {
        SequenceState last = seen.get(name);
        if (last == null) {
            return Optional.empty();
        }
        SequenceDefinition definition = last.definition();
        long wanted = count == SequenceStore.CACHE ? definition.cache() : count;
        return layout.window(definition, wanted)
                .filter(statement.advance()::canTell)
                .map(window -> new Plan(statement, last, wanted, window));
    }

    private Optional<Reservation> run(Connection connection, Plan plan, LockWait wait) throws SQLException {
        SequenceDefinition definition = plan.last().definition();
        OptionalLong counter =
                plan.statement().run(connection, definition.name(), plan.window(), layout.numbers(plan.last()), wait);
        if (counter.isEmpty()) {
            return Optional.empty();
        }
        long first =
                layout.next(definition, counter.getAsLong()) - plan.window().delta();
        Block block = new Block(first, plan.wanted(), definition.increment());
        return Optional.of(new Reservation(block, definition, plan.last().epoch()));
    }

    private Reservation byLock(Connection connection, String name, long count, LockWait wait) throws SQLException {
        SequenceState before = locked(connection, name, wait);
        SequenceState.Taken taken = before.take(count);
        rows.write(connection, taken.after());
        saw(taken.after());
        return taken.reservation();
    }

    /**
     * The fast path's statement: adds to a counter if it is inside a window and the rest of the row is unchanged. A plain
     * row has only its counter, so there the stored name must also be the identical text, whatever the column's type.
     */
    private record GuardedUpdate(CounterAdvance advance, String sql, boolean plain) {

        static GuardedUpdate by(CounterAdvance advance, CounterRows rows) {
            Dialect dialect = rows.place().dialect();
            List<String> columns = rows.layout().columns();
            String counter = dialect.quote(columns.get(0));
            String equal = " " + dialect.operator("=") + " ";
            String unchanged = columns.stream()
                    .skip(1)
                    .map(column -> " AND " + dialect.quote(column) + equal + "?")
                    .collect(Collectors.joining());
            String name = dialect.quote(rows.table().nameColumn());
            boolean plain = !rows.layout().holdsDefinition();
            String same = plain ? " AND " + dialect.exact(name) + equal + dialect.exact("?") : "";
            String guard = name + equal + "? AND " + counter + " " + dialect.operator(">=") + " ? AND " + counter + " "
                    + dialect.operator("<=") + " ?" + unchanged + same;
            return new GuardedUpdate(advance, advance.sql(rows.place().qualified(), counter, guard), plain);
        }

        /**
         * Runs the statement.
         *
         * @param row the row as last seen, beginning with the counter, which is ignored
         * @param wait limits the wait for a lock
         * @return the new counter; empty if the guard held for no row
         */
        OptionalLong run(Connection connection, String name, Window window, long[] row, LockWait wait)
                throws SQLException {
            try (PreparedStatement statement = advance.prepare(connection, wait.bounded(sql))) {
                wait.bound(statement);
                statement.setLong(1, window.delta());
                statement.setString(2, name);
                statement.setLong(3, window.low());
                statement.setLong(4, window.high());
                for (int i = 1; i < row.length; i++) {
                    statement.setLong(4 + i, row[i]);
                }
                if (plain) {
                    statement.setString(4 + row.length, name);
                }
                return advance.run(statement);
            }
        }
    }
}
