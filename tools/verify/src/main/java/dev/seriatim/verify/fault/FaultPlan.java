// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * An endless schedule of faults: the same seed and faults give the same order. Each round contains every fault once, in another
 * order, so that a short run misses none. Not thread-safe.
 */
public final class FaultPlan implements Iterator<FaultPlan.Turn> {

    private final SplittableRandom random;
    private final List<InjectedFault> faults;
    private final Duration shortestPause;
    private final Duration longestPause;
    private final List<InjectedFault> round = new ArrayList<>();

    /**
     * @param faults a fault that is listed twice is injected twice a round
     * @param shortestPause the least time from the end of a fault to the next one
     * @param longestPause the most
     */
    public FaultPlan(long seed, List<InjectedFault> faults, Duration shortestPause, Duration longestPause) {
        if (faults.isEmpty()) {
            throw new IllegalArgumentException("no faults to plan; name at least one");
        }
        if (shortestPause.isNegative() || longestPause.compareTo(shortestPause) < 0) {
            throw new IllegalArgumentException("pauses from " + shortestPause + " to " + longestPause
                    + "; give the shorter one first, and none below 0");
        }
        this.random = new SplittableRandom(seed);
        this.faults = List.copyOf(faults);
        this.shortestPause = shortestPause;
        this.longestPause = longestPause;
    }

    /**
     * A fault to inject after a pause.
     *
     * @param dice of the fault's own, so that its use of chance does not change the plan
     */
    public record Turn(Duration pause, InjectedFault fault, RandomGenerator dice) {

        /** Injects the fault, without the pause. */
        public void inject() throws InterruptedException {
            fault.injection().inject(dice);
        }
    }

    /** Returns true: a plan never ends. */
    @Override
    public boolean hasNext() {
        return true;
    }

    @Override
    public Turn next() {
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
}
