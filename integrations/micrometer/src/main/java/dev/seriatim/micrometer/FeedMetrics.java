// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.micrometer;

import dev.seriatim.feed.FeedListener;
import dev.seriatim.feed.FeedState;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Meters for feeds. A listener of {@code JdbcFeeds}, to be bound to any number of registries:
 *
 * <pre>{@code
 * FeedMetrics metrics = new FeedMetrics();
 * metrics.bindTo(registry);
 * JdbcFeeds feeds = JdbcFeeds.open(dataSource, settings -> settings.listener(metrics));
 * metrics.states(feed -> feeds.table(feed).state());
 * }</pre>
 *
 * <p>Every meter has the tag {@code feed}. A feed's meters appear with its first event in this process.
 *
 * <table>
 * <caption>Meters</caption>
 * <tr><th>name<th>type<th>what
 * <tr><td>{@code seriatim.feed.pass}<td>timer<td>passes of this process that gave positions
 * <tr><td>{@code seriatim.feed.last}<td>gauge<td>the last position
 * <tr><td>{@code seriatim.feed.waiting}<td>gauge<td>committed rows without a position
 * <tr><td>{@code seriatim.feed.reader.lag}<td>gauge<td>entries that a reader, in any process, has not handled; tag
 *     {@code reader}
 * </table>
 *
 * <p>The gauges show a state of the database at most about ten seconds old. Reading them does not wait for the database: a thread
 * reads the next state. They are NaN while there is none.
 *
 * <p>Thread-safe.
 */
public final class FeedMetrics implements MeterBinder, FeedListener {

    private static final Duration FRESH = Duration.ofSeconds(5);

    private final Tags tags;
    private final long fresh;
    private final CompositeMeterRegistry registries = new CompositeMeterRegistry();
    private final Map<String, Meters> feeds = new ConcurrentHashMap<>();
    private volatile @Nullable Function<String, FeedState> states;

    /** Creates metrics whose only tags are the feed and the reader. */
    public FeedMetrics() {
        this(Tags.empty());
    }

    /** Creates metrics that also have these tags, such as the tenant's. */
    public FeedMetrics(Iterable<Tag> commonTags) {
        this(commonTags, FRESH);
    }

    FeedMetrics(Iterable<Tag> commonTags, Duration fresh) {
        this.tags = Tags.of(commonTags);
        this.fresh = fresh.toNanos();
    }

    /** Registers the meters of all feeds, those of later ones included. Binding a registry again has no effect. */
    @Override
    public void bindTo(MeterRegistry registry) {
        registries.add(registry);
    }

    /** Sets how a feed's state is read from the database, given its name. */
    public void states(Function<String, FeedState> reading) {
        states = reading;
    }

    @Override
    public void stamped(String feed, int rows, long last, Duration took) {
        of(feed).passes.record(took);
    }

    @Override
    public void advanced(String feed, String reader, long position) {
        of(feed);
    }

    @Override
    public void failed(String feed, Exception failure) {
        of(feed);
    }

    private Meters of(String feed) {
        Meters meters = feeds.computeIfAbsent(feed, Meters::new);
        meters.refresh();
        return meters;
    }

    /** The meters of a feed. */
    private final class Meters {

        private final String feed;
        private final Tags own;
        private final Timer passes;
        private final Set<String> readers = ConcurrentHashMap.newKeySet();
        private volatile @Nullable FeedState state;
        private boolean reading;
        private long read = System.nanoTime() - fresh;

        Meters(String feed) {
            this.feed = feed;
            own = tags.and("feed", feed);
            passes = Timer.builder("seriatim.feed.pass")
                    .description("Passes that gave positions")
                    .tags(own)
                    .register(registries);
            gauge("last", "positions", own, FeedState::last);
            gauge("waiting", "rows", own, FeedState::waiting);
        }

        private void showLag(String reader) {
            gauge(
                    "reader.lag",
                    "entries",
                    own.and("reader", reader),
                    now -> now.readers().stream()
                            .filter(each -> each.name().equals(reader))
                            .mapToLong(each -> Math.max(0, now.last() - each.position()))
                            .sum());
        }

        private void gauge(String name, String unit, Tags tags, ToLongFunction<FeedState> value) {
            Gauge.builder("seriatim.feed." + name, () -> {
                        refresh();
                        FeedState now = state;
                        return now == null ? Double.NaN : value.applyAsLong(now);
                    })
                    .baseUnit(unit)
                    .tags(tags)
                    .register(registries);
        }

        /** Has the state read, if it is not fresh and no thread reads it. */
        synchronized void refresh() {
            Function<String, FeedState> source = states;
            if (source != null && !reading && System.nanoTime() - read >= fresh) {
                reading = true;
                Thread thread = new Thread(() -> read(source), "seriatim-feed-meters");
                thread.setDaemon(true);
                thread.start();
            }
        }

        private void read(Function<String, FeedState> source) {
            FeedState now = null;
            try {
                now = source.apply(feed);
            } catch (RuntimeException e) {
                // the gauges are NaN; whoever needs the database reports why
            }
            synchronized (this) {
                state = now;
                reading = false;
                read = System.nanoTime();
            }
            if (now != null) {
                now.readers().stream()
                        .map(FeedState.Reader::name)
                        .filter(readers::add)
                        .forEach(this::showLag);
            }
        }
    }
}
