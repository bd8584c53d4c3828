// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.feed;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.DurabilityCheck;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.store.SequenceTable;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The feeds of a database. The entry point of this module:
 *
 * <pre>{@code
 * try (JdbcFeeds feeds = JdbcFeeds.open(dataSource)) {
 *     Feed orders = feeds.table("orders"); // makes the feed if it is missing
 *     orders.reader("billing").run(500, (connection, batch) -> {
 *         for (Entry order : batch) {
 *             bill(connection, order.key()); // in the transaction that moves the reader on
 *         }
 *     });
 * }
 * }</pre>
 *
 * <p>PostgreSQL, MariaDB 10.6, MySQL 8 and SQLite have feeds. Thread-safe.
 */
public final class JdbcFeeds implements AutoCloseable {

    /** Settings of {@link JdbcFeeds}. Not thread-safe. */
    public static final class Settings {
        private boolean createMissing = true;
        private Duration patience = Duration.ofSeconds(10);
        private FeedListener listener = new FeedListener() {};
        private @Nullable Duration stamping;

        Settings() {}

        /** Sets whether {@link JdbcFeeds#table} and {@link JdbcFeeds#outbox} make what is missing. The default is true. */
        public Settings createMissing(boolean value) {
            createMissing = value;
            return this;
        }

        /** Sets how long a call waits for other sessions and for an answer. The default is 10 seconds. */
        public Settings patience(Duration atMost) {
            if (atMost.isNegative() || atMost.isZero()) {
                throw new Misconfigured("the patience must be positive, not " + atMost);
            }
            patience = atMost;
            return this;
        }

        public Settings listener(FeedListener value) {
            listener = value;
            return this;
        }

        /**
         * Stamps all open feeds on a thread of their own, with this pause after a pass that found rows, unless it left some over. Of
         * several processes, one stamps at a time.
         */
        public Settings stamping(Duration pause) {
            stamping = pause;
            return this;
        }
    }

    private final JdbcStore store;
    private final boolean owned;
    private final boolean createsMissing;
    private final FeedDatabase database;
    private final ListenerCalls listening;
    private final @Nullable Stamper stamper;
    private final ConcurrentHashMap<String, Feed> open = new ConcurrentHashMap<>();
    private volatile boolean closed;

    private JdbcFeeds(Function<Duration, JdbcStore> opening, boolean owned, Consumer<? super Settings> settings) {
        Settings chosen = new Settings();
        settings.accept(chosen);
        this.owned = owned;
        createsMissing = chosen.createMissing;
        listening = new ListenerCalls(chosen.listener);
        store = opening.apply(chosen.patience);
        try {
            database = new FeedDatabase(store);
        } catch (Throwable e) {
            if (owned) {
                store.close();
            }
            throw e;
        }
        stamper = chosen.stamping == null ? null : new Stamper(chosen.stamping, listening);
    }

    /**
     * Opens the feeds of a database, over connections of their own as {@link JdbcStore#keeping}.
     *
     * @param source remains owned by the caller
     * @throws Misconfigured if the database has no feeds, or its settings can lose acknowledged commits
     * @throws dev.seriatim.SequenceException.Unavailable if no connection can be opened
     */
    public static JdbcFeeds open(DataSource source) {
        return open(source, settings -> {});
    }

    /** Like {@link #open(DataSource)}, with settings: {@code open(source, s -> s.stamping(Duration.ofMillis(20)))}. */
    public static JdbcFeeds open(DataSource source, Consumer<? super Settings> settings) {
        return new JdbcFeeds(
                patience -> JdbcStore.keeping(source, SequenceTable.own(), DurabilityCheck.REQUIRED, patience),
                true,
                settings);
    }

    /** Returns the feeds of an open store's database. The patience is the store's, which remains owned by the caller. */
    public static JdbcFeeds over(JdbcStore store, Consumer<? super Settings> settings) {
        return new JdbcFeeds(patience -> store, false, settings);
    }

    /**
     * Makes a feed, or renews the view of one that is there, with the table's present columns. Making waits up to 2 seconds for
     * transactions that write to the table, and holds up writers while existing rows are entered.
     *
     * @throws Misconfigured if the table cannot have a feed, or the feed has another key or beginning
     * @throws dev.seriatim.SequenceException.Overloaded if a transaction went on writing to the table, or reading the view; nothing is
     *     changed
     */
    public Feed define(FeedDefinition definition) {
        checkOpen();
        FeedTables tables = database.create(definition);
        return open.compute(tables.name(), (name, present) -> {
            if (present != null && present.tables.equals(tables)) {
                return present;
            }
            leave(present);
            return opened(tables);
        });
    }

    /**
     * Opens the feed over a table, and makes it if it is missing: its key is the primary key, and existing rows come first.
     *
     * @param table as {@link FeedDefinition#over}; or the name of a feed
     * @throws dev.seriatim.SequenceException.NotFound if it is missing and may not be made
     */
    public Feed table(String table) {
        checkOpen();
        Feed present = open.get(table);
        if (present != null) {
            return present;
        }
        return database.find(table)
                .map(tables -> open.computeIfAbsent(table, name -> opened(tables)))
                .orElseGet(() -> {
                    if (!createsMissing) {
                        throw database.missing(table);
                    }
                    return define(FeedDefinition.over(table));
                });
    }

    /** Opens a table of messages with a feed over it, and makes both if they are missing. */
    public Outbox outbox(String table) {
        checkOpen();
        if (createsMissing && database.find(table).isEmpty()) {
            SequenceTable.identifier("outbox", table);
            database.run(database.sql.outbox(table));
        }
        return new Outbox(table(table));
    }

    private Feed opened(FeedTables tables) {
        Passes passes = new Passes(database, tables, listening);
        if (stamper != null) {
            stamper.add(passes);
        }
        return new Feed(passes, stamper, List.of());
    }

    /** Returns the names of all feeds. */
    public List<String> list() {
        return database.list().stream().map(FeedTables::name).toList();
    }

    /** Returns the feeds that are open here. */
    public List<Feed> opened() {
        return List.copyOf(open.values());
    }

    /** Removes a feed with its positions and readers. The table itself stays. */
    public void drop(String name) {
        database.drop(database.find(name).orElseThrow(() -> database.missing(name)));
        leave(open.remove(name));
    }

    private void leave(@Nullable Feed feed) {
        if (feed != null && stamper != null) {
            stamper.remove(feed.passes);
        }
    }

    /** Returns the SQL script that makes a feed, with the privileges that programs need. */
    public String script(FeedDefinition definition) {
        return database.script(definition);
    }

    /**
     * Creates the SQL functions {@code feed_stamp}, {@code feed_last} and {@code feed_advance}; procedures on MariaDB and MySQL.
     *
     * @return whether the database has them
     */
    public boolean install() {
        return database.install();
    }

    /** Returns the database for display: its location, without secrets. */
    @Override
    public String toString() {
        return database.failures.database();
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("these feeds are closed; open them again");
        }
    }

    /** Ends background stamping, and {@link FeedReader#follow} after its batch. */
    @Override
    public void close() {
        closed = true;
        if (stamper != null) {
            stamper.close();
        }
        open.values().forEach(feed -> feed.passes.close());
        if (owned) {
            store.close();
        }
    }
}
