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

    // Its own thread's:
    private long deadline;
    private boolean hasWorked;

    Member(long patienceNanos) {
        deadline = System.nanoTime() + patienceNanos;
    }

    /** Waits for news or for the deadline; returns early now and then. */
    void await() {
        LockSupport.parkNanos(this, deadline - System.nanoTime());
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
}
