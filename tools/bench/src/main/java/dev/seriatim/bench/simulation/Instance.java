// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.simulation;

/** A process that draws in one mode. Used by one thread. */
abstract class Instance {

    /**
     * Values reserved but not dealt, including those on their way from the row: what a crash would lose.
     *
     * @param lowest the lowest of them; {@link Long#MAX_VALUE} if there are none
     * @param dealt the highest value dealt
     */
    record Hand(long count, long lowest, long dealt) {
        static final Hand EMPTY = new Hand(0, Long.MAX_VALUE, 0);
    }

    /** What all instances share. */
    record Shared(SimulationPlan plan, Timeline timeline, SimulatedRow row, Tally tally) {}

    final SimulationPlan plan;
    final Timeline timeline;
    final SimulatedRow row;
    final Tally tally;

    /** The time of a call through the network, in each direction. */
    final long tripNanos;

    final SimulatedCallers callers;

    /** The current event; earlier ones are void. */
    private long current;

    Instance(Shared shared, long tripNanos, SimulatedCallers callers) {
        this.plan = shared.plan;
        this.timeline = shared.timeline;
        this.row = shared.row;
        this.tally = shared.tally;
        this.tripNanos = tripNanos;
        this.callers = callers;
    }

    abstract void begin();

    /** Ends: counts the draws from memory since the last event. */
    void end(long now) {}

    /** Returns the values that are reserved but not dealt; has no side effect. */
    abstract Hand hand(long now);

    /** Returns the arrival of the caller that has waited longest; {@code now} if none waits. Has no side effect. */
    long waitingSince(long now) {
        return callers.waitingSince(now);
    }

    /** Plans the next event, instead of the one planned before. */
    final void next(long time, Runnable what) {
        long mine = ++current;
        timeline.at(time, () -> {
            if (mine == current) {
                what.run();
            }
        });
    }
}
