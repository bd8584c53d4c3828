// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.group;

import dev.seriatim.UnitStart;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.engine.dispatch.Listeners;
import dev.seriatim.engine.dispatch.Once;
import dev.seriatim.engine.dispatch.Timing;
import dev.seriatim.store.GroupingStore;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** What a grouped sequence works with: its name, its store, and what its {@link StoreSequences} shares. Thread-safe. */
public record GroupContext<T>(
        String name,
        GroupingStore<T> store,
        UnitStart<? super T> start,
        Listeners listener,
        Executor executor,
        Timing timing,
        Duration patience,
        Runnable onClose) {

    /** Nothing is done before a unit. */
    public static final UnitStart<Object> NO_START = transaction -> {};

    /** Runs a step on a thread that nobody interrupts; on this one when there is none: what has been begun must be ended. */
    void hand(Runnable step) {
        hand(step, noThread -> step.run());
    }

    /**
     * Runs a step on a thread that nobody interrupts. Never throws: what the executor throws goes to {@code otherwise}. One of the two
     * happens, and once, also where the executor throws although it has taken the work, as a thread pool does that has queued it.
     *
     * <p>Not on this thread, where a step may wait: it can be a caller's, who may be called to a turn that is waited for.
     */
    void hand(Runnable step, Consumer<Throwable> otherwise) {
        Once once = new Once(step);
        try {
            executor.execute(once);
        } catch (Throwable e) {
            if (once.first()) {
                otherwise.accept(e);
            }
        }
    }

    /** Runs a step after a pause, or at once when that cannot be arranged. */
    void handAfter(long pauseNanos, Runnable step) {
        try {
            timing.after(pauseNanos, () -> hand(step));
        } catch (Throwable e) {
            step.run();
        }
    }

    long patienceNanos() {
        return patience.toNanos();
    }
}
