// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.group;

import dev.seriatim.engine.dispatch.Timing;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One caller in a {@link GroupLine}. Changed under the line's lock; its own thread may read its place without the lock. */
final class Member<T> {

    enum Place {
        /** In the line; none of its work is in a transaction. */
        WAITING,
        /** Its turn has come, and its thread has not taken the turn yet. */
        CALLED,
        /** Its unit runs. */
        RUNNING,
        /** Its unit has run; the group is still open. */
        RAN,
        /** The commit has been sent. */
        SENT,
        /** The rollback has been sent; its result decides whether the unit may run again. */
        RETURNING,
        COMMITTED,
        /** Its unit threw and has been undone. */
        UNDONE,
        FAILED
    }

    /** Conflicts of a member's own unit after which it runs apart. */
    private static final int OWN_CONFLICTS = 2;

    /** Groups lost at the commit after which a member runs alone, which shows whether it causes the conflicts. */
    private static final int LOST_GROUPS = 6;

    /** How long beyond its deadline a member waits for the result of a rollback, which takes a round trip. */
    private static final long ROLLBACK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Runs whose own duration extends the deadline: the first, and two that other callers have caused. */
    private static final int RUNS_NOT_COUNTED = 3;

    private static final long FIRST_PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
    private static final int LONGEST_PAUSE_SHIFT = 9;

    private final Timing timing;
    final Thread thread = Thread.currentThread();
    final long joined;
    volatile Place place = Place.WAITING;

    @Nullable
    Group<T> group;

    /** The number of the store's answers when the member joined. */
    long answersBefore;

    /** Its unit has run, if only in a lost group: closing still serves it. */
    boolean begun;

    /** It must run alone in a transaction, so that a failure is certainly its own. */
    boolean alone;

    int conflicts;

    @Nullable
    Throwable conflict;

    @Nullable
    RuntimeException failure;

    private int lostGroups;

    // Used by its own thread only:
    private final long patienceNanos;
    private long deadline;
    private int runs;
    private boolean interrupted;

    Member(Timing timing, long patienceNanos) {
        this.timing = timing;
        this.patienceNanos = patienceNanos;
        joined = timing.now();
        deadline = joined + patienceNanos;
    }

    /** Waits for a change, for the deadline, or for the next check of the current step; may return early. */
    void await() {
        long left = deadline + (place == Place.RETURNING ? ROLLBACK_NANOS : 0) - timing.now();
        timing.park(this, Math.min(left, patienceNanos / 8));
    }

    long nanosLeft() {
        return deadline - timing.now();
    }

    void wake() {
        timing.unpark(thread);
    }

    boolean givesUp() {
        long left = nanosLeft();
        if (place == Place.RETURNING) {
            // Even an interrupted caller waits briefly to learn whether its work may be committed.
            interrupted |= Thread.interrupted();
            return left + ROLLBACK_NANOS <= 0;
        }
        staysInterrupted();
        return left <= 0 || thread.isInterrupted();
    }

    /** Restores the interrupt that was delayed by the rollback. */
    void staysInterrupted() {
        if (interrupted) {
            interrupted = false;
            thread.interrupt();
        }
    }

    void untilUndone() {
        deadline = timing.now() + patienceNanos;
    }

    /** Extends the deadline by its own work, which is not waiting. Only the first runs count, so that the wait ends. */
    void worked(long nanos) {
        if (runs < (conflicts == 0 ? RUNS_NOT_COUNTED : 1)) {
            runs++;
            deadline += nanos;
        }
    }

    void calledTo(Group<T> its) {
        group = its;
        place = Place.CALLED;
    }

    /** Its own unit conflicted with another session. Repeated, this must not stop the others. */
    void conflicted(Throwable why) {
        conflict = why;
        conflicts++;
        alone |= standsApart();
    }

    /** Its group was lost to a conflict at the commit, which its own unit may have caused. */
    void lostItsGroup() {
        lostGroups++;
        alone |= lostGroups >= LOST_GROUPS;
    }

    /** Whether it runs behind the others, after a pause of its own. */
    boolean standsApart() {
        return conflicts >= OWN_CONFLICTS;
    }

    long pauseNanos() {
        long pause = FIRST_PAUSE_NANOS << Math.min(conflicts - OWN_CONFLICTS, LONGEST_PAUSE_SHIFT);
        return pause / 2 + timing.jitter(pause);
    }

    void fail(RuntimeException why) {
        failure = why;
        place = Place.FAILED;
    }

    /** Resets it to the state before its turn. */
    void again() {
        group = null;
        place = Place.WAITING;
    }
}
