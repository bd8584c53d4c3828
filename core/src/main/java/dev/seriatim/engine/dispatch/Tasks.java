// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.dispatch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A sequence's tasks, oldest first: those under way, and those that hang and were abandoned. Guarded by the sequence's lock.
 *
 * <p>A task whose connection died unnoticed may hang for a quarter of an hour, and the next must not wait for it. An abandoned task
 * may hold a connection, so their number is bounded. One that has not begun, since the executor is stuck or has dropped it, holds
 * none and does not count; it never begins.
 */
public final class Tasks<T extends Task> {

    /** Maximum hung tasks, per task that may be under way, to abandon before new ones must wait. */
    private static final int MAX_ABANDONED = 3;

    private final Timing timing;
    private final long maxNanos;
    private final int maxAbandoned;
    private final ArrayDeque<T> underWay = new ArrayDeque<>();
    private final List<T> abandoned = new ArrayList<>();
    private int starting;

    /**
     * @param maxNanos a step that takes longer hangs
     * @param maxUnderWay how many tasks may be under way at a time
     */
    public Tasks(Timing timing, long maxNanos, int maxUnderWay) {
        this.timing = timing;
        this.maxNanos = maxNanos;
        this.maxAbandoned = MAX_ABANDONED * maxUnderWay;
    }

    /** Adds a task that is called for. */
    public void add(T task) {
        underWay.add(task); // the one step here that can fail
        task.calledAt = timing.now();
        task.nextStep(task.calledAt);
        starting++;
    }

    /** Marks a task begun, before the store is asked; returns false if it was abandoned and must not begin. */
    public boolean begin(T task) {
        if (task.abandoned) {
            return false;
        }
        task.begun = true;
        starting--;
        return true;
    }

    /** Removes a task that has ended; returns whether it was under way, and not abandoned. */
    public boolean end(T task) {
        if (task.abandoned) {
            abandoned.remove(task);
            return false;
        }
        boolean wasUnderWay = underWay.remove(task);
        if (wasUnderWay && !task.begun) {
            starting--;
        }
        return wasUnderWay;
    }

    /** The oldest task under way, if it hangs and may be abandoned. */
    public @Nullable T overdue() {
        T oldest = underWay.peek();
        return oldest != null
                        && (!oldest.begun || abandoned.size() < maxAbandoned)
                        && oldest.stepLasts(timing.now()) > maxNanos
                ? oldest
                : null;
    }

    /** Waits for a task under way no longer. */
    public void abandon(T task) {
        if (task.begun) {
            abandoned.add(task);
        } else {
            starting--;
        }
        underWay.remove(task);
        task.abandoned = true;
    }

    /** The one that has been under way longest, or null. */
    public @Nullable T oldest() {
        return underWay.peek();
    }

    /** Whether something holds for one of those under way, or of those that hang. */
    public boolean any(Predicate<T> holds) {
        for (T task : underWay) {
            if (holds.test(task)) {
                return true;
            }
        }
        return anyAbandoned(holds);
    }

    /** Whether something holds for one of those that hang. */
    public boolean anyAbandoned(Predicate<T> holds) {
        for (T task : abandoned) {
            if (holds.test(task)) {
                return true;
            }
        }
        return false;
    }

    /** How many are under way. */
    public int size() {
        return underWay.size();
    }

    public boolean isEmpty() {
        return underWay.isEmpty();
    }

    /** How many of those under way have not begun. */
    public int starting() {
        return starting;
    }
}
