// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.rowpool;

import dev.seriatim.Block;
import dev.seriatim.SequenceException.Exhausted;
import dev.seriatim.jdbc.sql.CounterDraw;
import dev.seriatim.jdbc.sql.LockWait;
import dev.seriatim.jdbc.sql.PoolClaim;
import dev.seriatim.jdbc.sql.SqlFailures;
import dev.seriatim.jdbc.sql.Transactions;
import dev.seriatim.store.Pool;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceState;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A handle on the pool of one sequence in the database. Its memory only saves work: see {@link PoolView}. Thread-safe.
 */
final class RowPool implements Pool<Connection> {

    /** Ensures that a pool reuses no place of a dropped pool of the same name. */
    private static final long PLACES_PER_MILLISECOND = 1_000_000;

    private static final int TARGETS_PER_CLAIM = 2;

    private final String name;
    private final PoolTable table;
    private final CounterDraw draw;
    private final Transactions transactions;
    private final PoolMarks marks;
    private final InstantSource clock;
    private final PoolView view;

    /** Gives claims places of their own; null if the server has no claim by key. */
    private volatile @Nullable Directed directed;

    private record Directed(PoolClaim.ByKey claim, PoolTargets targets) {
        Directed(PoolClaim.ByKey claim) {
            this(claim, new PoolTargets());
        }
    }

    RowPool(
            String name,
            PoolTable table,
            CounterDraw draw,
            Transactions transactions,
            PoolMarks marks,
            InstantSource clock) {
        this.name = name;
        this.table = table;
        this.draw = draw;
        this.transactions = transactions;
        this.marks = marks;
        this.clock = clock;
        view = new PoolView(table.claim().rest());
    }

    private record Laid(PoolView.Look look, @Nullable Block block, boolean end) {}

    @Override
    public Claim claim(Connection transaction, int count) {
        return claim(transaction, count, Transactions.PATIENCE);
    }

    @Override
    public Claim claim(Connection transaction, int count, Duration patience) {
        PoolClaim.Places places = view.next();
        return places == null
                ? new Claim(List.of(), 0, false)
                : transactions.inside(transaction, name, patience, connection -> claim(connection, places, count));
    }

    @Override
    public Extent layOut(long count) {
        try {
            if (view.isEmpty()) {
                createTableIfMissing();
            }
            forgetEndedTransactions();
            Optional<Laid> found = Optional.empty();
            while (found.isEmpty()) {
                found = transactions.retrying(name, connection -> layOut(connection, count));
            }
            Laid laid = found.get();
            view.saw(laid.look(), laid.end());
            Directed by = directed;
            if (by != null) {
                by.targets().laidOut(laid.look().head(), laid.look().laidOut(), view.from());
            }
            return extent(laid.block(), false);
        } catch (Exhausted e) {
            return rest(e);
        }
    }

    @Override
    public void sawEnd() {
        view.sawEnd(view.beginLook());
    }

    private Claim claim(Connection connection, PoolClaim.Places places, int count) throws SQLException {
        Directed by = directed;
        if (by == null) {
            return claim(connection, places, count, null, List.of());
        }
        by.targets().enter();
        try {
            // The rare search from the floor is not replaced.
            boolean one = count == 1 && places.from() >= view.from();
            return claim(connection, places, count, by, one ? takeByKey(by, connection, places) : List.of());
        } finally {
            by.targets().leave();
        }
    }

    private List<PoolClaim.Row> takeByKey(Directed by, Connection connection, PoolClaim.Places places)
            throws SQLException {
        for (int i = 0; i < TARGETS_PER_CLAIM; i++) {
            OptionalLong place = by.targets().next(places);
            if (place.isEmpty()) {
                return List.of();
            }
            Optional<PoolClaim.Row> row = Optional.empty();
            try {
                row = by.claim().take(connection, name, place.getAsLong());
            } finally {
                by.targets().asked(place.getAsLong(), row.isPresent());
            }
            if (row.isPresent()) {
                return List.of(row.get());
            }
        }
        return List.of();
    }

    /** Completes a claim; searches unless it already has rows. */
    private Claim claim(
            Connection connection, PoolClaim.Places places, int count, @Nullable Directed by, List<PoolClaim.Row> byKey)
            throws SQLException {
        OptionalLong mark = table.claim().upwards() ? marks.of(connection, name) : OptionalLong.empty();
        List<PoolClaim.Row> rows = byKey.isEmpty() ? search(connection, places, count, by, mark) : byKey;
        boolean all = rows.size() == count;
        long place = all ? highest(rows) : places.to();
        if (table.claim().upwards()) {
            marks.reached(connection, name, mark, place, highest(rows));
        }
        if (all) {
            view.claimed(place);
        }
        List<Long> numbers = rows.stream().map(PoolClaim.Row::number).toList();
        return new Claim(numbers, place, !all && table.claim().blind(connection));
    }

    private List<PoolClaim.Row> search(
            Connection connection, PoolClaim.Places places, int count, @Nullable Directed by, OptionalLong mark)
            throws SQLException {
        boolean upwards = mark.isPresent() && !view.ended();
        PoolClaim.Places from = upwards ? places.from(Math.max(mark.getAsLong(), places.from())) : places;
        if (by == null) {
            return upwards ? take(connection, from, count) : takeAnywhere(connection, from, count);
        }
        List<PoolClaim.Row> rows = List.of();
        by.targets().searches();
        try {
            rows = upwards ? take(connection, from, count) : takeAnywhere(connection, from, count);
            return rows;
        } finally {
            by.targets().searched(rows, !upwards);
        }
    }

