// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.TransactionContext;
import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
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
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Deals numbers from the rows of a table in Spanner: in its own transactions, or in the caller's. The handle of a
 * caller's transaction is the {@link TransactionContext} of {@code readWriteTransaction().run(…)} or of a
 * {@code TransactionManager}.
 *
 * <p>Inside the caller's transaction, the counter is read once, under an exclusive lock, and then advanced in memory,
 * however many numbers are drawn. The next attempt redraws what an aborted attempt has drawn. Several stores on one
 * table, and several threads, may draw in one transaction. SQL that changes the same row in that transaction is not
 * detected. Draw from the context that the client created, in the attempt it was created for. Other classes are
 * rejected, because a wrapped transaction cannot be recognized as the same one; so are contexts of ended transactions.
 *
 * <p>Spanner does not allow nested transactions on one thread, and a draw that would need one is rejected.
 * {@link dev.seriatim.engine.StoreSequences} calls the store on its own threads, so inside a transaction you can draw
 * numbers in other transactions.
 *
 * <p>{@link #reserve(String, long)} waits for conflicts at most as long as the patience (10 s, or the option
 * {@code timeout} of a URL), and for a free session of the client's pool as long as the pool is configured to;
 * {@link dev.seriatim.engine.StoreSequences} limits both.
 *
 * <p>Thread-safe. Closing it does not close the caller's client. A caller's client keeps the JVM alive until it is
 * closed; a client opened from a URL does not.
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
    private final OwnTransactions transactions;
    private final CallersDraws draws;
    private final CellCatalog catalog;
    private final SequenceTable table;

    SpannerStore(SpannerDatabase database, SequenceTable table, Runnable atClose) {
        this.database = database;
        this.atClose = atClose;
        failures = new SpannerFailures(
                "table " + table.table() + " of " + database.id().getName(),
                database.id().getName(),
                database.patience());
        cells = new Cells(table, failures.place());
        transactions = new OwnTransactions(database, failures);
        draws = new CallersDraws(cells, failures);
        catalog = new CellCatalog(cells, transactions, failures);
        this.table = table;
    }

    /**
     * Opens the table {@value SequenceTable#DEFAULT_NAME} of a database.
     *
     * @throws dev.seriatim.SequenceException as {@link #open(Spanner, DatabaseId, SequenceTable)}
     */
    public static SpannerStore open(Spanner spanner, DatabaseId database) {
        return open(spanner, database, SequenceTable.own());
    }

    /**
     * Opens a table of a database. If the table does not exist, it is created with the first sequence, or by
     * {@link #install}. For the published table, use
     * {@code SequenceTable.nextValue("sequences", "name", "next_value")}.
     *
     * @param spanner the client, which is not closed with the store
     * @throws dev.seriatim.SequenceException.Misconfigured if the database does not exist, or the account lacks the
     *     rights to use it
     * @throws dev.seriatim.SequenceException.Unavailable if it does not answer
     */
    public static SpannerStore open(Spanner spanner, DatabaseId database, SequenceTable table) {
        return new SpannerStore(SpannerDatabase.reached(spanner, database, SpannerDatabase.PATIENCE), table, () -> {});
    }

    @Override
    public Reservation reserve(String name, long count) {
        SequenceStore.checkCount(name, count);
        return transactions.retrying(name, transaction -> {
            SequenceState before = cells.locked(transaction, name);
            SequenceState.Taken taken = before.take(count);
            transaction.buffer(cells.move(before, taken.after()));
            return taken.reservation();
        });
    }

    /** {@inheritDoc} By a strong read of one row, which locks nothing. */
    @Override
    public SequenceState read(String name) {
        return catalog.describe(name);
    }

    @Override
    public boolean giveBack(String name, Block unused, long epoch) {
        return catalog.giveBack(name, unused, epoch);
    }

    @Override
    public Reservation reserve(TransactionContext transaction, String name, long count) {
        return draws.reserve(transaction, name, count);
    }

    /**
     * Returns the same sequences, but rejects a second draw from the same sequence in one transaction. Use it to detect
     * unintended draws.
     */
    public TransactionalStore<TransactionContext> onceInTransaction() {
        return draws.once();
    }

    /**
     * {@inheritDoc} The client repeats the whole work if Spanner aborts the transaction, so it must be repeatable. If
     * the work meets the abort of another transaction, that is its own failure.
     */
    @Override
    public <R, X extends Exception> R inTransaction(Work<TransactionContext, R, X> work) throws X {
        return new CallersWork<>(work, failures).run(database.transactionRunner());
    }

    @Override
    public SharedTransaction<TransactionContext> begin(String name) {
        return transactions.begun(name, (manager, transaction) -> {
            SequenceState counter = cells.locked(transaction, name);
            return new SharedAttempt(manager, transaction, counter, cells, failures);
        });
    }

    @Override
    public Pool<TransactionContext> pool(String name) {
        throw new SequenceException.Misconfigured(name, """
                Spanner does not support POOLED: it has no SKIP LOCKED, so concurrent transactions would claim the \
                same numbers and be aborted; use GROUPED, or SYNC with short transactions""");
    }

    @Override
    public Optional<PoolState> poolState(String name) {
        return Optional.empty();
    }

    @Override
    public void create(SequenceDefinition definition) {
        catalog.create(definition, this::install);
    }

    @Override
    public SequenceState describe(String name) {
        return catalog.describe(name);
    }

    @Override
    public List<SequenceState> list() {
        return catalog.list();
    }

    @Override
    public SequenceState alter(String name, UnaryOperator<SequenceDefinition> change) {
        return catalog.alter(name, change);
    }

    @Override
    public SequenceState raise(String name, long value) {
        return catalog.change(name, state -> state.raisedTo(value));
    }

    /**
     * {@inheritDoc}
     *
     * <p>A plain table cannot hold the epoch: running instances treat the lower values as a lossy failover and stop.
     * Restart its sequences only while nothing draws from them.
     */
    @Override
    public SequenceState restart(String name, long value) {
        return catalog.change(name, state -> state.restartedWith(value));
    }

    @Override
    public void drop(String name) {
        try {
            catalog.drop(name);
        } catch (NotFound e) {
            throw e.whenDropped();
        }
    }

    @Override
    public String script() {
        return """
                %1$s;

                -- Least privileges, with fine-grained access control:
                -- GRANT SELECT ON TABLE %2$s TO ROLE app_user;
                -- GRANT UPDATE ON TABLE %2$s TO ROLE app_user;
                -- To create and drop sequences, also INSERT and DELETE.
                """.formatted(Ddl.createTable(table, cells.layout()), Ddl.quoted(table.table()));
    }

    @Override
    public void install() {
        new Ddl(database, failures).run(Ddl.createTable(table, cells.layout()));
    }

    @Override
    public OptionalLong extreme(ColumnName column, boolean highest) {
        SpannerColumn asked = new SpannerColumn(column);
        return transactions.reading(column.qualifiedTable(), context -> asked.extreme(context, highest, failures));
    }

    @Override
    public <V extends Visitor> V scan(String name, NumberColumn column, Function<SequenceState, V> visitor) {
        return ColumnWalk.over(column, database, cells, failures).run(name, visitor);
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
