// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.verify.arena;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.CommitOutcomeUnknown;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.jdbc.sql.BenchmarkedStore;
import dev.seriatim.lab.store.ModeOffer;
import dev.seriatim.lab.store.OptionedUrl;
import dev.seriatim.lab.store.SqliteSite;
import dev.seriatim.store.DefaultCache;
import dev.seriatim.store.ImmediateStore;
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
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Where verify draws: a sequence for each mode, and a ledger for each gapless one, in the user's database, apart from everything
 * else there; removed on close. In a JDBC store, tables of its own; in others, sequences with a prefix of its own. Thread-safe.
 */
public final class Arena implements AutoCloseable {

    /** All names begin with this. */
    public static final String PREFIX = "seriatim_verify_";

    /** How long closing tries to remove everything. */
    private static final Duration REMOVAL = Duration.ofSeconds(30);

    private static final long PAUSE_MILLIS = 200;

    /** As many values as PostgreSQL logs ahead. */
    private static final long MOST_CACHED = 32;

    /** A node of a cluster may show a little later what another has committed. */
    private static final Duration LONGEST_REPLICATION = Duration.ofSeconds(2);

    private static final Pattern H2_IN_A_FILE = Pattern.compile("(?is)\\s*jdbc:h2:(?!tcp:|ssl:|mem:).*");
    private static final Pattern AUTO_SERVER = Pattern.compile("(?is).*;AUTO_SERVER=(?:TRUE|T|YES|Y|1)(?:[;?&].*)?");
    private static final Pattern IN_MEMORY = Pattern.compile(
            "(?is)\\s*jdbc:(?:h2:mem:|sqlite:(?:file:)?:memory:|sqlite:file:.*[?&]mode=memory|sqlite:(?:\\?|$)).*");

    private static final Pattern WITHOUT_SERVER =
            Pattern.compile("(?is)\\s*(?:memory:|(?:jdbc:)?sqlite:|jdbc:h2:(?!tcp:|ssl:)).*");

    private final String asked;
    private final OptionedUrl url;
    private final OpenStore store;
    private final @Nullable ArenaTables tables;
    private final String prefix;
    private final Map<DrawMode, ArenaSequence> offered = new EnumMap<>(DrawMode.class);
    private final List<ArenaSequence> added = new ArrayList<>();
    private final Map<DrawMode, String> missing = new EnumMap<>(DrawMode.class);
    private final Runnable afterwards;
    private final Duration removal;
    private final long mostCached;

    /** Whether anything may have been created. */
    private volatile boolean made;

    private boolean closed;

    private Arena(
            String asked,
            OptionedUrl url,
            OpenStore store,
            @Nullable ArenaTables tables,
            String prefix,
            Runnable afterwards,
            Duration removal,
            long mostCached) {
        this.asked = asked;
        this.url = url;
        this.store = store;
        this.tables = tables;
        this.prefix = prefix;
        this.afterwards = afterwards;
        this.removal = removal;
        this.mostCached = mostCached;
    }

    /**
     * Opens a store and makes what the modes need that it offers.
     *
     * @throws Misconfigured if the URL or the user's rights do not allow that
     * @throws Unavailable if the store cannot be reached
     */
    public static Arena open(String url, Collection<DrawMode> wanted) {
        return open(url, wanted, REMOVAL);
    }

    /**
     * Opens one in which sequences are the database's own, without any yet; empty if the database has none that can be drawn from, or this
     * user cannot create them. Those of MariaDB have a smaller cache than usual, since they repeat values only if the server is killed
     * just after it has taken as many.
     */
    public static Optional<Arena> ofNativeSequences(String url) {
        if (!url.startsWith("jdbc:") || new OptionedUrl(url).option("sequences").isPresent()) {
            return Optional.empty();
        }
        try {
            String natives = new OptionedUrl(url).with(Map.of("sequences", "native"));
            return Optional.of(open(natives, List.of(), REMOVAL, MOST_CACHED));
        } catch (Misconfigured e) {
            return Optional.empty();
        }
    }