    private static long highest(List<PoolClaim.Row> rows) {
        return rows.stream().mapToLong(PoolClaim.Row::place).max().orElse(0);
    }

    /** Lets a connection used for many transactions get the lowest numbers again, after the next refill at the latest. */
    private void forgetEndedTransactions() {
        NavigableSet<Long> ended = marks.inDoubt(name);
        if (ended.isEmpty() || view.isEmpty()) {
            return;
        }
        PoolClaim.Places places = new PoolClaim.Places(Math.max(1, ended.first()), ended.last());
        ended.removeAll(transactions.reading(name, connection -> table.claim().held(connection, name, places)));
        marks.forget(name, ended);
    }

    private List<PoolClaim.Row> takeAnywhere(Connection connection, PoolClaim.Places places, int count)
            throws SQLException {
        List<PoolClaim.Row> rows = new ArrayList<>(take(connection, places, count));
        PoolClaim.Places all = view.all();
        if (rows.size() < count && all != null && all.from() < places.from()) {
            rows.addAll(0, take(connection, all, count - rows.size())); // in the order of places
        }
        return rows;
    }

    private List<PoolClaim.Row> take(Connection connection, PoolClaim.Places places, int count) throws SQLException {
        return places.from() > places.to() ? List.of() : table.claim().take(connection, name, places, count);
    }

    /**
     * Lays out numbers with the sequence locked, so that no other session lays out numbers or changes it.
     *
     * @return empty after a step towards emptying an outdated pool: the first closes it off, others remove the numbers, since
     *     claims pass locked rows and must find the closing rows after them
     */
    private Optional<Laid> layOut(Connection connection, long count) throws SQLException {
        table.claim().seeCommitted(connection);
        SequenceState sequence = draw.locked(connection, name);
        long order = view.beginLook();
        PoolTable.Head head = head(connection, sequence);
        if (view.isMadeAnew(head.last())) {
            // A process whose clock is behind has made it, with places below the lowest that this handle knows.
            forget(order);
        }
        if (table.isOutdated(connection, sequence, head, view.floor())) {
            if (!head.isClosedOff()) {
                table.closeOffOutdated(connection, name, head);
            } else if (table.removeClosedOff(connection, name, head)) {
                table.setEpoch(connection, name, sequence.epoch());
            }
            return Optional.empty();
        }
        List<Long> lowest = table.lowest(connection, name, head, view.from(), PoolView.LOOK);
        OptionalLong lagging = view.floor() < view.from() ? lowestFromFloor(connection, head) : OptionalLong.empty();
        if (view.isNews(head.last()) && !lowest.isEmpty()) {
            return Optional.of(new Laid(new PoolView.Look(order, head.last(), 0, lowest, lagging), null, false));
        }
        long wanted = count + (lowest.isEmpty() ? table.claim().rest() : 0);
        Reservation taken;
        try {
            taken = draw.take(connection, name, wanted, LockWait.UNBOUNDED);
        } catch (Exhausted e) {
            view.sawEnd(order);
            throw e;
        }
        Block block = taken.block();
        table.layOut(connection, name, head.last(), block);
        if (taken.epoch() != head.epoch()) { // a cycle has restarted
            table.setEpoch(connection, name, taken.epoch());
        }
        PoolView.Look look = new PoolView.Look(order, head.last(), block.count(), lowest, lagging);
        return Optional.of(new Laid(look, block, block.count() < wanted));
    }

    private void forget(long order) {
        view.forget(order);
        Directed by = directed;
        if (by != null) {
            directed = new Directed(by.claim());
        }
    }

    /** Returns the pool's head; creates the pool if it does not exist. */
    private PoolTable.Head head(Connection connection, SequenceState sequence) throws SQLException {
        Optional<PoolTable.Head> found = table.head(connection, name);
        if (found.isPresent()) {
            return found.get();
        }
        PoolTable.Head head = new PoolTable.Head(clock.millis() * PLACES_PER_MILLISECOND, sequence.epoch(), 0);
        table.insert(connection, name, head);
        return head;
    }

    private Extent extent(@Nullable Block block, boolean ended) {
        PoolClaim.Places all = view.all();
        return all == null ? new Extent(1, 0, block, ended) : new Extent(view.from(), all.to(), block, ended);
    }

    /** The sequence has no more values: the rest is in the pool, unless that is empty too. */
    private Extent rest(Exhausted e) {
        OptionalLong any = transactions.reading(name, connection -> {
            table.claim().seeCommitted(connection);
            Optional<PoolTable.Head> head = table.head(connection, name);
            table.claim().seeCommitted(connection);
            return head.isPresent() ? lowestFromFloor(connection, head.get()) : OptionalLong.empty();
        });
        if (any.isEmpty()) {
            throw e;
        }
        return extent(null, true);
    }

    private OptionalLong lowestFromFloor(Connection connection, PoolTable.Head head) throws SQLException {
        return table.lowest(connection, name, head, view.floor(), 1).stream()
                .mapToLong(Long::longValue)
                .findFirst();
    }

    private void createTableIfMissing() {
        boolean isThere = transactions.reading(name, connection -> {
            directed = table.claim().byKey(connection).map(Directed::new).orElse(null);
            return table.exists(connection);
        });
        if (!isThere) {
            transactions.retrying(name, connection -> draw.locked(connection, name)); // not for a missing sequence
            transactions.creating(SqlFailures.POOL).retrying(name, connection -> {
                table.create(connection);
                return table.exists(connection);
            });
        }
    }
}
