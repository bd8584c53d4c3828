// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.rowpool;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.sql.CounterDraw;
import dev.seriatim.jdbc.sql.CounterRows;
import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.Fault;
import dev.seriatim.jdbc.sql.PlacedTable;
import dev.seriatim.jdbc.sql.PoolClaim;
import dev.seriatim.jdbc.sql.SqlFailures;
import dev.seriatim.jdbc.sql.Transactions;
import dev.seriatim.store.Pool;
import dev.seriatim.store.PoolState;
import dev.seriatim.store.SequenceState;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The pools of a store, in a table beside that of its sequences; or none, with the reason. */
public record Pools(
        Optional<PoolTable> table,
        String whyNot,
        CounterDraw draw,
        Transactions transactions,
        PoolMarks marks,
        InstantSource clock) {

    private static final int LONGEST_IDENTIFIER = 63;

    public record Found(PoolTable table, PoolTable.Head head) {}

    private record Contents(PoolTable table, PoolTable.Head head, List<Long> numbers, long held) {}

    public static Pools beside(CounterRows rows, CounterDraw draw, Transactions transactions, InstantSource clock) {
        Dialect dialect = rows.place().dialect();
        PlacedTable pools = rows.place().beside(SqlFailures.POOL);
        Optional<PoolClaim> claim = dialect.poolClaim(pools.qualified());
        Optional<PoolTable> table = claim.filter(any -> pools.name().length() <= LONGEST_IDENTIFIER)
                .map(found -> new PoolTable(pools, found, rows.layout().holdsDefinition()));
        String whyNot = claim.isEmpty()
                ? dialect.product() + " does not support POOLED: " + dialect.whyNoPool()
                        + "; use GROUPED, or SYNC with short transactions"
                : "the name of the pool's table, " + pools.name() + ", is longer than " + LONGEST_IDENTIFIER
                        + " characters; shorten the table's name, or use GROUPED";
        return new Pools(table, whyNot, draw, transactions, new PoolMarks(), clock);
    }

    public Pool<Connection> pool(String name) {
        return table.map(pools -> new RowPool(name, pools, draw, transactions, marks, clock))
                .orElseThrow(() -> new Misconfigured(name, whyNot));
    }

    public void begins(Connection connection) {
        marks.begins(connection);
    }

    /** Called before a transaction of ours that looks at a pool and changes its sequence. */
    public void seeCommitted(Connection connection) throws SQLException {
        if (table.isPresent()) {
            table.get().claim().seeCommitted(connection);
        }
    }

    /** Returns the state of a pool, given a function that reads its sequence; empty without a pool, or if it is outdated. */
    public Optional<PoolState> state(String name, Supplier<SequenceState> sequence) {
        Optional<Contents> found = table.flatMap(pools ->
                transactions.reading(name, connection -> contents(pools, connection, name), (fault, e) -> {
                    if (fault == Fault.MISSING_TABLE) {
                        return Optional.empty();
                    }
                    throw e;
                }));
        // Read after the numbers, or a number laid out meanwhile would look as if its counter had been set back.
        SequenceState after = sequence.get();
        return found.filter(contents -> !contents.table().isOutdated(after, contents.head(), contents.numbers()))
                .map(contents -> PoolState.of(
                        contents.numbers(),
                        after.definition().increment(),
                        Math.min(contents.held(), contents.numbers().size())));
    }

    /** Returns the laid-out numbers that a transaction sees, ignoring claims; empty without a pool, or if it is outdated. */
    public Optional<PoolState> laidOut(Connection connection, SequenceState sequence) throws SQLException {
        Optional<Found> found = found(connection, sequence.definition().name());
        if (found.isEmpty()) {
            return Optional.empty();
        }
        PoolTable pools = found.get().table();
        PoolTable.Head head = found.get().head();
        List<Long> numbers = pools.all(connection, sequence.definition().name(), head);
        return pools.isOutdated(sequence, head, numbers)
                ? Optional.empty()
                : Optional.of(PoolState.of(numbers, sequence.definition().increment(), 0));
    }

    /** Returns the pool of a locked sequence, if it has one, for a change that may have to wait for claims. */
    public Optional<Found> of(Connection connection, String name) throws SQLException {
        Optional<Found> found = found(connection, name);
        if (found.isPresent()) {
            found.get().table().claim().boundWaiting(connection);
        }
        return found;
    }

    private Optional<Found> found(Connection connection, String name) throws SQLException {
        return table.isEmpty() || !table.get().exists(connection)
                ? Optional.empty()
                : table.get().head(connection, name).map(head -> new Found(table.get(), head));
    }

    private static Optional<Contents> contents(PoolTable pools, Connection connection, String name)
            throws SQLException {
        if (!pools.exists(connection)) {
            return Optional.empty();
        }
        pools.claim().seeCommitted(connection);
        Optional<PoolTable.Head> head = pools.head(connection, name);
        if (head.isEmpty()) {
            return Optional.empty();
        }
        PoolClaim.Places places =
                new PoolClaim.Places(head.get().bottom() + 1, head.get().last());
        long held = pools.claim().held(connection, name, places).size();
        pools.claim().seeCommitted(connection);
        return Optional.of(new Contents(pools, head.get(), pools.all(connection, name, head.get()), held));
    }
}
