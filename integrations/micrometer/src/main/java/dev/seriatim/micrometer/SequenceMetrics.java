// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.micrometer;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceListener;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Meters for the reservations of sequences. Hand it to the sequences as their listener, and bind it to any number of
 * registries, before or after:
 *
 * <pre>{@code
 * SequenceMetrics metrics = new SequenceMetrics();
 * metrics.bindTo(registry);
 * JdbcSequences sequences = JdbcSequences.open(dataSource, settings -> settings.listener(metrics));
 * }</pre>
 *
 * <p>Every meter has the tag {@code sequence}, with one value per sequence (per counter if it is striped), so the number
 * of meters grows with the number of sequences. A sequence's meters appear with its first event.
 *
 * <table>
 * <caption>Meters</caption>
 * <tr><th>name<th>type<th>base unit<th>what
 * <tr><td>{@code seriatim.reservations}<td>timer<td>seconds<td>reservations that succeeded, and their latency
 * <tr><td>{@code seriatim.failures}<td>counter<td>failures<td>failed calls of the store; the tag {@code exception} is
 *     the kind of {@link SequenceException}, such as {@code Unavailable}
 * <tr><td>{@code seriatim.waits}<td>timer<td>seconds<td>callers that had to wait for the store, and for how long
 * <tr><td>{@code seriatim.reserved}<td>counter<td>values<td>values reserved in the store
 * <tr><td>{@code seriatim.lost}<td>counter<td>values<td>reserved values that will never be dealt
 * <tr><td>{@code seriatim.given.back}<td>counter<td>values<td>reserved values given back to the store
 * <tr><td>{@code seriatim.outcome.unknown}<td>counter<td>values<td>values that may be lost
 * <tr><td>{@code seriatim.used.ratio}<td>gauge<td>ratio<td>how much of the range is reserved, 0 … 1, as of this
 *     process's last reservation
 * <tr><td>{@code seriatim.exhaustion}<td>gauge<td>seconds<td>time until the last value is reserved, at the average rate
 *     of about the last ten minutes
 * <tr><td>{@code seriatim.in.hand}<td>gauge<td>values<td>see {@link #valuesInHand}
 * </table>
 *
 * <p>{@code seriatim.used.ratio} and {@code seriatim.exhaustion} appear with the first reservation outside POOLED, whose
 * reservations do not show the bounds. They mean nothing over a store that distributes its numbers. The rate is that of
 * the counter, which all processes move. {@code seriatim.exhaustion} is NaN until two reservations have shown a rate, and
 * infinite if the sequence cycles or no longer moves. Draws in the caller's transaction (SYNC, GROUPED), except failures
 * in GROUPED, and draws from memory are not counted.
 *
 * <p>Counters show the same totals in all registries, including events before binding. Timers record in every registry
 * from its binding on; for the first registry, up to {@value #MAX_EARLY} durations are kept until then.
 *
 * <p>Reading a meter never calls the store. If a registry throws, the others are served all the same, and what it
 * threw is logged as a warning. Use one instance per {@code Sequences}; if several report to one
 * registry, give each different tags, since a registry keeps only the first meter of an identity.
 *
 * <p>Thread-safe.
 */
public final class SequenceMetrics implements MeterBinder, SequenceListener {

    private static final System.Logger LOG = System.getLogger("dev.seriatim.micrometer");
    private static final int MAX_EARLY = 1_000;

    private final Tags tags;
    private final Clock clock;
    private final Map<String, Meters> sequences = new ConcurrentHashMap<>();

    // Written by synchronized methods.
    private volatile List<MeterRegistry> registries = List.of();
    private final Queue<Runnable> early = new ArrayDeque<>();
    private @Nullable ToLongFunction<String> inHand;

    /** Creates metrics whose only tag is the sequence. */
    public SequenceMetrics() {
        this(Tags.empty());
    }

    /** Creates metrics that also have these tags, such as the tenant's. */
    public SequenceMetrics(Iterable<Tag> commonTags) {
        this(commonTags, Clock.SYSTEM);
    }

    SequenceMetrics(Iterable<Tag> commonTags, Clock clock) {
        this.tags = Tags.of(commonTags);
        this.clock = clock;
    }

    /** Registers the meters of all sequences, those of later ones included. Binding a registry again has no effect. */
    @Override
    public synchronized void bindTo(MeterRegistry registry) {
        if (registries.stream().anyMatch(bound -> bound == registry)) {
            return;
        }
        forEach(sequences.values(), meters -> meters.bindTo(registry));
        while (!early.isEmpty()) {
            early.remove().run();
        }
        List<MeterRegistry> all = new ArrayList<>(registries);
        all.add(registry);
        registries = List.copyOf(all); // last, so that durations wait or are kept until then
    }

    /**
     * Adds the gauge {@code seriatim.in.hand}: how many reserved values this process has left to deal. The first call
     * decides; later ones have no effect.
     *
     * @param values returns that number, given the sequence's name; called whenever the gauge is read, so it must not
     *     call the store
     */
    public synchronized void valuesInHand(ToLongFunction<String> values) {
        if (inHand == null) {
            inHand = values;
            sequences
                    .values()
                    .forEach(meters -> forEach(meters.bound, each -> meters.showInHand(each.registry, values)));
        }
    }

    @Override
    public void reserved(String sequence, Block block, Duration took) {
        Meters meters = of(sequence);
        meters.reserved.add(block.count());
        timed(() -> forEach(meters.bound, each -> each.reservations.record(took)));
    }

    @Override
    public void reserved(String sequence, Block block, Duration took, SequenceDefinition definition) {
        Meters meters = of(sequence);
        if (meters.usage.reserved(block, took, definition)) {
            meters.showUsage();
        }
        reserved(sequence, block, took);
    }

    @Override
    public void waited(String sequence, Duration howLong) {
        Meters meters = of(sequence);
        timed(() -> forEach(meters.bound, each -> each.waits.record(howLong)));
    }

    @Override
    public void failed(String sequence, SequenceException failure) {
        Meters meters = of(sequence);
        String kind = failure.getClass().getSimpleName();
        LongAdder count = meters.failures.get(kind);
        (count == null ? meters.firstFailure(kind) : count).increment();
    }

    @Override
    public void lost(String sequence, Block values) {
        of(sequence).lost.add(values.count());
    }

    @Override
    public void outcomeUnknown(String sequence, long count) {
        of(sequence).outcomeUnknown.add(count);
    }

    @Override
    public void givenBack(String sequence, Block values) {
        Meters meters = of(sequence);
        meters.givenBack.add(values.count());
        meters.usage.givenBack(values);
    }

    private void timed(Runnable recording) {
        if (!registries.isEmpty() || !kept(recording)) {
            recording.run();
        }
    }

    /** Keeps a duration that comes before the first registry, since a timer cannot take it later as a sum. */
    private synchronized boolean kept(Runnable recording) {
        if (registries.isEmpty() && early.size() < MAX_EARLY) {
            early.add(recording);
        }
        return registries.isEmpty();
    }

    private Meters of(String sequence) {
        Meters known = sequences.get(sequence);
        return known == null ? added(sequence) : known;
    }

    private synchronized Meters added(String sequence) {
        Meters known = sequences.get(sequence);
        if (known != null) {
            return known;
        }
        Meters meters = new Meters(sequence);
        forEach(registries, meters::bindTo);
        sequences.put(sequence, meters); // last, so that no event comes before its timers
        return meters;
    }

    /** Updates every registry, even if one throws, so that the others and the sequences are not affected. */
    private static <T> void forEach(Iterable<T> elements, Consumer<? super T> action) {
        for (T element : elements) {
            try {
                action.accept(element);
            } catch (Throwable e) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "a meter registry threw; its meters of a sequence may be incomplete",
                        e);
            }
        }
    }

    /** A registry, with the timers that it has. */
    private record Bound(MeterRegistry registry, Timer reservations, Timer waits) {}

    /**
     * The meters of one sequence, in every registry. Registries read the totals from here; durations are pushed to their
     * timers.
     */
    private final class Meters {

        private final LongAdder reserved = new LongAdder();
        private final LongAdder lost = new LongAdder();
        private final LongAdder givenBack = new LongAdder();
        private final LongAdder outcomeUnknown = new LongAdder();
        private final Usage usage = new Usage(clock);
        private final String name;
        private final Tags own;
        private final Map<String, LongAdder> failures = new ConcurrentHashMap<>();
        private final List<Bound> bound = new CopyOnWriteArrayList<>();

        Meters(String name) {
            this.name = name;
            own = tags.and("sequence", name);
        }

        /** Called by synchronized methods of the metrics. */
        void bindTo(MeterRegistry registry) {
            bound.add(new Bound(
                    registry,
                    timer(registry, "seriatim.reservations", "Latency of reservations"),
                    timer(registry, "seriatim.waits", "Waits of callers")));
            counter(registry, "seriatim.reserved", "Reserved values", reserved);
            counter(registry, "seriatim.lost", "Reserved values that will never be dealt", lost);
            counter(registry, "seriatim.given.back", "Values given back", givenBack);
            counter(registry, "seriatim.outcome.unknown", "Values that may be lost", outcomeUnknown);
            failures.forEach((kind, count) -> showFailures(registry, kind, count));
            if (usage.known()) {
                showUsage(registry);
            }
            if (inHand != null) {
                showInHand(registry, inHand);
            }
        }

        LongAdder firstFailure(String kind) {
            synchronized (SequenceMetrics.this) {
                return failures.computeIfAbsent(kind, absent -> {
                    LongAdder count = new LongAdder();
                    forEach(bound, each -> showFailures(each.registry, kind, count));
                    return count;
                });
            }
        }

        void showInHand(MeterRegistry registry, ToLongFunction<String> values) {
            Gauge.builder("seriatim.in.hand", () -> values.applyAsLong(name))
                    .description("Reserved values that this process has left to deal")
                    .baseUnit("values")
                    .tags(own)
                    .register(registry);
        }

        /** Called once the bounds are known. */
        void showUsage() {
            synchronized (SequenceMetrics.this) {
                forEach(bound, each -> showUsage(each.registry));
            }
        }

        private void showUsage(MeterRegistry registry) {
            Gauge.builder("seriatim.used.ratio", usage, Usage::ratio)
                    .description("How much of the range is reserved, as of the last reservation")
                    .baseUnit("ratio")
                    .tags(own)
                    .strongReference(true)
                    .register(registry);
            TimeGauge.builder("seriatim.exhaustion", usage, TimeUnit.SECONDS, Usage::secondsLeft)
                    .description("Time until the last value is reserved, at the recent rate")
                    .tags(own)
                    .strongReference(true)
                    .register(registry);
        }

        private void showFailures(MeterRegistry registry, String kind, LongAdder count) {
            FunctionCounter.builder("seriatim.failures", count, LongAdder::sum)
                    .description("Failed store calls")
                    .baseUnit("failures")
                    .tags(own.and("exception", kind))
                    .register(registry);
        }

        private void counter(MeterRegistry registry, String meter, String what, LongAdder count) {
            FunctionCounter.builder(meter, count, LongAdder::sum)
                    .description(what)
                    .baseUnit("values")
                    .tags(own)
                    .register(registry);
        }

        private Timer timer(MeterRegistry registry, String meter, String what) {
            return Timer.builder(meter).description(what).tags(own).register(registry);
        }
    }
}
