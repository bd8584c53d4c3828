// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.dispatch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A sequence's tasks under way, and the abandoned ones. Guarded by the sequence's lock.
 *
 * <p>A task whose connection died unnoticed may hang for a quarter of an hour, and the next task must not wait for it. An
 * abandoned task may hold a connection, so their number is bounded. A task that has not begun holds none and does not count;
 * once abandoned, it never begins.
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

    /** A task counts as hung if a step of it lasts longer than {@code maxNanos}. */
    public Tasks(Timing timing, long maxNanos, int maxUnderWay) {
        this.timing = timing;
        this.maxNanos = maxNanos;
        this.maxAbandoned = MAX_ABANDONED * maxUnderWay;
    }

    public void add(T task) {
        underWay.add(task); // first, since only this can fail
        task.calledAt = timing.now();
        task.nextStep(task.calledAt);
        starting++;
    }

    /** Called before the store is. Returns false if the task was abandoned and must not begin. */
    public boolean begin(T task) {
        if (task.abandoned) {
            return false;
        }
        task.begun = true;
        starting--;
        return true;
    }

    /** Returns whether the task was under way and not abandoned. */
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

    /** Returns the oldest task under way if it hangs and may be abandoned. */
    public @Nullable T overdue() {
        T oldest = underWay.peek();
        return oldest != null
                        && (!oldest.begun || abandoned.size() < maxAbandoned)
                        && oldest.stepLasts(timing.now()) > maxNanos
                ? oldest
                : null;
    }

    /** Stops waiting for a task under way. */
    public void abandon(T task) {
        if (task.begun) {
            abandoned.add(task);
        } else {
            starting--;
        }
        underWay.remove(task);
        task.abandoned = true;
    }

    public @Nullable T oldest() {
        return underWay.peek();
    }

    /** Whether a task under way or an abandoned task matches. */
    public boolean any(Predicate<T> matches) {
        for (T task : underWay) {
            if (matches.test(task)) {
                return true;
            }
        }
        return anyAbandoned(matches);
    }

    public boolean anyAbandoned(Predicate<T> matches) {
        for (T task : abandoned) {
            if (matches.test(task)) {
                return true;
            }
        }
        return false;
    }

    public int size() {
        return underWay.size();
    }

    public boolean isEmpty() {
        return underWay.isEmpty();
    }

    /** Returns the number of tasks under way that have not begun. */
    public int starting() {
        return starting;
    }
}
