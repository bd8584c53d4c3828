// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.conservation;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** What happens in a round, by its seed: what is picked, and whether a failure strikes. Thread-safe. */
public final class Chance {

    private final SplittableRandom random;
    private final int failures;
    private final AtomicBoolean calm;

    /** A third of the seeds has no failures; the others have up to 20 % in each call. */
    public Chance(long seed) {
        random = new SplittableRandom(seed);
        failures = random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(20);
        calm = new AtomicBoolean();
    }

    private Chance(SplittableRandom random, int failures, AtomicBoolean calm) {
        this.random = random;
        this.failures = failures;
        this.calm = calm;
    }

    /** Another one for one thread or one purpose, which depends on nothing but the seed. */
    public synchronized Chance split() {
        return new Chance(random.split(), failures, calm);
    }

    /** 0 … bound - 1. */
    public synchronized int pick(int bound) {
        return random.nextInt(bound);
    }

    /** Whether it is this time's turn, as it is every so many times. */
    public boolean oneIn(int times) {
        return pick(times) == 0;
    }

    /** Whether this call fails. */
    public boolean strikes() {
        return pick(100) < failures && !calm.get();
    }

    /** Nothing fails any more, in none that was split from the same. */
    public void calm() {
        calm.set(true);
    }

    /** Whether nothing fails any more. */
    public boolean isCalm() {
        return calm.get();
    }

    /** How many of 100 calls fail. */
    int failures() {
        return failures;
    }

    /** A short while. */
    public void pause(int microsAtMost) {
        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(pick(microsAtMost)));
    }
}
