// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.AbortedException;
import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.SessionNotFoundException;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.TransactionContext;
import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.AlreadyExists;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.store.ColumnName;
import dev.seriatim.store.ColumnReader;
import dev.seriatim.store.ColumnScanner;
import dev.seriatim.store.ConfirmingStore;
import dev.seriatim.store.GaplessStore;
import dev.seriatim.store.NumberColumn;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.Pool;
import dev.seriatim.store.PoolState;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SchemaInstaller;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SequenceStore;
import dev.seriatim.store.SequenceTable;
import dev.seriatim.store.SharedTransaction;
import dev.seriatim.store.TransactionalStore;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Deals numbers from the rows of a table in Spanner: in its own transactions, or in the caller's. The handle of a
 * caller's transaction is the {@link TransactionContext} of {@code readWriteTransaction().run(…)} or of a
 * {@code TransactionManager}.
 *
 * <p>Inside the caller's transaction, the counter is read once, under an exclusive lock, and then advanced in memory.
 * An aborted attempt's draws are drawn again by the next. Several stores on one table, and several threads, may draw in
 * one transaction. SQL that changes the same row there is not detected. Contexts of ended transactions are rejected,
 * and so are all that the client did not create, because a wrapped transaction cannot be recognized as the same one.
 *
 * <p>Spanner does not allow nested transactions on one thread, so a draw that would need one is rejected.
 * {@link dev.seriatim.engine.StoreSequences} calls the store on its own threads.
 *
 * <p>{@link #reserve(String, long)} waits for conflicts at most as long as the patience (10 s, or the option
 * {@code timeout} of a URL), and for a free session as long as the client's pool is configured to;
 * {@link dev.seriatim.engine.StoreSequences} limits both.
 *
 * <p>Thread-safe. Closing it does not close the caller's client, which keeps the JVM alive until it is closed; a client
 * opened from a URL does not.
 */
