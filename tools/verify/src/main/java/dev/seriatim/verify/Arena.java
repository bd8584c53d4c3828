// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.CommitOutcomeUnknown;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.cli.option.OptionedUrl;
import dev.seriatim.cli.option.ShownCommand;
import dev.seriatim.cli.option.SqliteSite;
import dev.seriatim.feed.JdbcFeeds;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.jdbc.sql.MissingDatabase;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.store.StoreUrl;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The objects that verify draws from: a sequence for each mode, and a ledger for each gapless mode. In a database, tables of its own;
 * in other stores, sequences with a prefix of its own. Removed on close. One thread creates and removes; others may read.
 */
final class Arena implements AutoCloseable {

    /** All names begin with this. */
    static final String PREFIX = "seriatim_verify_";

    private static final String DROP_FEED = "seriatim feed drop ";

    /** The tables that all feeds of a database share. */
    private static final List<String> SHARED = List.of("seriatim_feed_reader", "seriatim_feed");

    private static final Duration REMOVAL_OF_NATIVES = Duration.ofSeconds(30);

    private static final long PAUSE_MILLIS = 200;

    /** The largest cache of a native sequence: the values that PostgreSQL logs ahead. */
    private static final long MOST_CACHED = 32;

    /** A node of a cluster may show commits of another a little later. */
    private static final Duration LONGEST_REPLICATION = Duration.ofSeconds(2);

    private static final Pattern H2_IN_A_FILE = Pattern.compile("(?is)\\s*jdbc:h2:(?!tcp:|ssl:|mem:).*");
    private static final Pattern AUTO_SERVER = Pattern.compile("(?is).*;AUTO_SERVER=(?:TRUE|T|YES|Y|1)(?:[;?&].*)?");
    private static final Pattern IN_MEMORY = Pattern.compile(
            "(?is)\\s*(?:memory:|jdbc:(?:h2:mem:|sqlite:(?:file:)?:memory:|sqlite:file:.*[?&]mode=memory|sqlite:(?:\\?|$))).*");

    private final OptionedUrl url;
    private final OpenStore store;
    private final @Nullable ArenaTables tables;
    private final String prefix;
    private final Map<DrawMode, ArenaSequence> offered = new EnumMap<>(DrawMode.class);
    private final List<ArenaSequence> all = new ArrayList<>();
    private final List<String> others = new ArrayList<>();
    private final List<String> feeds = new ArrayList<>();
    private final Map<DrawMode, String> missing = new EnumMap<>(DrawMode.class);
    private final Runnable afterwards;
    private final Duration removal;

    /** Whether the tables that all feeds share were missing. */
    private boolean firstFeed;

    /** Whether anything may have been created. */
    private boolean created;

    private Arena(OptionedUrl url, OpenStore store, String prefix, Runnable afterwards, Duration removal) {
        this.url = url;
        this.store = store;
        this.tables = store instanceof JdbcStore database ? new ArenaTables(database, url.text(), prefix) : null;
        this.prefix = prefix;
        this.afterwards = afterwards;
        this.removal = removal;
    }

    /**
     * Opens a store, and creates a sequence for each of the modes that it offers.
     *
     * @param removal the longest time for the removal on close
     * @throws Misconfigured if the URL or the user's rights do not allow that
     * @throws Unavailable if the store cannot be reached
     */
    static Arena open(String url, Collection<DrawMode> wanted, Duration removal) {
        OptionedUrl asked = new OptionedUrl(url);
        boolean file = url.startsWith("sqlite:");
        boolean own =
                (file || url.startsWith("jdbc:")) && asked.option("sequences").isEmpty();
        if (own && asked.option("kind").isPresent()) {
            throw new Misconfigured(
                    "store URL '" + StoreUrl.redacted(url) + "': leave the option kind out, and the columns' options");
        }
        String prefix = PREFIX + UUID.randomUUID().toString().substring(0, 8);
        OptionedUrl here = own ? new OptionedUrl(asked.with(Map.of("table", prefix))) : asked;
        Runnable afterwards = file ? SqliteSite.of(Path.of(StoreUrl.parse(url).place()))::leave : () -> {};
        OpenStore store;
        try {
            store = StoreDriver.open(here.text());
        } catch (RuntimeException e) {
            try {
                afterwards.run();
            } catch (Unavailable left) {
                e.addSuppressed(left); // the trial reports it, too
            }
            throw e;
        }
        Arena arena = new Arena(here, store, prefix, afterwards, removal);
        try {
            arena.offer(wanted);
            return arena;
        } catch (RuntimeException e) {
            arena.closeAfter(e);
            throw e;
        }
    }

    /** Opens an arena for native sequences of the database, without any yet; empty if this user can create none. */
    static Optional<Arena> ofNativeSequences(String url) {
        if (!url.startsWith("jdbc:") || new OptionedUrl(url).option("sequences").isPresent()) {
            return Optional.empty();
        }
        try {
            String natives = new OptionedUrl(url).with(Map.of("sequences", "native"));
            return Optional.of(open(natives, List.of(), REMOVAL_OF_NATIVES));
        } catch (Misconfigured e) {
            return Optional.empty();
        }
    }

