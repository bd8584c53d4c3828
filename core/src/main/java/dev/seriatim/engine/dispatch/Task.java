// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.dispatch;

/** A sequence's work in its store: a reservation, a refill, a shared transaction. Guarded by the sequence's lock. */
public abstract class Task {

    long calledAt;
    long stepBegan;
    boolean begun;
    boolean abandoned;

    /** When it was called for. */
    public final long calledAt() {
        return calledAt;
    }

    /** Whether the store may have been asked. */
    public final boolean begun() {
        return begun;
    }

    /** Whether it hung, and others no longer wait for it. What it brings in the end is taken in all the same. */
    public final boolean abandoned() {
        return abandoned;
    }

    /** The next of several steps begins; only a step that takes too long hangs. */
    protected final void nextStep(long now) {
        stepBegan = now;
    }

    /** For how long its present step has lasted, in nanoseconds. */
    public final long stepLasts(long now) {
        return now - stepBegan;
    }
}
