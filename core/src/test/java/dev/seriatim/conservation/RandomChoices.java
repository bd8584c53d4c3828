// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.conservation;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** The random choices of a round, from its seed: what is picked, and whether a call fails. Thread-safe. */
public final class RandomChoices {

    private final SplittableRandom random;
    private final int failures;
    private final AtomicBoolean calm;

    /** A third of the seeds has no failures; with the others, up to 20 % of calls fail. */
    public RandomChoices(long seed) {
        random = new SplittableRandom(seed);
        failures = random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(20);
        calm = new AtomicBoolean();
    }

    private RandomChoices(SplittableRandom random, int failures, AtomicBoolean calm) {
        this.random = random;
        this.failures = failures;
        this.calm = calm;
    }

    /** Returns a new instance for one thread or purpose, which depends only on the seed. */
    public synchronized RandomChoices split() {
        return new RandomChoices(random.split(), failures, calm);
    }

    /** Returns a number from 0 to bound - 1. */
    public synchronized int pick(int bound) {
        return random.nextInt(bound);
    }

    /** Returns true once in {@code times} on average. */
    public boolean oneIn(int times) {
        return pick(times) == 0;
    }

    /** Returns whether this call fails. */
    public boolean strikes() {
        return pick(100) < failures && !calm.get();
    }

    /** Ends all failures, also in instances split from the same seed. */
    public void calm() {
        calm.set(true);
    }

    /** Returns whether failures have ended. */
    public boolean isCalm() {
        return calm.get();
    }

    /** Returns the percentage of calls that fail. */
    int failures() {
        return failures;
    }

    /** Pauses for a random time. */
    public void pause(int microsAtMost) {
        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(pick(microsAtMost)));
    }
}