    private void offer(Collection<DrawMode> wanted) {
        for (DrawMode mode : wanted) {
            Optional<String> why = mode.missingIn(store);
            if (why.isPresent()) {
                missing.put(mode, why.get());
            } else {
                offered.put(mode, sequence(mode.name(), mode));
            }
        }
        create(offered.values());
    }

    private ArenaSequence sequence(String generator, DrawMode mode) {
        boolean kept = tables != null && mode.promise().gapless();
        String name = prefix + "_" + generator.toLowerCase(Locale.ROOT);
        ArenaSequence sequence = new ArenaSequence(generator, mode, name, kept ? name : "");
        all.add(sequence);
        return sequence;
    }

    private void create(Collection<ArenaSequence> sequences) {
        try {
            for (ArenaSequence each : sequences) {
                store.create(definition(each.sequence()));
                created = true;
                if (tables != null && each.hasLedger()) {
                    tables.createLedger(each.ledger());
                }
            }
            if (tables != null && sequences.stream().anyMatch(each -> each.mode() == DrawMode.POOLED)) {
                tables.createPools();
            }
        } catch (SQLException e) {
            throw cannotCreate(e.getMessage(), e);
        } catch (Unavailable | Overloaded | CommitOutcomeUnknown e) {
            created = true; // perhaps
            throw e;
        } catch (SequenceException e) {
            throw tables == null || tables.isDenied(e.getCause()) ? cannotCreate(e.getMessage(), e) : e;
        }
    }

    /** Native sequences of MariaDB repeat values only if the server is killed just after it has used up a cache, so that is small. */
    private SequenceDefinition definition(String name) {
        SequenceDefinition usual =
                store.newDefinition(name).startWith(ArenaSequence.START).build();
        boolean isNative = url.option("sequences").filter("native"::equals).isPresent();
        return isNative && usual.cache() > MOST_CACHED
                ? usual.toBuilder().cache(MOST_CACHED).build()
                : usual;
    }

    private Misconfigured cannotCreate(@Nullable String why, Exception e) {
        return new Misconfigured(
                "verify draws from " + (tables == null ? "sequences" : "tables")
                        + " of its own, but cannot create them in " + store + " (" + scrubbed(why)
                        + "); let this user create them, or name another database",
                e);
    }

    private String scrubbed(@Nullable String text) {
        return StoreUrl.scrub(url.text(), String.valueOf(text)).replace('\n', ' ');
    }

    /** Returns the URL of these sequences. May hold secrets. */
    String url() {
        return url.text();
    }

    /** Returns whether committed numbers of gapless modes are in tables. */
    boolean keepsLedgers() {
        return tables != null;
    }

    /** Returns the URL of these sequences at another address of the store, such as a link. */
    String url(String other) {
        return url.option("table")
                .filter(table -> tables != null)
                .map(table -> new OptionedUrl(other).with(Map.of("table", table)))
                .orElse(other);
    }

