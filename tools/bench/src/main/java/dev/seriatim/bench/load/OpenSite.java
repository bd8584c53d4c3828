// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.load;

import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.cli.option.ConnectionPool;
import dev.seriatim.cli.option.OptionedUrl;
import dev.seriatim.cli.option.SqliteSite;
import dev.seriatim.cli.option.StoreOption;
import dev.seriatim.jdbc.JdbcUrl;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.SchemaInstaller;
import dev.seriatim.store.SequenceTable;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.store.StoreUrl;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A site opened for the benchmark. If the table of the sequences is missing, the benchmark creates a temporary one and drops
 * it on close; otherwise it uses rows of its own. Not thread-safe.
 */
public final class OpenSite implements AutoCloseable {

    /** Connections left for other clients and for the store's background work. */
    private static final int SPARE = 3;

    /** Connections that the store opens beside those of the clients: for 16 reservations at a time, a read and a refill. */
    private static final int OF_THE_STORE = 18;

    private static final int ENOUGH = Integer.MAX_VALUE;

    private final Site site;
    private final String ownTable;
    private final Runnable afterwards;

    private OpenSite(Site site, String ownTable, Runnable afterwards) {
        this.site = site;
        this.ownTable = ownTable;
        this.afterwards = afterwards;
    }

    /**
     * Opens the store of a URL.
     *
     * @param clients the number of clients that need a connection at the same time
     */
    public static OpenSite open(String url, int clients) {
        if (url.startsWith("sqlite:")) {
            return openFile(url);
        }
        Site first = open(url);
        if (!first.hasTables()) {
            return new OpenSite(first, "", () -> {});
        }
        boolean done = false;
        try {
            Map<String, String> more = new LinkedHashMap<>();
            int connections = connections(first, clients, more);
            String table = isThere(first, table(url)) || isSaid(url, "kind") ? "" : ScratchSequence.freshName();
            if (!table.isEmpty()) {
                more.put("table", table);
            }
            done = more.isEmpty();
            Site site = done ? first : again(first, new OptionedUrl(url).with(more));
            return new OpenSite(site.withClients(connections), table, () -> {});
        } finally {
            if (!done) {
                first.close();
            }
        }
    }

    private static OpenSite openFile(String url) {
        Path file = Path.of(StoreUrl.parse(url).place());
        if (isSaid(url, "kind") || SqliteSite.isThere(file, table(url))) {
            return new OpenSite(open(url), "", () -> {});
        }
        String table = ScratchSequence.freshName();
        String own = new OptionedUrl(url).with(Map.of("table", table));
        SqliteSite leaving = SqliteSite.of(file);
        OpenStore store = StoreOption.open(own);
        boolean done = false;
        try {
            if (store instanceof SchemaInstaller installer) {
                installer.install();
            }
            OpenSite opened = new OpenSite(Site.of(store, own, null), table, leaving::leave);
            done = true;
            return opened;
        } finally {
            if (!done) {
                store.close();
            }
        }
    }

    public Site site() {
        return site;
    }

    private static Site again(Site first, String url) {
        first.close();
        return open(url);
    }

    private static Site open(String url) {
        if (!url.startsWith("jdbc:")) {
            OpenStore store = StoreOption.open(url);
            return Site.of(store, url, null);
        }
        // The clients' connections; the store measured has its own, as one that an application opens by its URL.
        AtomicReference<@Nullable DataSource> pool = new AtomicReference<>();
        OpenStore pooled = JdbcUrl.parse(url).open(parsed -> {
            DataSource made = ConnectionPool.of(parsed);
            pool.set(made);
            return made;
        });
        boolean opened = false;
        try {
            Site site = Site.of(StoreDriver.open(url), url, Objects.requireNonNull(pool.get()));
            opened = true;
            return site;
        } finally {
            if (!opened) {
                pooled.close();
            }
        }
    }

    /** Returns the requested pool size, limited by what the server has left; a size in the URL is kept. */
    private static int connections(Site site, int clients, Map<String, String> more) {
        if (!site.hasConnections()) {
            return ENOUGH;
        }
        JdbcUrl url = JdbcUrl.parse(site.url());
        int wanted = clients + SPARE;
        if (isSaid(site.url(), "pool-size") || wanted <= url.poolSize()) {
            return Math.max(1, url.poolSize() - SPARE);
        }
        OptionalInt left = site.tables().inTransaction(connection -> left(site, connection));
        int size = Math.max(url.poolSize(), Math.min(wanted, left.orElse(wanted + OF_THE_STORE) - OF_THE_STORE));
        more.put("pool-size", Integer.toString(size));
        return size - SPARE;
    }

    private static OptionalInt left(Site site, Connection connection) {
        try {
            return site.engine().connectionsLeft(connection);
        } catch (SQLException e) {
            return OptionalInt.empty(); // the engine has no such view
        }
    }

    private static String table(String url) {
        return new OptionedUrl(url).option("table").orElse(SequenceTable.DEFAULT_NAME);
    }

    private static boolean isSaid(String url, String option) {
        return new OptionedUrl(url).option(option).isPresent();
    }

    private static boolean isThere(Site site, String table) {
        return site.tables().<Boolean, RuntimeException>inTransaction(connection -> {
            try {
                return isThere(connection, table) || isThere(connection, table.toUpperCase(Locale.ROOT));
            } catch (SQLException e) {
                throw new Unavailable("cannot read the database's tables (" + e.getMessage() + ")", e);
            }
        });
    }

    private static boolean isThere(Connection connection, String table) throws SQLException {
        DatabaseMetaData about = connection.getMetaData();
        String exactly = table.replace("_", about.getSearchStringEscape() + "_");
        try (ResultSet found =
                about.getTables(connection.getCatalog(), connection.getSchema(), exactly, new String[] {"TABLE"})) {
            return found.next();
        }
    }

    @Override
    public void close() {
        try {
            if (!ownTable.isEmpty()) {
                drop(ownTable + "_pool");
                drop(ownTable); // the last, since a store of SQLite's looks for it when it opens a connection
            }
        } finally {
            site.close();
        }
        afterwards.run();
    }

    private void drop(String table) {
        if (isThere(site, table)) {
            String quote = site.tables().<String, RuntimeException>inTransaction(connection -> {
                try {
                    return connection.getMetaData().getIdentifierQuoteString();
                } catch (SQLException e) {
                    return "";
                }
            });
            site.execute("DROP TABLE " + quote + table + quote);
        }
    }
}
