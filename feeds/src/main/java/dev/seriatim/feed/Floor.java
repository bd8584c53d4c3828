// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.feed;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * An arrival at or below which nothing can appear in the inbox any more, so that a pass need not step over rows that it deleted
 * and that an old snapshot keeps from being vacuumed. The search for 600,000 such rows took 73 ms, from the floor 0.5 ms.
 *
 * <p>An <em>observation</em> reads the inbox's sequence, and then who holds a write lock on the inbox. Who has drawn an arrival
 * up to the one read, and has not ended, is among these holders. Once they all are gone, the next pass that leaves nothing over
 * has taken all up to it.
 *
 * <p>A sequence may go back in a crash, to what the last commit has made durable. So an observation counts only after a pass
 * that began later has committed rows.
 *
 * <p>Thread-safe.
 */
final class Floor {

    /** How a prepared transaction is named after a restart of the server; its name before that is unknown. */
    private static final String PREPARED = "-1/";

    /** While a holder does not end, more observations are of no use. */
    private static final int MOST = 100;

    /**
     * @param arrival the last value of the inbox's sequence
     * @param holders the virtual transactions that held a write lock on the inbox after that
     * @param server identifies the run of the server
     */
    record Observation(long arrival, Set<String> holders, String server) {}

    private static final class Seen {
        private final Observation observation;
        private boolean durable;

        Seen(Observation observation) {
            this.observation = observation;
        }

        boolean isOver(Set<String> now) {
            return now.stream()
                    .noneMatch(holder -> observation.holders().contains(holder) || holder.startsWith(PREPARED));
        }
    }

    /** What was known when a pass began. Arrivals above the floor are to be searched. */
    record Start(long floor, long settled, long seen, long epoch) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Seen> seen = new ArrayDeque<>();
    private String server = "";
    private long epoch;
    private long settled;
    private long floor;

    /** Takes an observation, made outside transactions that write. */
    void observe(Observation now) {
        lock.lock();
        try {
            boolean wentBack = now.arrival() < floor
                    || (!seen.isEmpty()
                            && now.arrival() < seen.getLast().observation.arrival());
            if (wentBack || !now.server().equals(server)) {
                server = now.server();
                epoch++;
                seen.clear();
                settled = 0;
                floor = 0;
            }
            while (!seen.isEmpty() && seen.peek().durable && seen.peek().isOver(now.holders())) {
                settled = seen.remove().observation.arrival();
            }
            if (seen.size() < MOST
                    && now.arrival() > settled
                    && (seen.isEmpty()
                            || now.arrival() > seen.getLast().observation.arrival())) {
                seen.add(new Seen(now));
            }
        } finally {
            lock.unlock();
        }
    }

    /** Called before a pass takes its snapshot. */
    Start start() {
        lock.lock();
        try {
            return new Start(
                    floor,
                    settled,
                    seen.isEmpty() ? 0 : seen.getLast().observation.arrival(),
                    epoch);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Called after a pass whose commit is certain.
     *
     * @param moved whether it gave positions
     * @param full whether it may have left rows over
     */
    void passed(Start start, boolean moved, boolean full) {
        lock.lock();
        try {
            if (start.epoch() != epoch) {
                return;
            }
            if (moved) {
                seen.stream()
                        .filter(each -> each.observation.arrival() <= start.seen())
                        .forEach(each -> each.durable = true);
            }
            if (!full) {
                floor = Math.max(floor, start.settled());
            }
        } finally {
            lock.unlock();
        }
    }
}