    /** Refuses a URL that does not lead to the same store. */
    void checkNode(String other) {
        String name = offered.values().iterator().next().sequence();
        long end = System.nanoTime() + LONGEST_REPLICATION.toNanos();
        try (OpenStore node = StoreDriver.open(url(other))) {
            while (true) {
                try {
                    node.describe(name);
                    return;
                } catch (NotFound e) {
                    if (System.nanoTime() - end > 0) {
                        throw e;
                    }
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS));
            }
        } catch (NotFound e) {
            throw new Misconfigured(
                    "--node " + StoreUrl.redacted(other) + " leads to another store than --store " + store
                            + "; name another URL of the same store",
                    e);
        } catch (SequenceException e) {
            throw new Misconfigured("--node: " + StoreUrl.scrub(other, String.valueOf(e.getMessage())), e);
        }
    }

    /** Refuses a store from which only one process can draw, according to its URL. */
    static void refuseOneProcess(String url) {
        if (IN_MEMORY.matcher(url).matches()) {
            throw new Misconfigured(StoreUrl.redacted(url)
                    + " keeps its counters in the memory of one process, and verify draws in several; name a database"
                    + " with --store");
        }
        if (H2_IN_A_FILE.matcher(url).matches() && !AUTO_SERVER.matcher(url).matches()) {
            throw new Misconfigured(StoreUrl.redacted(url)
                    + " can be open in one process only, and verify draws in several; add ;AUTO_SERVER=TRUE to the"
                    + " URL, or name a server of H2's with jdbc:h2:tcp:");
        }
    }

    Map<DrawMode, ArenaSequence> offered() {
        return Collections.unmodifiableMap(offered);
    }

    /** Returns why the store does not offer the other modes, each a clause about the store. */
    Map<DrawMode, String> missing() {
        return Collections.unmodifiableMap(missing);
    }

    @Override
    public String toString() {
        return store.toString();
    }

    /** Creates another sequence, with a ledger if the mode is gapless, for a generator that draws like a mode. */
    ArenaSequence add(String generator, DrawMode like) {
        ArenaSequence made = sequence(generator, like);
        create(List.of(made));
        return made;
    }

    /** Creates a table, and returns its name, which is not one of the library's own; refuses a store without tables. */
    String addTable(String suffix, String columns) {
        if (tables == null) {
            throw new Misconfigured(store + " has no tables, which feeds need; name an SQL database with --store");
        }
        String name = prefix.substring("seriatim_".length()) + "_" + suffix;
        try {
            if (!created) {
                created = true;
                store.create(definition(prefix)); // which creates the file of an engine that has files
            }
            others.add(name);
            tables().execute("CREATE TABLE " + tables().quote(name) + " (" + columns + ")"
                    + tables().store().dialect().tableOptions());
            return name;
        } catch (SQLException e) {
            throw cannotCreate(e.getMessage(), e);
        }
    }

    /** Makes a feed over one of these tables, and returns its view; refuses a database that can have none. */
    String addFeed(String table) {
        JdbcFeeds made = feeds();
        firstFeed = !tables().exists(SHARED.get(0));
        feeds.add(table);
        return made.table(table).view();
    }

    private JdbcFeeds feeds() {
        return JdbcFeeds.over(tables().store(), settings -> {});
    }

    long next(ArenaSequence of) {
        return store.describe(of.sequence()).nextValue();
    }

    /** Returns the tables; only if it keeps ledgers. */
    ArenaTables tables() {
        return Objects.requireNonNull(tables);
    }

    /** Returns the statements, or command lines, that remove everything. */
    List<String> removal() {
        if (tables != null) {
            List<String> removal = new ArrayList<>();
            feeds.forEach(feed -> removal.add(DROP_FEED + feed));
            Stream<String> ledgers =
                    all.stream().filter(ArenaSequence::hasLedger).map(ArenaSequence::ledger);
            removal.addAll(
                    tables.removal(Stream.concat(ledgers, others.stream()).toList()));
            return removal;
        }
        String drop = "seriatim drop --store " + ShownCommand.quoted(StoreUrl.withOptions(url.text())) + " ";
        return all.stream().map(each -> drop + each.sequence()).toList();
    }

    /** Removes everything, for a bounded time. A failure names the statements that remove the rest. */
    @Override
    public void close() {
        List<String> left = Collections.synchronizedList(new ArrayList<>(created ? removal() : List.of()));
        AtomicReference<String> reason = new AtomicReference<>("no answer");
        Thread remover = new Thread(() -> remove(left, reason), "verify-removal");
        remover.setDaemon(true); // a driver may wait forever for a server that hangs
        remover.start();
        try {
            remover.join(removal.toMillis() + 1_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            reason.set("interrupted");
        }
        if (!left.isEmpty()) {
            throw new Unavailable(
                    "cannot remove what verify created in " + store + " (" + reason.get()
                            + "); when it answers again, run there: " + String.join("; ", List.copyOf(left)),
                    null);
        }
        afterwards.run();
    }

    private void remove(List<String> left, AtomicReference<String> reason) {
        try {
            long end = System.nanoTime() + removal.toNanos();
            while (!left.isEmpty() && System.nanoTime() - end <= 0) {
                try {
                    while (!left.isEmpty()) {
                        drop(left.get(0));
                        left.remove(0);
                    }
                } catch (SequenceException | SQLException e) {
                    reason.set(scrubbed(e.getMessage()));
                    Thread.sleep(PAUSE_MILLIS);
                }
            }
            store.close();
        } catch (Throwable e) {
            reason.set(scrubbed(e.toString()));
        }
    }

    private void drop(String what) throws SQLException {
        try {
            if (what.startsWith(DROP_FEED)) {
                dropFeed(what.substring(DROP_FEED.length()));
            } else if (tables != null) {
                tables.execute(what);
            } else {
                store.drop(what.substring(what.lastIndexOf(' ') + 1));
            }
        } catch (NotFound e) {
            // it was not created, or is gone
        } catch (Misconfigured e) {
            if (!(e.getCause() instanceof MissingDatabase)) {
                throw e;
            }
        }
    }

    private void dropFeed(String name) throws SQLException {
        JdbcFeeds there = feeds();
        if (there.list().contains(name)) {
            there.drop(name);
        }
        if (firstFeed && there.list().isEmpty()) {
            for (String table : SHARED) {
                tables().execute("DROP TABLE IF EXISTS " + tables().quote(table));
            }
        }
    }

    private void closeAfter(RuntimeException failure) {
        try {
            close();
        } catch (SequenceException e) { // most likely for the same reason
            throw new Unavailable(
                    scrubbed(failure.getMessage())
                            + "; verify may have created tables there before, which this removes later: "
                            + String.join("; ", removal()),
                    failure);
        }
    }
}