    /**
     * Opens one, as {@link #open(String, Collection)} does.
     *
     * @param removal how long closing tries to remove everything
     */
    public static Arena open(String url, Collection<DrawMode> wanted, Duration removal) {
        return open(url, wanted, removal, Long.MAX_VALUE);
    }

    private static Arena open(String url, Collection<DrawMode> wanted, Duration removal, long mostCached) {
        OptionedUrl asked = new OptionedUrl(url);
        boolean file = url.startsWith("sqlite:");
        boolean own =
                (file || url.startsWith("jdbc:")) && asked.option("sequences").isEmpty();
        if (own && asked.option("kind").isPresent()) {
            throw new Misconfigured(
                    "store URL '" + StoreUrl.redacted(url) + "': verify draws from tables of its own; leave the"
                            + " option kind, and those of the columns, out");
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
                e.addSuppressed(left); // and is told after it
            }
            throw e;
        }
        ArenaTables tables = store instanceof BenchmarkedStore database ? new ArenaTables(database, prefix) : null;
        Arena arena = new Arena(url, here, store, tables, prefix, afterwards, removal, mostCached);
        try {
            arena.offer(wanted);
            return arena;
        } catch (RuntimeException e) {
            arena.closeAfter(e);
            throw e;
        }
    }

    private void offer(Collection<DrawMode> wanted) {
        for (DrawMode mode : wanted) {
            Optional<String> why = ModeOffer.missing(store, mode);
            if (why.isPresent()) {
                missing.put(mode, why.get());
            } else {
                offered.put(mode, sequence(mode.name(), mode));
            }
        }
        make(offered.values());
    }

    private ArenaSequence sequence(String generator, DrawMode mode) {
        boolean kept = tables != null && mode.promise().gapless();
        String name = prefix + "_" + generator.toLowerCase(Locale.ROOT);
        return new ArenaSequence(generator, mode, name, kept ? name : "");
    }

    private void make(Collection<ArenaSequence> sequences) {
        try {
            for (ArenaSequence each : sequences) {
                store.create(definition(each.sequence()));
                made = true;
                if (tables != null && each.hasLedger()) {
                    tables.createLedger(each.ledger());
                }
            }
            if (tables != null && sequences.stream().anyMatch(each -> each.mode() == DrawMode.POOLED)) {
                tables.createPools();
            }
        } catch (SQLException e) {
            throw cannotMake(e.getMessage(), e);
        } catch (Unavailable | Overloaded | CommitOutcomeUnknown e) {
            made = true; // perhaps
            throw e;
        } catch (SequenceException e) {
            throw tables == null || tables.isDenied(e.getCause()) ? cannotMake(e.getMessage(), e) : e;
        }
    }

    private SequenceDefinition definition(String name) {
        SequenceDefinition usual = DefaultCache.definition(store, name)
                .startWith(ArenaSequence.START)
                .build();
        return usual.cache() > mostCached ? usual.toBuilder().cache(mostCached).build() : usual;
    }

    private Misconfigured cannotMake(@Nullable String why, Exception e) {
        return new Misconfigured(
                "verify draws from " + (tables == null ? "sequences" : "tables")
                        + " of its own and removes them afterwards, but cannot"
                        + " create them in " + store + " (" + scrubbed(why) + "); let this user create them, or name"
                        + " another database, such as an empty one of the same server",
                e);
    }

    private String scrubbed(@Nullable String text) {
        return StoreUrl.scrub(url.text(), String.valueOf(text)).replace('\n', ' ');
    }

    /** Returns the URL that leads to these sequences, for those who draw. May hold secrets. */
    public String url() {
        return url.text();
    }

    /** Returns the URL that the user gave. May hold secrets. */
    public String originalUrl() {
        return asked;
    }

    /** Returns whether committed numbers of gapless modes are in tables. */
    public boolean keepsLedgers() {
        return tables != null;
    }

    /** Returns the URL that leads to these sequences on another way to the same store, such as through a link. */
    public String url(String otherWay) {
        return url.option("table")
                .filter(table -> tables != null)
                .map(table -> new OptionedUrl(otherWay).with(Map.of("table", table)))
                .orElse(otherWay);
    }

    /**
     * Checks that another way leads to the same store: that what was made here is there.
     *
     * @throws Misconfigured if it does not, with the reason
     */
    public void checkWay(String otherWay) {
        String name = offered.values().iterator().next().sequence();
        long end = System.nanoTime() + LONGEST_REPLICATION.toNanos();
        try (OpenStore other = StoreDriver.open(url(otherWay))) {
            while (true) {
                try {
                    other.describe(name);
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
                    "--node " + StoreUrl.redacted(otherWay) + " leads to another store than --store: what verify has"
                            + " created in " + store + " is not there; name another way to the same store",
                    e);
        } catch (SequenceException e) {
            throw new Misconfigured("--node: " + StoreUrl.scrub(otherWay, String.valueOf(e.getMessage())), e);
        }
    }

    /** Returns whether a store has a server, as far as its URL says. */
    public static boolean hasServer(String url) {
        return !WITHOUT_SERVER.matcher(url).matches();
    }

    /** Returns why only one process can draw in a database, in one line; empty if several can, as far as its URL says. */
    public static Optional<String> onlyOneProcess(String url) {
        if (IN_MEMORY.matcher(url).matches()) {
            return Optional.of(inMemory(StoreUrl.redacted(url)));
        }
        boolean alone =
                H2_IN_A_FILE.matcher(url).matches() && !AUTO_SERVER.matcher(url).matches();
        return alone
                ? Optional.of(StoreUrl.redacted(url)
                        + " can be open in one process only, and verify draws in several; add ;AUTO_SERVER=TRUE to the"
                        + " URL, or name a server of H2's with jdbc:h2:tcp:")
                : Optional.empty();
    }

    /** Returns why only one process can draw here, in one line; empty if several can. */
    public Optional<String> onlyOneProcess() {
        return store instanceof ImmediateStore ? Optional.of(inMemory(store.toString())) : Optional.empty();
    }

    private static String inMemory(String store) {
        return store + " keeps its counters in the memory of one process, and verify draws in several; name a database"
                + " with --store";
    }

    /** Returns the modes that the store offers, of those asked for. */
    public Map<DrawMode, ArenaSequence> offered() {
        return Collections.unmodifiableMap(offered);
    }

    /** Returns why the store does not offer the others, each a clause about the store. */
    public Map<DrawMode, String> missing() {
        return Collections.unmodifiableMap(missing);
    }

    /** Returns the store for display, without secrets. */
    @Override
    public String toString() {
        return store.toString();
    }

    /**
     * Makes another sequence, with a ledger of its own if the store keeps committed numbers in tables, for a generator that draws like
     * a mode.
     *
     * @param generator the generator's name, with which the names of its objects end
     * @throws Misconfigured if it cannot be made
     */
    public ArenaSequence add(String generator, DrawMode like) {
        ArenaSequence made = sequence(generator, like);
        synchronized (added) {
            added.add(made);
        }
        make(List.of(made));
        return made;
    }

    /** Returns the counter: the number that the store deals next. */
    public long next(ArenaSequence of) {
        return store.describe(of.sequence()).nextValue();
    }

    /**
     * Returns what is committed in a gapless mode, all at one moment; cheap enough to ask now and then while others draw.
     *
     * @throws Unavailable if it cannot be read
     */
    public CommittedState state(ArenaSequence of) {
        return reading(of, tables -> tables.state(withLedger(of)));
    }

    /**
     * Passes on the committed numbers of a gapless mode, in order. Those that are committed meanwhile may be among them.
     *
     * @return how many
     * @throws Unavailable if they cannot be read
     */
    public long ledger(ArenaSequence of, LongConsumer numbers) {
        return reading(of, tables -> tables.ledger(withLedger(of).ledger(), numbers));
    }

    /**
     * Returns the numbers that are laid out for a mode, in order; none except in POOLED.
     *
     * @throws Unavailable if they cannot be read
     */
    public List<Long> laidOut(ArenaSequence of) {
        return of.mode() == DrawMode.POOLED ? reading(of, tables -> tables.laidOut(withLedger(of))) : List.of();
    }

    private interface Reading<R> {
        R of(ArenaTables tables) throws SQLException;
    }

    private <R> R reading(ArenaSequence of, Reading<R> reading) {
        if (tables == null) {
            throw new IllegalStateException(store + " has no tables");
        }
        try {
            return reading.of(tables);
        } catch (SQLException | CommitOutcomeUnknown | Overloaded e) {
            // A transaction that only reads has read nothing if it is not known to have committed.
            throw new Unavailable(
                    "cannot read what is committed in " + of.generator() + " in " + store + " ("
                            + scrubbed(e.getMessage()) + ")",
                    e);
        }
    }

    private ArenaSequence withLedger(ArenaSequence of) {
        if (!of.hasLedger()) {
            throw new IllegalStateException(of.generator() + " has no ledger in " + store);
        }
        return of;
    }

    private List<ArenaSequence> all() {
        List<ArenaSequence> all = new ArrayList<>(offered.values());
        synchronized (added) {
            all.addAll(added);
        }
        return all;
    }

    /** Returns what removes everything: statements, or lines of the command. */
    List<String> removal() {
        if (tables != null) {
            return tables.removal(all().stream()
                    .filter(ArenaSequence::hasLedger)
                    .map(ArenaSequence::ledger)
                    .toList());
        }
        return all().stream().map(each -> "seriatim drop " + each.sequence()).toList();
    }

    /**
     * Removes everything that was made. Tries for a bounded time if the store does not answer.
     *
     * @throws Unavailable if something is left: its message, one line, says what removes it
     */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        List<String> left = Collections.synchronizedList(new ArrayList<>(made ? removal() : List.of()));
        CompletableFuture<Void> removed = new CompletableFuture<>();
        String[] reason = {"it does not answer"};
        Thread remover = new Thread(
                () -> {
                    try {
                        remove(left, reason);
                        store.close();
                        removed.complete(null);
                    } catch (Throwable e) {
                        removed.completeExceptionally(e);
                    }
                },
                "verify-removal");
        remover.setDaemon(true); // a driver may wait for a server that hangs for as long as it likes
        remover.start();
        try {
            removed.get(removal.toMillis() + 1_000, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            if (!left.isEmpty()) {
                throw new Unavailable(leftOver(left, reason[0]), e);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Unavailable(leftOver(left, "interrupted"), e);
        }
        if (!left.isEmpty()) {
            throw new Unavailable(leftOver(left, reason[0]), null);
        }
        afterwards.run();
    }

    private void remove(List<String> left, String[] reason) throws InterruptedException {
        long end = System.nanoTime() + removal.toNanos();
        while (true) {
            for (String each : List.copyOf(left)) {
                try {
                    drop(each);
                    left.remove(each);
                } catch (SequenceException | SQLException e) {
                    reason[0] = scrubbed(e.getMessage());
                    break; // the others would most likely fail likewise, each after its own patience
                }
            }
            if (left.isEmpty() || System.nanoTime() - end > 0) {
                return;
            }
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    private void drop(String what) throws SQLException {
        try {
            if (tables != null) {
                tables.execute(what);
                return;
            }
            store.drop(what.substring(what.lastIndexOf(' ') + 1));
        } catch (SequenceException.NotFound e) {
            // it was not made, or is gone already
        } catch (Misconfigured e) {
            if (tables == null || !tables.isMissing(e.getCause())) {
                throw e;
            }
        }
    }

    private String leftOver(List<String> left, String reason) {
        return "cannot remove what verify created in " + store + " (" + reason + "); when it answers again, run there: "
                + List.copyOf(left).stream().collect(Collectors.joining("; "));
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
