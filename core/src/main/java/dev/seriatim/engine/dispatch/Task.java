// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.dispatch;

/** A sequence's call to its store: a reservation, a refill or a shared transaction. Guarded by the sequence's lock. */
public abstract class Task {

    long calledAt;
    long stepBegan;
    boolean begun;
    boolean abandoned;

    /** Returns when the task became due. */
    public final long calledAt() {
        return calledAt;
    }

    /** Whether the store may have been called. */
    public final boolean begun() {
        return begun;
    }

    /** Whether the task hung and is no longer waited for. Its result is still used when it arrives. */
    public final boolean abandoned() {
        return abandoned;
    }

    /** The next of several steps begins. Only a step can time out. */
    protected final void nextStep(long now) {
        stepBegan = now;
    }

    /** Returns how long the current step has lasted, in nanoseconds. */
    public final long stepLasts(long now) {
        return now - stepBegan;
    }
}
