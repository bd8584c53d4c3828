// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.load;

import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.cli.option.ConnectionPool;
import dev.seriatim.cli.option.EngineSql;
import dev.seriatim.cli.option.OptionedUrl;
import dev.seriatim.cli.option.SqliteSite;
import dev.seriatim.cli.option.StoreOption;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.jdbc.JdbcUrl;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.SchemaInstaller;
import dev.seriatim.store.SequenceTable;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.store.StoreUrl;
import dev.seriatim.store.TransactionScope;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The store under test and its database. If the table of the sequences is missing, the benchmark creates a temporary one and
 * drops it on close; otherwise it uses rows of its own. Thread-safe.
 *
 * @param store the store, which opens connections of its own
 * @param url the URL that the store was opened from; may hold secrets
 * @param connections the source of the benchmark's own connections, if there is one
 * @param clients the maximum number of clients with a connection each
 * @param product the name and version that the engine reports; empty for a store without tables
 * @param ownTable the table to drop on close; empty for none
 * @param afterwards ends what the store does not close
 */
public record Site(
        OpenStore store,
        String url,
        @Nullable DataSource connections,
        int clients,
        EngineSql engine,
        String product,
        Map<String, String> settings,
        String ownTable,
        Runnable afterwards)
        implements AutoCloseable {

    /** Connections left for other clients and for the store's background work. */
    private static final int SPARE = 3;

    /** Connections that the store opens beside those of the clients: for 16 reservations at a time, a read and a refill. */
    private static final int OF_THE_STORE = 18;

    private static final int ENOUGH = Integer.MAX_VALUE;

    /** Spanner's code. */
    private static final int ABORTED = 10;

    private static final Duration LONGEST_PAUSE = Duration.ofMillis(20);
    private static final Duration LONGEST_REPEAT = Duration.ofSeconds(10);

    private static Site of(
            OpenStore store,
            String url,
            @Nullable DataSource connections,
            int clients,
            String ownTable,
            Runnable afterwards) {
        EngineSql engine = EngineSql.of(store);
        String product = "";
        Map<String, String> settings = Map.of();
        if (store instanceof JdbcStore tables) {
            product = tables.inTransaction(Site::product);
            settings = tables.inTransaction(connection -> settings(engine, connection));
        }
        return new Site(store, url, connections, clients, engine, product, settings, ownTable, afterwards);
    }

    /** Returns the site of an open store, without connections of the benchmark's own. */
    public static Site of(OpenStore store, String url) {
        return of(store, url, null, ENOUGH, "", () -> {});
    }

    /** Opens the store of a URL, for a number of clients that need a connection at the same time. */
    public static Site open(String url, int clients) {
        if (url.startsWith("sqlite:")) {
            return openFile(url);
        }
        if (!url.startsWith("jdbc:")) {
            return of(StoreOption.open(url), url);
        }
        Map<String, String> more = new LinkedHashMap<>();
        int connections = ENOUGH;
        try (Site first = connected(url, ENOUGH, "")) {
            if (first.hasTables()) {
                connections = first.connectionsFor(clients, more);
                if (!first.hasTable(table(url)) && !isGiven(url, "kind")) {
                    more.put("table", ScratchSequence.freshName());
                }
            }
        }
        return connected(new OptionedUrl(url).with(more), connections, more.getOrDefault("table", ""));
    }

    private static Site connected(String url, int clients, String ownTable) {
        // The clients' connections; the store measured has its own, as one that an application opens by its URL.
        AtomicReference<@Nullable DataSource> pool = new AtomicReference<>();
        OpenStore pooled = JdbcUrl.parse(url).open(parsed -> {
            DataSource made = ConnectionPool.of(parsed);
            pool.set(made);
            return made;
        });
        try {
            return of(StoreDriver.open(url), url, pool.get(), clients, ownTable, pooled::close);
        } catch (RuntimeException e) {
            pooled.close();
            throw e;
        }
    }

    private static Site openFile(String url) {
        Path file = Path.of(StoreUrl.parse(url).place());
        if (isGiven(url, "kind") || SqliteSite.isThere(file, table(url))) {
            return of(StoreOption.open(url), url);
        }
        String table = ScratchSequence.freshName();
        String own = new OptionedUrl(url).with(Map.of("table", table));
        SqliteSite leaving = SqliteSite.of(file);
        OpenStore store = StoreOption.open(own);
        if (store instanceof SchemaInstaller installer) {
            installer.install();
        }
        return of(store, own, null, ENOUGH, table, leaving::leave);
    }

    private static String table(String url) {
        return new OptionedUrl(url).option("table").orElse(SequenceTable.DEFAULT_NAME);
    }

    private static boolean isGiven(String url, String option) {
        return new OptionedUrl(url).option(option).isPresent();
    }

    /** Returns the requested pool size, limited by what the server has left; a size in the URL is kept. */
    private int connectionsFor(int wantedClients, Map<String, String> more) {
        int usual = JdbcUrl.parse(url).poolSize();
        int wanted = wantedClients + SPARE;
        if (isGiven(url, "pool-size") || wanted <= usual) {
            return Math.max(1, usual - SPARE);
        }
        OptionalInt left = tables().inTransaction(this::connectionsLeft);
        int size = Math.max(usual, Math.min(wanted, left.orElse(wanted + OF_THE_STORE) - OF_THE_STORE));
        more.put("pool-size", Integer.toString(size));
        return size - SPARE;
    }

    /** Returns the URL for one of several processes, which share the connections that the server has left. */
    public String urlFor(int processes) {
        OptionalInt left = hasTables() ? tables().inTransaction(this::connectionsLeft) : OptionalInt.empty();
        String share = Integer.toString(Math.max(2, left.orElse(0) / processes));
        return left.isEmpty() ? url : new OptionedUrl(url).with(Map.of("pool-size", share));
    }

    private OptionalInt connectionsLeft(Connection connection) {
        try {
            return engine.connectionsLeft(connection);
        } catch (SQLException e) {
            return OptionalInt.empty(); // the engine has no such view
        }
    }

    public boolean hasTable(String table) {
        try {
            execute("SELECT 1 FROM " + ((JdbcStore) store).dialect().quote(table) + " WHERE 1 = 0");
            return true;
        } catch (Unavailable e) {
            return false;
        }
    }

    private static String product(Connection connection) {
        try {
            DatabaseMetaData about = connection.getMetaData();
            return about.getDatabaseProductName() + " " + about.getDatabaseProductVersion();
        } catch (SQLException e) {
            throw new Unavailable("cannot read metadata (" + e.getMessage() + ")", e);
        }
    }

    /** A database compatible with another may lack some of its views. */
    private static Map<String, String> settings(EngineSql engine, Connection connection) {
        try {
            return engine.settings(connection);
        } catch (SQLException e) {
            return Map.of();
        }
    }

    public boolean hasTables() {
        return store instanceof JdbcStore;
    }

    /** Returns the transactions of a store that has tables. */
    public TransactionScope<Connection> tables() {
        return (JdbcStore) store;
    }

    /** Runs work that can be repeated in a transaction of a store that has tables. */
    public <R> R inTransaction(Function<Connection, R> work) {
        return repeating(() -> tables().inTransaction(work::apply));
    }

    /** Runs a transaction, again if Spanner aborts it: its client does that, its JDBC driver leaves it to the caller. */
    public <R> R repeating(Supplier<R> transaction) {
        long end = System.nanoTime() + LONGEST_REPEAT.toNanos();
        while (true) {
            try {
                return transaction.get();
            } catch (Overloaded | Unavailable e) {
                if (!isAborted(e) || System.nanoTime() > end) {
                    throw e;
                }
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LONGEST_PAUSE.toNanos()));
            }
        }
    }

    private boolean isAborted(SequenceException failure) {
        return product.contains("Spanner")
                && Stream.<Throwable>iterate(failure, Objects::nonNull, Throwable::getCause)
                        .anyMatch(cause -> cause instanceof SQLException sql && sql.getErrorCode() == ABORTED);
    }

    /** Returns whether a transaction that inserts a row makes all others wait until it ends. */
    public boolean hasOneWriter() {
        return store instanceof JdbcStore tables && tables.hasOneWriter();
    }

    /** Returns whether the benchmark has connections of its own. */
    public boolean hasConnections() {
        return connections != null && hasTables();
    }

    /** Returns a connection in auto-commit mode; the caller closes it. */
    public Connection connect() {
        try {
            return Objects.requireNonNull(connections, "connections").getConnection();
        } catch (SQLException e) {
            throw new Unavailable("no further connection (" + e.getMessage() + "); use fewer --threads", e);
        }
    }

    /** Runs a statement; creates a table with the engine's own names of types. */
    public void execute(String standard) {
        boolean google = standard.startsWith("CREATE TABLE")
                && ((JdbcStore) store).dialect().numberType().equals("INT64");
        String sql = google ? standard.replace("BIGINT", "INT64").replace("VARCHAR", "STRING") : standard;
        tables().<Boolean, RuntimeException>inTransaction(connection -> {
            try (Statement statement = connection.createStatement()) {
                return statement.execute(sql);
            } catch (SQLException e) {
                throw new Unavailable("the benchmark's own '" + sql + "' failed (" + e.getMessage() + ")", e);
            }
        });
    }

    /** Drops what the benchmark created, and closes the store and the connections. */
    @Override
    public void close() {
        try {
            if (!ownTable.isEmpty() && store instanceof JdbcStore tables) {
                // The last is the one that a store of SQLite's looks for when it opens a connection.
                for (String table : List.of(ownTable + "_pool", ownTable)) {
                    execute("DROP TABLE IF EXISTS " + tables.dialect().quote(table));
                }
            }
        } finally {
            store.close();
            afterwards.run();
        }
    }
}
