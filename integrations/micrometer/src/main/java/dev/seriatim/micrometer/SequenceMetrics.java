// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.micrometer;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceListener;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
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
 * <tr><td>{@code seriatim.exhaustion}<td>gauge<td>seconds<td>when the last value will be reserved, at the average rate
 *     of about the last ten minutes
 * <tr><td>{@code seriatim.in.hand}<td>gauge<td>values<td>see {@link #valuesInHand}
 * </table>
 *
 * <p>The two gauges of the range exist for sequences that have reserved at least once; not for those drawn only in
 * POOLED, whose reservations do not show the bounds, and they mean nothing over a store that distributes its numbers. The
 * rate is that of the counter, which all processes move. {@code seriatim.exhaustion} is NaN until two reservations have shown a rate, and infinite if the sequence
 * cycles or no longer moves. Draws in the caller's transaction (SYNC, GROUPED) and draws from memory are not counted;
 * of GROUPED, failures are.
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

    private static final int MAX_EARLY = 1_000;

    private final Tags tags;
    private final Clock clock;
    private final Map<String, SequenceMeters> sequences = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();

    // Written under the lock.
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
    public void bindTo(MeterRegistry registry) {
        lock.lock();
        try {
            if (registries.stream().anyMatch(bound -> bound == registry)) {
                return;
            }
            Each.of(sequences.values(), meters -> meters.bindTo(registry));
            while (!early.isEmpty()) {
                early.remove().run();
            }
            List<MeterRegistry> all = new ArrayList<>(registries);
            all.add(registry);
            registries = List.copyOf(all); // last, so that durations wait or are kept until then
        } finally {
            lock.unlock();
        }
    }

    /**
     * Adds the gauge {@code seriatim.in.hand}: how many reserved values this process has left to deal. The first call
     * decides; later ones have no effect.
     *
     * @param values returns that number, given the sequence's name; called whenever the gauge is read, so it must not
     *     call the store
     */
    public void valuesInHand(ToLongFunction<String> values) {
        lock.lock();
        try {
            if (inHand == null) {
                inHand = values;
                Each.of(sequences.values(), meters -> meters.showInHand(values));
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void reserved(String sequence, Block block, Duration took) {
        SequenceMeters meters = of(sequence);
        meters.reserved.add(block.count());
        timed(() -> meters.took(took));
    }

    @Override
    public void reserved(String sequence, Block block, Duration took, SequenceDefinition definition) {
        of(sequence).usage.reserved(block, took, definition);
        reserved(sequence, block, took);
    }

    @Override
    public void waited(String sequence, Duration howLong) {
        SequenceMeters meters = of(sequence);
        timed(() -> meters.waited(howLong));
    }

    @Override
    public void failed(String sequence, SequenceException failure) {
        of(sequence).failed(failure.getClass().getSimpleName());
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
        SequenceMeters meters = of(sequence);
        meters.givenBack.add(values.count());
        meters.usage.givenBack(values);
    }

    /** Keeps durations that come before the first registry, since a timer cannot take them later as a sum. */
    private void timed(Runnable recording) {
        if (registries.isEmpty()) {
            lock.lock();
            try {
                if (registries.isEmpty()) {
                    if (early.size() < MAX_EARLY) {
                        early.add(recording);
                    }
                    return;
                }
            } finally {
                lock.unlock();
            }
        }
        recording.run();
    }

    private SequenceMeters of(String sequence) {
        SequenceMeters known = sequences.get(sequence);
        return known == null ? added(sequence) : known;
    }

    private SequenceMeters added(String sequence) {
        lock.lock();
        try {
            SequenceMeters known = sequences.get(sequence);
            if (known != null) {
                return known;
            }
            SequenceMeters meters = new SequenceMeters(sequence, tags.and("sequence", sequence), clock);
            if (inHand != null) {
                meters.showInHand(inHand);
            }
            Each.of(registries, meters::bindTo);
            sequences.put(sequence, meters); // last, so that no event comes before its timers
            return meters;
        } finally {
            lock.unlock();
        }
    }
}
