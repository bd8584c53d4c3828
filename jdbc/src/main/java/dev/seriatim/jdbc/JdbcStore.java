// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.Block;
import dev.seriatim.GaplessSequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.AlreadyExists;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.jdbc.rowpool.PoolTable;
import dev.seriatim.jdbc.rowpool.Pools;
import dev.seriatim.jdbc.sharing.Sharing;
import dev.seriatim.jdbc.sql.AnswerWait;
import dev.seriatim.jdbc.sql.BorrowedConnections;
import dev.seriatim.jdbc.sql.Connections;
import dev.seriatim.jdbc.sql.CounterDraw;
import dev.seriatim.jdbc.sql.CounterReads;
import dev.seriatim.jdbc.sql.CounterRows;
import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.Fault;
import dev.seriatim.jdbc.sql.KeptConnections;
import dev.seriatim.jdbc.sql.Lender;
import dev.seriatim.jdbc.sql.LockWait;
import dev.seriatim.jdbc.sql.LoginWait;
import dev.seriatim.jdbc.sql.PlacedTable;
import dev.seriatim.jdbc.sql.SqlFailures;
import dev.seriatim.jdbc.sql.SqlFunctions;
import dev.seriatim.jdbc.sql.SqlWork;
import dev.seriatim.jdbc.sql.Transactions;
import dev.seriatim.jdbc.sql.WatchedConnection;
import dev.seriatim.store.AwaitingStore;
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
import dev.seriatim.store.SequenceTable;
import dev.seriatim.store.SharedTransaction;
import dev.seriatim.store.StoreUrl;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/**
 * Deals numbers from the rows of a table in an SQL database, with one guarded statement per reservation. Draws run in
 * the store's own transactions, or in the caller's, whose handle is a {@link Connection} with auto-commit off.
 *
 * <p>The store detects the database from a connection and refuses an unknown one. On opening, it checks the settings
 * that can lose acknowledged commits, or sets them where possible.
 *
 * <p>A draw in the caller's transaction waits for the counter's lock as long as its patience: on PostgreSQL and
 * MariaDB, unless {@code lock_timeout} or {@code innodb_lock_wait_timeout} is shorter; on MySQL and SQLite, rounded
 * up to whole seconds. H2 waits as long as its own {@code LOCK_TIMEOUT}. If the server does not answer at all, a driver that
 * supports a network timeout closes the connection one second later. On MySQL, a draw overwrites {@code LAST_INSERT_ID()}: read
 * the generated key of an insert before you draw.
 *
 * <p>On Galera, a draw that is not its transaction's first statement may report a sequence as exhausted or missing that another
 * node has just extended or created. Retry the transaction.
 *
 * <p>{@link #create}, {@link #alter}, {@link #raise}, {@link #restart} and {@link #drop} wait at most as long as the
 * store's patience, by default 10 seconds, for a lock that another session holds (in whole seconds on
 * PostgreSQL, MariaDB and MySQL); then they throw {@link SequenceException.Overloaded}. {@link #reserve(String,
 * long)} has the same limit on connections that the store opens from a URL; on connections of a data source, it waits
 * as long as their settings allow.
 *
 * <p>In a framework's transaction, draw on its connection: in Spring {@code DataSourceUtils.getConnection(dataSource)}, in
 * Hibernate {@code entityManager.unwrap(Session.class).doReturningWork(…)}. A number drawn on another connection is not part of
 * that transaction, and is dealt again if that connection returns to its pool without a commit. The library cannot detect this.
 *
 * <p>Thread-safe. Never interrupts a thread inside the driver. Closing the store closes the connections that it
 * opened, but not the caller's data source.
 */
