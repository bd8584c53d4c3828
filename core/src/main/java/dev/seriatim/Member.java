// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One caller's place in a {@link GroupLine}. Changed under the line's lock; its own thread may look at its place without
 * that.
 */
final class Member<T> {

    enum Place {
        /** In the line; nothing of it is in any transaction. */
        WAITING,
        /** Its turn has come; its thread has not taken it yet. */
        CALLED,
        /** Its unit runs. */
        RUNNING,
        /** Its unit has run; the group is still open. */
        RAN,
        /** The commit has been sent. */
        SENT,
        COMMITTED,
        FAILED
    }

    final Thread thread = Thread.currentThread();
    volatile Place place = Place.WAITING;

    /** The group in which it was called, has run, or is being committed. */
    @Nullable
    Group<T> group;

    /** How many groups had been committed when it joined. */
    long commitsBefore;

    /** Its unit has been run, in this group or in one that was lost. */
    boolean begun;

    /** It must have a transaction to itself, so that a failure can be laid at its own door. */
    boolean alone;

    @Nullable
    RuntimeException failure;

    /** Its thread stays awake. */
    private volatile @Nullable Vigil vigil;

    // Its own thread's:
    private long deadline;
    private boolean hasWorked;

    Member(long patienceNanos) {
        deadline = System.nanoTime() + patienceNanos;
    }

    /** Waits for news or for the deadline; returns early now and then. */
    @SuppressWarnings("ThreadPriorityCheck") // only how fast it is depends on the scheduler
    void await() {
        Vigil watch = vigil;
        if (watch == null) {
            LockSupport.parkNanos(this, deadline - System.nanoTime());
        } else if (place == Place.WAITING && watch.lasts()) {
            watch.rouseInTime();
            Thread.yield(); // whoever has work to do goes first
        } else {
            vigil = null;
        }
    }

    /**
     * Its turn is next, when a unit that has begun ends. It stays awake until then, and rouses the one after it half way, so
     * that neither waking costs those time who have the turn.
     *
     * @param usual how long units take, in nanoseconds
     */
    void expect(long usual, @Nullable Member<T> after) {
        long now = System.nanoTime();
        keepAwake(new Vigil(now + 4 * usual, now + usual / 2, after));
    }

    private void keepAwake(Vigil watch) {
        boolean asleep = vigil == null;
        vigil = watch;
        if (asleep) {
            wake();
        }
    }

    void wake() {
        LockSupport.unpark(thread);
    }

    boolean givesUp() {
        return deadline - System.nanoTime() <= 0 || thread.isInterrupted();
    }

    /** Its own work is not waiting; but a unit that has to be repeated must come to an end some day. */
    void worked(long nanos) {
        if (!hasWorked) {
            hasWorked = true;
            deadline += nanos;
        }
    }

    void calledTo(Group<T> its) {
        group = its;
        place = Place.CALLED;
    }

    void fail(RuntimeException why) {
        failure = why;
        place = Place.FAILED;
    }

    /** As it was before its turn. */
    void again() {
        group = null;
        place = Place.WAITING;
    }

    /** When it ends at the latest, and when another's is to begin. */
    private static final class Vigil {
        private final long ends;
        private final long halfWay;
        private @Nullable Member<?> after;

        Vigil(long ends, long halfWay, @Nullable Member<?> after) {
            this.ends = ends;
            this.halfWay = halfWay;
            this.after = after;
        }

        boolean lasts() {
            return System.nanoTime() - ends < 0;
        }

        void rouseInTime() {
            Member<?> next = after;
            if (next != null && System.nanoTime() - halfWay >= 0) {
                after = null;
                next.keepAwake(new Vigil(ends, ends, null));
            }
        }
    }
}
