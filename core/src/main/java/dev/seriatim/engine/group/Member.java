// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.group;

import dev.seriatim.engine.dispatch.Timing;
import java.util.concurrent.TimeUnit;
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
        /** The rollback has been sent; it says whether the unit may run again. */
        RETURNING,
        COMMITTED,
        /** Its unit threw, and nothing of it is left. */
        UNDONE,
        FAILED
    }

    /** Conflicts of a member's own unit after which it runs apart. */
    private static final int OWN_CONFLICTS = 2;

    /** Groups lost to a conflict at their commit after which a member runs alone, to find out whether it causes them. */
    private static final int LOST_GROUPS = 6;

    /** How long beyond its deadline a member waits to hear what a rollback says, which takes a round trip. */
    private static final long LAST_WORD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final int RUNS_NOT_COUNTED = 3;

    private static final long FIRST_PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
    private static final int LONGEST_PAUSE_SHIFT = 9;

    private final Timing timing;
    final Thread thread = Thread.currentThread();
    final long joined;
    volatile Place place = Place.WAITING;

    /** The group in which it was called, has run, or is being committed. */
    @Nullable
    Group<T> group;

    /** How many times the store had answered when it joined. */
    long answersBefore;

    /** Its unit has been run, in this group or in one that was lost. */
    boolean begun;

    /** It must have a transaction to itself, so that a failure can be laid at its own door. */
    boolean alone;

    /** How often its own unit was in conflict with another session, and with what. */
    int conflicts;

    @Nullable
    Throwable conflict;

    @Nullable
    RuntimeException failure;

    private int lostGroups;

    // Its own thread's:
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

    /** Waits for news, for the deadline, or for the moment to see after the step that everybody waits for; may return early. */
    void await() {
        long left = deadline + (place == Place.RETURNING ? LAST_WORD_NANOS : 0) - timing.now();
        timing.park(this, Math.min(left, patienceNanos / 8));
    }

    /** How long it still waits. */
    long nanosLeft() {
        return deadline - timing.now();
    }

    void wake() {
        timing.unpark(thread);
    }

    boolean givesUp() {
        long left = nanosLeft();
        if (place == Place.RETURNING) {
            // Whether its work may be committed is worth a moment, even to one who was interrupted.
            interrupted |= Thread.interrupted();
            return left + LAST_WORD_NANOS <= 0;
        }
        staysInterrupted();
        return left <= 0 || thread.isInterrupted();
    }

    /** Gives back the interrupt that had to wait for the store's last word. */
    void staysInterrupted() {
        if (interrupted) {
            interrupted = false;
            thread.interrupt();
        }
    }

    /** What it waits for now has a patience of its own: that its unit, which threw, is undone. */
    void untilUndone() {
        deadline = timing.now() + patienceNanos;
    }

    /** Its own work is not waiting, nor is a repetition that others have caused; but it must come to an end some day. */
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

    /** Its own unit was in conflict with another session: nothing unusual once, but it must not stop the others for ever. */
    void conflicted(Throwable why) {
        conflict = why;
        conflicts++;
        alone |= standsApart();
    }

    /** Its group was lost to a conflict at the commit, perhaps its own. */
    void lostItsGroup() {
        lostGroups++;
        alone |= lostGroups >= LOST_GROUPS;
    }

    /** Whether it runs behind the others, after a pause of its own. */
    boolean standsApart() {
        return conflicts >= OWN_CONFLICTS;
    }

    /** How long it pauses before it queues behind the others. */
    long pauseNanos() {
        long pause = FIRST_PAUSE_NANOS << Math.min(conflicts - OWN_CONFLICTS, LONGEST_PAUSE_SHIFT);
        return pause / 2 + timing.jitter(pause);
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
}
