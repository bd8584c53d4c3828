// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.simulation;

/** A process that draws in one mode. Used by one thread. */
abstract class Instance {

    /**
     * What it has reserved and not dealt, under way from the row included: what a crash of it would lose.
     *
     * @param count how many
     * @param lowest the lowest of them; {@link Long#MAX_VALUE} when there are none
     * @param dealt the highest value that it has dealt
     */
    record Hand(long count, long lowest, long dealt) {
        static final Hand EMPTY = new Hand(0, Long.MAX_VALUE, 0);
    }

    final Timeline timeline;
    final Link link;
    final SimulatedCallers callers;
    final InHandTally tally;

    /** Which plan holds; those before it have been overtaken. */
    private long plan;

    Instance(Link link, SimulatedCallers callers, InHandTally tally) {
        this.timeline = link.timeline();
        this.link = link;
        this.callers = callers;
        this.tally = tally;
    }

    /** Plans what it does first. */
    abstract void begin();

    /** The end: what was drawn from memory since the last event is counted too. */
    void end(long now) {}

    /** What it has in hand; changes nothing. */
    abstract Hand hand(long now);

    /** Plans what it does next, in place of what it had planned before. */
    final void next(long time, Runnable what) {
        long mine = ++plan;
        timeline.at(time, () -> {
            if (mine == plan) {
                what.run();
            }
        });
    }
}
