// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Injects faults one after another, on a thread of its own. The same seed and faults give the same order. Each round contains every
 * fault once, in another order, so that a short run misses none. Thread-safe.
 */
public final class Injector implements AutoCloseable {

    /** The factor of pauses after enough faults. */
    private static final int SLOWER = 10;

    private final SplittableRandom random;
    private final List<InjectedFault> faults;
    private final Duration shortestPause;
    private final Duration longestPause;
    private final BooleanSupplier enough;
    private final List<InjectedFault> round = new ArrayList<>();
    private final Map<String, Long> counts = new ConcurrentSkipListMap<>();
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Thread thread;
    private volatile @Nullable Throwable failure;

    /**
     * @param faults at least one; a fault that is listed twice is injected twice a round
     * @param shortestPause the least time from the end of a fault to the next one
     */
    public Injector(
            String name,
            long seed,
            List<InjectedFault> faults,
            Duration shortestPause,
            Duration longestPause,
            BooleanSupplier enough) {
        this.random = new SplittableRandom(seed);
        this.faults = faults;
        this.shortestPause = shortestPause;
        this.longestPause = longestPause;
        this.enough = enough;
        thread = new Thread(this::run, "verify-" + name);
        thread.setDaemon(true);
    }

    /** A fault to inject after a pause, with dice of its own, so that its use of chance does not change the order. */
    record Turn(Duration pause, InjectedFault fault, RandomGenerator dice) {}

    Turn next() {
        if (round.isEmpty()) {
            round.addAll(faults);
        }
        Duration pause = between(random, shortestPause, longestPause);
        InjectedFault fault = round.remove(random.nextInt(round.size()));
        return new Turn(pause, fault, random.split());
    }

    /** Returns a duration from the shortest to the longest, to the microsecond. */
    static Duration between(RandomGenerator dice, Duration shortest, Duration longest) {
        long span = longest.minus(shortest).toNanos() / 1_000;
        return shortest.plusNanos(dice.nextLong(span + 1) * 1_000);
    }

    public void start() {
        thread.start();
    }

    private void run() {
        try {
            Turn turn = next();
            while (!stopping.await(
                    turn.pause().toNanos() * (enough.getAsBoolean() ? SLOWER : 1), TimeUnit.NANOSECONDS)) {
                turn.fault().injection().inject(turn.dice());
                counts.merge(turn.fault().name(), 1L, Long::sum);
                turn = next();
            }
        } catch (InterruptedException e) {
            // close does not wait for the current fault
        } catch (Throwable e) { // an Error, too: without faults, the run would prove less than it claims
            failure = e;
        }
    }

    /** Returns the faults so far, by name. */
    public Map<String, Long> counts() {
        return Collections.unmodifiableMap(counts);
    }

    /** Throws the failure that has ended it, if any. */
    public void checkAlive() {
        Throwable cause = failure;
        if (cause instanceof RuntimeException known) {
            throw known;
        }
        if (cause != null) {
            throw new IllegalStateException("no further fault can be injected (" + cause + ")", cause);
        }
    }

    /** Waits for the end of the current fault, and injects no other. */
    public void stop() throws InterruptedException {
        stopping.countDown();
        thread.join();
    }

    @Override
    public void close() {
        stopping.countDown();
        thread.interrupt();
    }
}
