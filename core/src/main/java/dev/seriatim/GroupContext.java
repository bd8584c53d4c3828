// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** What a grouped sequence works with: its name, its store, and what its {@link Sequences} shares. Thread-safe. */
record GroupContext<T>(
        String name,
        GroupingStore<T> store,
        Listeners listener,
        Executor executor,
        Duration patience,
        Runnable onClose) {

    /** Runs a step on a thread that nobody interrupts; on this one only when the executor takes no more work. */
    void hand(Runnable step) {
        try {
            executor.execute(step);
        } catch (RejectedExecutionException e) {
            step.run();
        }
    }

    long patienceNanos() {
        return patience.toNanos();
    }
}
