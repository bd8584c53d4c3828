// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.micrometer;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The meters of one sequence, in every registry. Registries read the totals from here; durations are pushed to their
 * timers. Thread-safe.
 */
final class SequenceMeters {

    final LongAdder reserved = new LongAdder();
    final LongAdder lost = new LongAdder();
    final LongAdder givenBack = new LongAdder();
    final LongAdder outcomeUnknown = new LongAdder();
    final Usage usage;

    private final String name;
    private final Tags tags;
    private final Map<String, LongAdder> failures = new ConcurrentHashMap<>();
    private final CopyOnWriteArrayList<Bound> bound = new CopyOnWriteArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable ToLongFunction<String> inHand;

    /** A registry, with the timers that it has. */
    private record Bound(MeterRegistry registry, Timer reservations, Timer waits) {}

    SequenceMeters(String name, Tags tags, Clock clock) {
        this.name = name;
        this.tags = tags;
        this.usage = new Usage(clock, this::showUsage);
    }

    void bindTo(MeterRegistry registry) {
        lock.lock();
        try {
            bound.add(new Bound(
                    registry,
                    timer(registry, "seriatim.reservations", "Successful reservations in the store, and their latency"),
                    timer(registry, "seriatim.waits", "Callers that had to wait for the store, and for how long")));
            counter(registry, "seriatim.reserved", "Values reserved in the store", reserved);
            counter(registry, "seriatim.lost", "Reserved values that will never be dealt", lost);
            counter(registry, "seriatim.given.back", "Reserved values given back to the store", givenBack);
            counter(registry, "seriatim.outcome.unknown", "Values that may be lost", outcomeUnknown);
            failures.forEach((kind, count) -> showFailures(registry, kind, count));
            if (usage.known()) {
                showUsage(registry);
            }
            if (inHand != null) {
                showInHand(registry, inHand);
            }
        } finally {
            lock.unlock();
        }
    }

    void took(Duration latency) {
        Each.of(bound, each -> each.reservations.record(latency));
    }

    void waited(Duration howLong) {
        Each.of(bound, each -> each.waits.record(howLong));
    }

    void failed(String kind) {
        LongAdder count = failures.get(kind);
        if (count == null) {
            count = firstFailure(kind);
        }
        count.increment();
    }

    private LongAdder firstFailure(String kind) {
        lock.lock();
        try {
            LongAdder known = failures.get(kind);
            if (known != null) {
                return known;
            }
            LongAdder count = new LongAdder();
            failures.put(kind, count);
            Each.of(bound, each -> showFailures(each.registry, kind, count));
            return count;
        } finally {
            lock.unlock();
        }
    }

    void showInHand(ToLongFunction<String> values) {
        lock.lock();
        try {
            inHand = values;
            Each.of(bound, each -> showInHand(each.registry, values));
        } finally {
            lock.unlock();
        }
    }

    private void showInHand(MeterRegistry registry, ToLongFunction<String> values) {
        Gauge.builder("seriatim.in.hand", () -> values.applyAsLong(name))
                .description("Reserved values that this process has left to deal")
                .baseUnit("values")
                .tags(tags)
                .register(registry);
    }

    /** Called once the bounds are known. */
    private void showUsage() {
        lock.lock();
        try {
            Each.of(bound, each -> showUsage(each.registry));
        } finally {
            lock.unlock();
        }
    }

    private void showUsage(MeterRegistry registry) {
        Gauge.builder("seriatim.used.ratio", usage, Usage::ratio)
                .description("How much of the range is reserved, as of the last reservation")
                .baseUnit("ratio")
                .tags(tags)
                .strongReference(true)
                .register(registry);
        TimeGauge.builder("seriatim.exhaustion", usage, TimeUnit.SECONDS, Usage::secondsLeft)
                .description("Time until the last value is reserved, at the recent rate")
                .tags(tags)
                .strongReference(true)
                .register(registry);
    }

    private void showFailures(MeterRegistry registry, String kind, LongAdder count) {
        FunctionCounter.builder("seriatim.failures", count, LongAdder::sum)
                .description("Failed calls of the store")
                .baseUnit("failures")
                .tags(tags.and("exception", kind))
                .register(registry);
    }

    private void counter(MeterRegistry registry, String meter, String what, LongAdder count) {
        FunctionCounter.builder(meter, count, LongAdder::sum)
                .description(what)
                .baseUnit("values")
                .tags(tags)
                .register(registry);
    }

    private Timer timer(MeterRegistry registry, String meter, String what) {
        return Timer.builder(meter).description(what).tags(tags).register(registry);
    }
}