public final class JdbcStore
        implements OpenStore,
                ConfirmingStore,
                GaplessStore<Connection>,
                AwaitingStore,
                SchemaInstaller,
                ColumnReader,
                ColumnScanner {

    /** How many reservations of a data source run at once; more wait for the same rows. */
    private static final int KEPT = 4;

    private final Connections connections;
    private final Dialect dialect;
    private final CounterRows rows;
    private final Duration patience;
    private final Schema schema;
    private final CounterDraw draw;
    private final SqlFailures failures;
    private final Transactions transactions;
    private final Sharing sharing;
    private final Pools pools;
    private final CounterReads reads;
    private final ColumnScan columns;
    private volatile boolean closed;

    JdbcStore(Connections connections, CounterRows rows, String database, Duration patience, Optional<String> refusal) {
        this.connections = connections;
        this.dialect = rows.place().dialect();
        this.rows = rows;
        this.patience = patience;
        failures = SqlFailures.inTable(dialect, rows.table(), database, patience);
        draw = new CounterDraw(rows, failures.place(), connections.ownSessions());
        transactions = new Transactions(connections, failures);
        sharing = new Sharing(transactions, Dialects::inTransaction, draw, rows, failures, refusal);
        pools = Pools.beside(rows, draw, transactions, InstantSource.system());
        schema = new Schema(rows, pools.table());
        reads = new CounterReads(rows, transactions, failures.place());
        columns = new ColumnScan(dialect, transactions.forLongQueries(), failures);
    }

    /**
     * Opens the table {@value SequenceTable#DEFAULT_NAME} of a database.
     *
     * @throws SequenceException as {@link #open(DataSource, SequenceTable, DurabilityCheck, Duration)}
     */
    public static JdbcStore open(DataSource source) {
        return open(source, SequenceTable.own());
    }

    /**
     * Opens a table of a database.
     *
     * @throws SequenceException as {@link #open(DataSource, SequenceTable, DurabilityCheck, Duration)}
     */
    public static JdbcStore open(DataSource source, SequenceTable table) {
        return open(source, table, DurabilityCheck.REQUIRED, Transactions.PATIENCE);
    }

    /**
     * Opens a table of a database over borrowed connections, one for each call, so callers that draw while they hold one may wait
     * for each other. If the table does not exist, the first sequence or {@link #install} creates it. Later statements name the
     * table with the schema in which it was found.
     *
     * @param source remains owned by the caller; a connection pool is recommended
     * @param durability what to do if commits can be lost: if a setting can lose them, the store is refused here; if
     *     a rollback can (H2 files), each draw inside a caller's transaction is refused
     * @param patience how long a call waits for other sessions and for an answer
     * @throws Misconfigured if the database is unknown or its settings can lose acknowledged commits; if the table is a view,
     *     or on PostgreSQL has an owner that is not trusted, see {@link SequenceTable#ownedBy}
     * @throws Unavailable if no connection can be opened
     */
    public static JdbcStore open(
            DataSource source, SequenceTable table, DurabilityCheck durability, Duration patience) {
        Lender lender = new Lender(source, Dialects::inTransaction);
        try {
            return lender.look(connection -> of(
                    connection,
                    table,
                    durability,
                    patience,
                    (dialect, database) -> new BorrowedConnections(lender, dialect, () -> {})));
        } catch (SQLException e) {
            throw NoConnection.to(e);
        }
    }

    /**
     * Opens a table over connections that the store keeps, so callers can draw while they hold all others: up to four
     * beside a HikariCP pool. Any other source lends one permanently, and more for callers' transactions. The store only borrows
     * if the source {@linkplain #routes routes}, lends one connection to all, or has private databases in memory.
     *
     * @throws Misconfigured also if the source lends only one connection at a time
     * @throws SequenceException as {@link #keeping(DataSource, int, SequenceTable, DurabilityCheck, Duration)}
     */
    public static JdbcStore keeping(
            DataSource source, SequenceTable table, DurabilityCheck durability, Duration patience) {
        return kept(source, 0, table, durability, patience);
    }

    /**
     * Opens a table over connections that the store keeps until it is closed. Otherwise, callers that draw while they hold a
     * connection of the same pool could wait for each other. The first is opened at once, the others when reservations run
     * concurrently. {@link #inTransaction} and shared transactions use these connections, too. While transactions occupy all
     * of them, the store opens one more, so that callers can draw.
     *
     * <p>If the source is a HikariCP pool, or wraps one and leads to the same schema, the store opens its connections outside the
     * pool, with its URL, account, properties, schema and initial statement. It takes them permanently from any other source.
     * Another pool then has fewer to lend, and may report leaks. Each is disconnected instead of returned, because its settings
     * differ. If the last one breaks, its replacement waits until the pool lends one.
     *
     * <p>A later connection whose URL (other than its hosts), catalogue or schema differs from the first one's is refused with
     * {@link Misconfigured}: a routing data source has reached another database.
     *
     * @param source remains owned by the caller: a pool, or one that opens a connection at each call
     * @param connections the maximum to keep, not counting the extra one
     * @param patience how long a call waits for a connection, for other sessions and for an answer
     * @throws Misconfigured if {@code connections} is below 1
     * @throws SequenceException as {@link #open(DataSource, SequenceTable, DurabilityCheck, Duration)}
     */
    public static JdbcStore keeping(
            DataSource source, int connections, SequenceTable table, DurabilityCheck durability, Duration patience) {
        if (connections < 1) {
            throw new Misconfigured("a store must keep at least 1 connection, not " + connections);
        }
        return kept(source, connections, table, durability, patience);
    }

    /** @param given 0 for as many as this kind of source allows */
    private static JdbcStore kept(
            DataSource source, int given, SequenceTable table, DurabilityCheck durability, Duration patience) {
        Lender lender = new Lender(source, Dialects::inTransaction);
        try {
            Optional<KeptConnections.Opener> beside = lender.beside(patience);
            KeptConnections.Opener opener = beside.orElseGet(lender::taking);
            boolean one = given == 0 && beside.isEmpty();
            int most = one ? 1 : given == 0 ? KEPT : given;
            if (!one || lender.spares(patience)) {
                Connection first = opener.first(patience);
                try {
                    if (beside.isEmpty() || !Lender.isPrivate(first)) {
                        return of(first, table, durability, patience, (dialect, database) -> {
                            KeptConnections own = new KeptConnections(
                                    opener, dialect, database, most, patience, LoginWait.limit(patience));
                            Connections borrowed = new BorrowedConnections(lender, dialect, () -> {});
                            own.keep(first, one ? Optional.of(borrowed) : Optional.empty());
                            return own;
                        });
                    }
                } catch (Throwable e) {
                    opener.end(first);
                    throw e;
                }
                opener.end(first);
            }
            return open(source, table, durability, patience);
        } catch (SQLException e) {
            throw NoConnection.to(e);
        }
    }

    /** Returns whether a data source chooses a database for each call, as Spring's {@code AbstractRoutingDataSource} does. */
    public static boolean routes(DataSource source) {
        return Lender.routes(source);
    }

    @FunctionalInterface
    interface Supply {
        Connections of(Dialect dialect, String database) throws SQLException;
    }

    @SuppressWarnings("try") // the wait is declared only to be closed
    private static JdbcStore of(
            Connection connection, SequenceTable table, DurabilityCheck durability, Duration patience, Supply supply)
            throws SQLException {
        try (AnswerWait wait = AnswerWait.atMost(connection, LoginWait.limit(patience))) {
            Dialect dialect = Dialects.of(connection);
            String database = database(connection, dialect);
            return of(connection, dialect, table, durability, database, patience, supply);
        }
    }

    static JdbcStore of(
            Connection connection,
            Dialect dialect,
            SequenceTable table,
            DurabilityCheck durability,
            String database,
            Duration patience,
            Supply supply)
            throws SQLException {
        PlacedTable place = PlacedTable.find(dialect, connection, table);
        durability.check(database, dialect.preflight(connection, place));
        Optional<String> refusal = durability.refusal(database, dialect.rollbackProblems(connection));
        return new JdbcStore(supply.of(dialect, database), new CounterRows(place, table), database, patience, refusal);
    }

    @Override
    public Reservation reserve(String name, long count) {
        return draw.alone(name, count, dialect.aloneLockWait(patience))
                .flatMap(statement -> transactions.alone(name, statement))
                .orElseGet(() -> transactions.retrying(name, connection -> draw.takeAlone(connection, name, count)));
    }

    @Override
    public SequenceState read(String name) {
        return reads.read(name);
    }

    /** {@inheritDoc} Empty over a data source, whose pool may let the thread wait for a connection. */
    @Override
    public Optional<SequenceState> readHere(String name, Duration atMost) {
        return reads.readHere(name, atMost);
    }

    @Override
    public Optional<String> whyNotConfirmed() {
        return reads.whyNot();
    }

    @Override
    public Reservation reserve(Connection transaction, String name, long count) {
        return reserve(transaction, name, count, patience);
    }

    @Override
    public Reservation reserve(Connection transaction, String name, long count, Duration atMost) {
        sharing.check(name);
        return transactions.inside(
                transaction, name, atMost, connection -> draw.take(connection, name, count, dialect.lockWait(atMost)));
    }

    @Override
    public <X extends Exception> long last(
            Connection transaction, String name, Duration atMost, GaplessSequence.LastStep<X> step) throws X {
        sharing.check(name);
        if (WatchedConnection.isShared(transaction)) {
            return GaplessStore.super.last(transaction, name, atMost, step);
        }
        LockWait wait = dialect.lockWait(atMost);
        return transactions.last(
                transaction,
                name,
                atMost,
                connection -> draw.take(connection, name, 1, wait).block().first(),
                connection -> rows.read(connection, name),
                step);
    }

    @Override
    public boolean giveBack(String name, Block unused, long epoch) {
        return transactions.retrying(name, connection -> draw.giveBack(connection, name, unused, epoch));
    }

    @Override
    public <R, X extends Exception> R inTransaction(Work<Connection, R, X> work) throws X {
        if (closed) {
            throw SqlFailures.closed(failures.database());
        }
        return transactions.scope(connection -> {
            pools.begins(WatchedConnection.own(connection)); // the one on which draws run
            return work.run(connection);
        });
    }

    /**
     * {@inheritDoc} The connection that units receive refuses to commit, to roll back the whole transaction, and to
     * close.
     */
    @Override
    public SharedTransaction<Connection> begin(String name) {
        return sharing.begin(name);
    }

    /** {@inheritDoc} Empty over a data source, whose pool may let the thread wait for a connection. */
    @Override
    public Optional<SharedTransaction<Connection>> beginHere(String name, Duration atMost) {
        // Half, so that the database has time to report the lock.
        LockWait wait = dialect.lockWait(atMost.dividedBy(2));
        return !dialect.sharesLeanly() || whyNotGapless().isPresent() || !wait.exact()
                ? Optional.empty()
                : transactions.beginningHere(
                        atMost,
                        lease -> draw.lockAtOnce(lease.connection(), name, wait)
                                .map(counter -> sharing.begunHere(lease, counter)));
    }

    @Override
    public boolean answers(String name) {
        return sharing.answers(name);
    }

    @Override
    public Optional<String> awaits(Duration atLeast) {
        return connections.awaits(atLeast, failures.database());
    }

    @Override
    public Optional<String> whyNotGapless() {
        return sharing.refusal();
    }

    /**
     * Returns whether one transaction at a time writes to the database, as in SQLite. A caller inside a transaction that
     * has written must then draw in that transaction: any other draw waits for it to end.
     */
    public boolean hasOneWriter() {
        return dialect.hasOneWriter();
    }

    @Override
    public Pool<Connection> pool(String name) {
        return pools.pool(name);
    }

    @Override
    public Optional<PoolState> poolState(String name) {
        return pools.table().isEmpty() ? Optional.empty() : pools.state(name, () -> describe(name));
    }

    @Override
    public void create(SequenceDefinition definition) {
        SequenceDefinition held = rows.layout().adopt(definition);
        // Without the functions: callers that draw through the library need not have the right to create them.
        if (rows.place().looks() && transactions.reading(SqlFailures.UNNAMED, rows.place()::missing)) {
            creating(schema::createTable);
        }
        try {
            insert(held);
        } catch (NotFound tableIsMissing) {
            creating(schema::createTable);
            insert(held);
        }
    }

    /**
     * Creates a sequence with the definition of another one inside the caller's transaction: for a caller whose
     * transaction has locked out every other writer, or that rolls the creation back with the rest.
     *
     * @param transaction has auto-commit off; never ended here
     * @throws SequenceException.AlreadyExists if a sequence of this name exists; nothing is changed
     * @throws NotFound if there is no sequence {@code like}
     * @throws SequenceException as {@link #reserve(Connection, String, long)}; roll the transaction back after one
     */
    public void create(Connection transaction, String name, String like) {
        sharing.check(name);
        transactions.inside(transaction, name, patience, connection -> {
            SequenceDefinition of = rows.read(connection, like)
                    .orElseThrow(() -> new NotFound(like, failures.place()))
                    .definition();
            return insert(
                    connection,
                    new SequenceDefinition(
                            name, of.start(), of.increment(), of.min(), of.max(), of.cycle(), of.cache()));
        });
    }

    @Override
    public SequenceState describe(String name) {
        SqlWork<Optional<SequenceState>> one =
                connection -> rows.place().missing(connection) ? Optional.empty() : rows.read(connection, name);
        return transactions.reading(name, one).orElseThrow(() -> new NotFound(name, failures.place()));
    }

    @Override
    public List<SequenceState> list(BiConsumer<String, Misconfigured> broken) {
        SqlWork<List<SequenceState>> all =
                connection -> rows.place().missing(connection) ? List.of() : rows.readAll(connection, broken);
        return transactions.reading(SqlFailures.UNNAMED, all, (fault, e) -> {
            if (fault == Fault.MISSING_TABLE) {
                return List.of();
            }
            throw e;
        });
    }

    @Override
    public SequenceState alter(String name, UnaryOperator<SequenceDefinition> change) {
        return change(
                name,
                state -> rows.layout().redefined(state, change.apply(state.definition()), failures.place()),
                (pool, connection, after) -> {
                    if (pool.table().hasOutside(connection, after.definition(), pool.head())) {
                        throw Misconfigured.poolOutside(after.definition());
                    }
                });
    }

    @Override
    public SequenceState raise(String name, long value) {
        return change(
                name,
                state -> state.raisedTo(value),
                (pool, connection, after) ->
                        pool.table().removeBefore(connection, after.definition(), pool.head(), value));
    }

    /**
     * {@inheritDoc}
     *
     * <p>A plain table has no epoch column: running instances take lower values for a lossy failover and stop.
     * Restart its sequences only while no caller draws.
     */
    @Override
    public SequenceState restart(String name, long value) {
        return change(
                name,
                state -> state.restartedWith(value),
                (pool, connection, after) -> pool.table().removeAll(connection, name, pool.head()));
    }

    @Override
    public void drop(String name) {
        try {
            transactions.retrying(name, connection -> {
                draw.saw(draw.locked(connection, name));
                Optional<Pools.Found> pool = pools.of(connection, name);
                if (pool.isPresent()) {
                    pool.get().table().remove(connection, name);
                }
                rows.delete(connection, name);
                return name;
            });
        } catch (NotFound e) {
            throw e.whenDropped();
        }
    }

    @Override
    public String script() {
        return schema.functions()
                .map(functions ->
                        transactions.reading(SqlFailures.UNNAMED, connection -> schema.script(connection, functions)))
                .orElseGet(() -> schema.migration(List.of()));
    }

    @Override
    public String migration(List<SequenceDefinition> sequences) {
        return schema.migration(sequences);
    }

    @Override
    public boolean install() {
        creating(schema::install);
        return schema.functions().isPresent();
    }

    @Override
    public String atCommit(ColumnName column, Optional<String> sequence, boolean prints) {
        Optional<SqlFunctions> functions = schema.functions();
        sequence.ifPresent(this::describe);
        SqlWork<Optional<String>> work = connection ->
                functions.isEmpty() ? Optional.empty() : functions.get().atCommit(connection, column, sequence, prints);
        return (prints
                        ? transactions.reading(SqlFailures.UNNAMED, work)
                        : transactions.retrying(SqlFailures.UNNAMED, work))
                .orElseGet(() -> SchemaInstaller.super.atCommit(column, sequence, prints));
    }

    @Override
    public OptionalLong extreme(ColumnName column, boolean highest) {
        return columns.extreme(column, highest);
    }

    @Override
    public <V extends Visitor> V scan(String name, NumberColumn column, Function<SequenceState, V> visitor) {
        return columns.run(rows, pools, name, column, visitor);
    }

    public SequenceTable table() {
        return rows.table();
    }

    /**
     * Returns how failures in other tables of this database are reported, for modules over this one.
     *
     * @param what the tables, for messages
     * @param rights how to find out which privileges they require
     */
    public SqlFailures failures(String what, String rights) {
        return SqlFailures.of(dialect, what, rights, failures.database(), patience);
    }

    /** Returns transactions in such tables. */
    public Transactions transactions(SqlFailures reported) {
        return new Transactions(connections, reported);
    }

    /** Returns the engine's SQL. */
    public Dialect dialect() {
        return dialect;
    }

    @Override
    public String toString() {
        return dialect.product() + ", " + failures.place() + connections.note();
    }

    @Override
    public void close() {
        closed = true;
        connections.close();
    }

    /** Applies a sequence's change to its pool, given the new state of the sequence. */
    @FunctionalInterface
    private interface PoolChange {
        void apply(Pools.Found pool, Connection connection, SequenceState after) throws SQLException;
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
        SequenceState state = SequenceState.fresh(
                definition, draw.epochFrom(name, InstantSource.system().millis()));
        rows.insert(connection, state);
        return state;
    }

    private void creating(SqlWork<PlacedTable> work) {
        Transactions creation = transactions.creating("");
        creation.createDatabase();
        creation.retrying(SqlFailures.UNNAMED, work);
    }

    static String database(Connection connection, Dialect dialect) throws SQLException {
        String url = connection.getMetaData().getURL();
        return url == null ? "the " + dialect.product() + " database" : StoreUrl.redacted(url);
    }
}
