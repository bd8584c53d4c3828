// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.AlreadyExists;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.jdbc.rowpool.PoolTable;
import dev.seriatim.jdbc.rowpool.Pools;
import dev.seriatim.jdbc.sql.CounterDraw;
import dev.seriatim.jdbc.sql.CounterRows;
import dev.seriatim.jdbc.sql.Fault;
import dev.seriatim.jdbc.sql.SqlFailures;
import dev.seriatim.jdbc.sql.SqlWork;
import dev.seriatim.jdbc.sql.Transactions;
import dev.seriatim.store.SequenceState;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The catalogue over the rows of the table. Each change locks the row, computes and writes it in one transaction.
 * Immutable and thread-safe.
 */
record RowCatalog(
        CounterRows rows,
        CounterDraw draw,
        Transactions transactions,
        SqlFailures failures,
        Pools pools,
        InstantSource clock) {

    /** Applies a sequence's change to its pool, given the new state of the sequence. */
    @FunctionalInterface
    private interface PoolChange {
        void apply(Pools.Found pool, Connection connection, SequenceState after) throws SQLException;
    }

    /** Adds a sequence; runs {@code install} first if the table is missing. */
    void create(SequenceDefinition definition, Runnable install) {
        SequenceDefinition held = rows.layout().adopt(definition);
        if (rows.looks() && transactions.reading(SqlFailures.UNNAMED, rows::missing)) {
            install.run();
        }
        try {
            insert(held);
        } catch (NotFound tableIsMissing) {
            install.run();
            insert(held);
        }
    }

    /** Adds a sequence with the definition of another one, inside the caller's transaction. */
    void create(Connection transaction, Duration atMost, String name, String like) {
        transactions.inside(transaction, name, atMost, connection -> {
            SequenceDefinition of = rows.read(connection, like)
                    .orElseThrow(() -> new NotFound(like, failures.place()))
                    .definition();
            return insert(
                    connection,
                    new SequenceDefinition(
                            name, of.start(), of.increment(), of.min(), of.max(), of.cycle(), of.cache()));
        });
    }

    SequenceState describe(String name) {
        SqlWork<Optional<SequenceState>> one =
                connection -> rows.missing(connection) ? Optional.empty() : rows.read(connection, name);
        return transactions.reading(name, one).orElseThrow(() -> new NotFound(name, failures.place()));
    }

    /** Reads all sequences; empty if the table is missing. */
    List<SequenceState> list() {
        SqlWork<List<SequenceState>> all =
                connection -> rows.missing(connection) ? List.of() : rows.readAll(connection);
        return transactions.reading(SqlFailures.UNNAMED, all, (fault, e) -> {
            if (fault == Fault.MISSING_TABLE) {
                return List.of();
            }
            throw e;
        });
    }

    SequenceState alter(String name, UnaryOperator<SequenceDefinition> change) {
        return change(
                name,
                state -> rows.layout().redefined(state, change.apply(state.definition()), failures.place()),
                (pool, connection, after) -> {
                    if (pool.table().hasOutside(connection, after.definition(), pool.head())) {
                        throw Misconfigured.poolOutside(after.definition());
                    }
                });
    }

    /** Raises the counter so that the next value is this one or later; removes earlier numbers from the pool. */
    SequenceState raise(String name, long value) {
        return change(
                name,
                state -> state.raisedTo(value),
                (pool, connection, after) ->
                        pool.table().removeBefore(connection, after.definition(), pool.head(), value));
    }

    /** Sets the next value; empties the pool. */
    SequenceState restart(String name, long value) {
        return change(
                name,
                state -> state.restartedWith(value),
                (pool, connection, after) -> pool.table().removeAll(connection, name, pool.head()));
    }

    /** Removes a sequence and its pool. */
    void drop(String name) {
        transactions.retrying(name, connection -> {
            draw.saw(draw.locked(connection, name));
            Optional<Pools.Found> pool = pools.of(connection, name);
            if (pool.isPresent()) {
                pool.get().table().remove(connection, name);
            }
            rows.delete(connection, name);
            return name;
        });
    }

    /** Locks, reads, computes and writes a row. */
    private SequenceState change(String name, UnaryOperator<SequenceState> change, PoolChange poolChange) {
        return transactions.retrying(name, connection -> {
            pools.seeCommitted(connection);
            SequenceState before = draw.locked(connection, name);
            SequenceState after = change.apply(before);
            Optional<Pools.Found> pool = pools.of(connection, name);
            if (pool.isPresent()) {
                PoolTable table = pool.get().table();
                PoolTable.Head head = pool.get().head();
                if (table.isOutdated(connection, before, head, 1)) { // for example set in SQL
                    table.removeAll(connection, name, head);
                } else {
                    poolChange.apply(pool.get(), connection, after);
                }
                long epoch = rows.layout().holdsDefinition() ? after.epoch() : before.epoch(); // what the row will hold
                table.setEpoch(connection, name, epoch);
            }
            rows.write(connection, after);
            return draw.saw(after);
        });
    }

    private void insert(SequenceDefinition definition) {
        transactions.retrying(definition.name(), connection -> insert(connection, definition));
    }

    private SequenceState insert(Connection connection, SequenceDefinition definition) throws SQLException {
        String name = definition.name();
        // A plain table may have no key that would reject a second row.
        if (rows.lock(connection, name).isPresent()) {
            throw new AlreadyExists(name, failures.place());
        }
        Optional<Pools.Found> leftOver = pools.of(connection, name); // its row was removed outside the library
        if (leftOver.isPresent()) {
            leftOver.get().table().remove(connection, name);
        }
        SequenceState state = SequenceState.fresh(definition, draw.epochFrom(name, clock.millis()));
        rows.insert(connection, state);
        return state;
    }
}