public final class SpannerStore
        implements OpenStore,
                ConfirmingStore,
                GaplessStore<TransactionContext>,
                SchemaInstaller,
                ColumnReader,
                ColumnScanner {

    private final SpannerDatabase database;
    private final Runnable atClose;
    private final Cells cells;
    private final SpannerFailures failures;

    SpannerStore(SpannerDatabase database, SequenceTable table, Runnable atClose) {
        this.database = database.holding(
                "table " + table.table() + " of " + database.id().getName());
        this.atClose = atClose;
        failures = this.database.failures();
        cells = new Cells(table, database.sql(), failures.place());
    }

    /** Opens {@link SequenceTable#own()} like {@link #open(Spanner, DatabaseId, SequenceTable)}. */
    public static SpannerStore open(Spanner spanner, DatabaseId database) {
        return open(spanner, database, SequenceTable.own());
    }

    /**
     * Opens a table of a database. If the table does not exist, it is created with the first sequence, or by
     * {@link #install}. For the published table, use
     * {@code SequenceTable.nextValue("sequences", "name", "next_value")}.
     *
     * @param spanner the client, which is not closed with the store
     * @throws Misconfigured if the database does not exist, or the account lacks the
     *     rights to use it
     * @throws dev.seriatim.SequenceException.Unavailable if it does not answer
     */
    public static SpannerStore open(Spanner spanner, DatabaseId database, SequenceTable table) {
        return new SpannerStore(SpannerDatabase.reached(spanner, database, SpannerDatabase.PATIENCE), table, () -> {});
    }

    @Override
    public Reservation reserve(String name, long count) {
        SequenceStore.checkCount(name, count);
        return database.retrying(name, transaction -> {
            SequenceState before = cells.locked(transaction, name);
            SequenceState.Taken taken = before.take(count);
            transaction.buffer(cells.move(before, taken.after()));
            return taken.reservation();
        });
    }

    /** {@inheritDoc} By a strong read of one row, which locks nothing. */
    @Override
    public SequenceState read(String name) {
        return describe(name);
    }

    @Override
    public boolean giveBack(String name, Block unused, long epoch) {
        return database.retrying(name, transaction -> {
            Optional<SequenceState> before = cells.lock(transaction, name);
            Optional<SequenceState> back = before.flatMap(state -> state.giveBack(unused, epoch));
            if (before.isPresent() && back.isPresent()) {
                transaction.buffer(cells.move(before.get(), back.get()));
            }
            return back.isPresent();
        });
    }

    @Override
    public Reservation reserve(TransactionContext transaction, String name, long count) {
        SequenceStore.checkCount(name, count);
        return alone(transaction, name, attempt -> {
            Cells.Row row = cells.row(name);
            if (attempt.isDealtByTurns(row)) {
                throw new Misconfigured(
                        name, "a unit of work draws from it without its turn; draw only through the turn");
            }
            long[] numbers = attempt.seen(
                    row, cells.numberColumns(), () -> cells.layout().numbers(locked(transaction, name)));
            SequenceState before = cells.layout().state(name, numbers);
            SequenceState.Taken taken = before.take(count);
            transaction.buffer(cells.move(before, taken.after()));
            attempt.write(row, cells.numberColumns(), cells.layout().numbers(taken.after()));
            return taken.reservation();
        });
    }

    /** Draws in an open transaction while no other thread does. */
    private <R> R alone(TransactionContext transaction, String name, Function<Attempt, R> draw) {
        Attempt attempt = Attempt.of(transaction);
        return attempt.alone(name, failures, () -> {
            try {
                cells.requireOpen(transaction, name);
                return draw.apply(attempt);
            } catch (IllegalStateException e) { // the only sign of an ended transaction that the client gives
                throw failures.ended(name, e);
            }
        });
    }

    /**
     * Reads the row, locked until the caller's transaction ends. Throws the client's own exception if its loop must see
     * it: after an abort, and if the server has forgotten the session.
     */
    private SequenceState locked(TransactionContext transaction, String name) {
        try {
            return cells.locked(transaction, name);
        } catch (AbortedException | SessionNotFoundException e) {
            throw e;
        } catch (SpannerException e) {
            throw failures.of(name, e);
        }
    }

    /**
     * Returns the same sequences, but rejects a second draw from the same sequence in one transaction. Use it to detect
     * unintended draws: the published simple generator, which keeps no state, would deal the same value twice.
     */
    public TransactionalStore<TransactionContext> onceInTransaction() {
        return (transaction, name, count) -> alone(transaction, name, attempt -> {
            if (attempt.hasDrawn(cells.row(name))) {
                throw new Misconfigured(name, """
                        this transaction has already drawn from it, and its own reads do not see buffered writes; draw \
                        once per transaction, or from the store itself, which remembers its draws""");
            }
            return reserve(transaction, name, count);
        });
    }

    /**
     * {@inheritDoc} The client repeats the work if Spanner aborts the transaction, so it must be repeatable. The abort
     * of another transaction is the work's own failure.
     */
    @Override
    public <R, X extends Exception> R inTransaction(Work<TransactionContext, R, X> work) throws X {
        return database.calling(work);
    }

    @Override
    public SharedTransaction<TransactionContext> begin(String name) {
        return database.begun(name, (manager, transaction) -> {
            SequenceState counter = cells.locked(transaction, name);
            return new SharedAttempt(manager, transaction, counter, cells, failures);
        });
    }

    @Override
    public Pool<TransactionContext> pool(String name) {
        throw new Misconfigured(name, """
                Spanner does not support POOLED: it has no SKIP LOCKED, so concurrent transactions would claim the \
                same numbers and be aborted; use GROUPED, or SYNC with short transactions""");
    }

    @Override
    public Optional<PoolState> poolState(String name) {
        return Optional.empty();
    }

    @Override
    public void create(SequenceDefinition definition) {
        SequenceDefinition held = cells.layout().adopt(definition);
        try {
            insert(held);
        } catch (NotFound tableIsMissing) {
            install();
            insert(held);
        }
    }

    private void insert(SequenceDefinition definition) {
        String name = definition.name();
        database.retrying(name, transaction -> {
            if (cells.lock(transaction, name).isPresent()) {
                throw new AlreadyExists(name, failures.place());
            }
            SequenceState state = SequenceState.fresh(definition, System.currentTimeMillis());
            transaction.buffer(cells.insert(state));
            return state;
        });
    }

    @Override
    public SequenceState describe(String name) {
        return database.reading(name, context -> cells.read(context, name))
                .orElseThrow(() -> new NotFound(name, failures.place()));
    }

    @Override
    public List<SequenceState> list(BiConsumer<String, Misconfigured> broken) {
        try {
            return database.reading("(any)", context -> cells.readAll(context, broken));
        } catch (NotFound tableIsMissing) {
            return List.of();
        }
    }

    @Override
    public SequenceState alter(String name, UnaryOperator<SequenceDefinition> change) {
        return change(
                name, state -> cells.layout().redefined(state, change.apply(state.definition()), failures.place()));
    }

    @Override
    public SequenceState raise(String name, long value) {
        return change(name, state -> state.raisedTo(value));
    }

    /**
     * {@inheritDoc} A plain table cannot hold the epoch: running instances treat the lower values as a lossy failover
     * and stop. Restart its sequences only while nothing draws from them.
     */
    @Override
    public SequenceState restart(String name, long value) {
        return change(name, state -> state.restartedWith(value));
    }

    private SequenceState change(String name, UnaryOperator<SequenceState> change) {
        return database.retrying(name, transaction -> {
            SequenceState before = cells.locked(transaction, name);
            SequenceState after;
            try {
                after = change.apply(before);
            } catch (RuntimeException e) {
                throw new SpannerDatabase.Shielded(e);
            }
            transaction.buffer(cells.move(before, after));
            return cells.layout().state(name, cells.layout().numbers(after));
        });
    }

    @Override
    public void drop(String name) {
        try {
            database.retrying(name, transaction -> {
                SequenceState last = cells.locked(transaction, name);
                transaction.buffer(cells.delete(name));
                return last;
            });
        } catch (NotFound e) {
            throw e.whenDropped();
        }
    }

    @Override
    public String script() {
        return """
                %1$s;

                -- Least privileges, with fine-grained access control:
                -- GRANT SELECT ON TABLE %2$s TO %3$sapp_user;
                -- GRANT UPDATE ON TABLE %2$s TO %3$sapp_user;
                -- To create and drop sequences, also INSERT and DELETE.
                """.formatted(
                        cells.createTable(), cells.tableInSql(), database.sql().postgres() ? "" : "ROLE ");
    }

    @Override
    public String migration(List<SequenceDefinition> sequences) {
        if (sequences.isEmpty()) {
            return script();
        }
        throw new Misconfigured("""
                a script for gcloud holds no rows; print it over jdbc:cloudspanner:, or create the sequences directly""");
    }

    @Override
    public boolean install() {
        database.alter(cells.createTable());
        return false;
    }

    @Override
    public OptionalLong extreme(ColumnName column, boolean highest) {
        SpannerColumn asked = new SpannerColumn(column, database.sql());
        return database.reading(column.qualifiedTable(), context -> asked.extreme(context, highest, failures));
    }

    @Override
    public <V extends Visitor> V scan(String name, NumberColumn column, Function<SequenceState, V> visitor) {
        try (var snapshot = database.client().readOnlyTransaction()) {
            SequenceState state = cells.read(snapshot, name).orElseThrow(() -> new NotFound(name, failures.place()));
            return SpannerColumn.scan(snapshot, column, database.sql(), state, visitor, failures);
        } catch (SpannerException e) {
            throw failures.of(name, e);
        }
    }

    @Override
    public String toString() {
        return "Spanner, " + failures.place();
    }

    @Override
    public void close() {
        atClose.run();
    }
}
