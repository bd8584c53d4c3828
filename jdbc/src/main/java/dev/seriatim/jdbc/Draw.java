// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.Block;
import dev.seriatim.Reservation;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.SequenceState;
import dev.seriatim.SequenceStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Collectors;

/**
 * Takes a block inside whatever transaction the connection has.
 *
 * <ol>
 *   <li>A sequence that was seen before is drawn by one statement, whose guard holds only while its row still says what it
 *       said then and the block leaves at least one value behind it.
 *   <li>Where the guard does not hold, the row is locked, read, computed anew and written: on first use, near the limit,
 *       for a new round of a cycle, after a change of the definition.
 * </ol>
 *
 * <p>Thread-safe.
 */
final class Draw {

    private final CounterRows rows;
    private final Layout layout;
    private final CounterAdvance advance;
    private final String guarded;
    private final String place;
    // What the rows said when they were last seen; never trusted, always checked by the guard.
    private final ConcurrentMap<String, SequenceState> seen = new ConcurrentHashMap<>();

    Draw(Dialect dialect, SequenceTable table, Layout layout, CounterRows rows, String place) {
        this.rows = rows;
        this.layout = layout;
        this.place = place;
        advance = dialect.advance();
        String counter = dialect.quote(layout.columns().get(0));
        String unchanged = layout.columns().stream()
                .skip(1)
                .map(column -> " AND " + dialect.quote(column) + " = ?")
                .collect(Collectors.joining());
        guarded = advance.sql(
                dialect.quote(table.table()),
                counter,
                dialect.quote(table.nameColumn()) + " = ? AND " + counter + " BETWEEN ? AND ?" + unchanged);
    }

    /** Takes the next values; the caller commits. */
    Reservation take(Connection connection, String name, long count) throws SQLException {
        SequenceStore.checkCount(name, count);
        Optional<Reservation> atOnce = byGuard(connection, name, count);
        return atOnce.isPresent() ? atOnce.get() : byLock(connection, name, count);
    }

    /** Puts the unused end of a block back if nobody has reserved since; the caller commits. */
    boolean giveBack(Connection connection, String name, Block unused, long epoch) throws SQLException {
        Optional<SequenceState> back = rows.lock(connection, name).flatMap(state -> state.giveBack(unused, epoch));
        if (back.isPresent()) {
            rows.write(connection, back.get());
        }
        return back.isPresent();
    }

    /** Locks the row until the transaction ends. */
    SequenceState locked(Connection connection, String name) throws SQLException {
        return rows.lock(connection, name).orElseThrow(() -> new NotFound(name, place));
    }

    /** An epoch above every one of this name that was seen here: clocks can stand still between a drop and a create. */
    long epochFrom(String name, long clock) {
        SequenceState last = seen.get(name);
        return last == null ? clock : Math.max(clock, last.epoch() + 1);
    }

    /** Remembers how a row stands; returns what it holds of that state. */
    SequenceState saw(SequenceState written) {
        SequenceDefinition definition = written.definition();
        SequenceState state = layout.state(definition.name(), layout.numbers(written));
        // The guard wants a sequence that still has values, whatever this one has.
        seen.put(definition.name(), new SequenceState(definition, definition.start(), false, state.epoch()));
        return state;
    }

    private Optional<Reservation> byGuard(Connection connection, String name, long count) throws SQLException {
        SequenceState last = seen.get(name);
        if (last == null) {
            return Optional.empty();
        }
        SequenceDefinition definition = last.definition();
        long wanted = count == SequenceStore.CACHE ? definition.cache() : count;
        Optional<Window> window = layout.window(definition, wanted).filter(advance::canTell);
        if (window.isEmpty()) {
            return Optional.empty();
        }
        OptionalLong counter = advanceWithin(connection, name, window.get(), layout.numbers(last));
        if (counter.isEmpty()) {
            return Optional.empty();
        }
        long first = layout.next(definition, counter.getAsLong()) - window.get().delta();
        return Optional.of(new Reservation(new Block(first, wanted, definition.increment()), definition, last.epoch()));
    }

    private OptionalLong advanceWithin(Connection connection, String name, Window window, long[] unchanged)
            throws SQLException {
        try (PreparedStatement statement = advance.prepare(connection, guarded)) {
            statement.setLong(1, window.delta());
            statement.setString(2, name);
            statement.setLong(3, window.low());
            statement.setLong(4, window.high());
            for (int i = 1; i < unchanged.length; i++) {
                statement.setLong(4 + i, unchanged[i]);
            }
            return advance.run(statement);
        }
    }

    private Reservation byLock(Connection connection, String name, long count) throws SQLException {
        SequenceState before = locked(connection, name);
        SequenceState.Taken taken = before.take(count);
        rows.write(connection, taken.after());
        saw(taken.after());
        return taken.reservation();
    }
}
