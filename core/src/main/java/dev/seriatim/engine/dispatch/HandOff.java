// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.dispatch;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A step given to an executor. The executor may throw although it has taken the work, as a thread pool does that has queued it, and
 * run it later: whoever comes first, the executor or the thread that handed the step over, takes it. Thread-safe.
 */
final class HandOff implements Runnable {

    private final Step step;
    private final AtomicBoolean taken = new AtomicBoolean();

    private HandOff(Step step) {
        this.step = step;
    }

    static void of(Step step, Executor executor) {
        HandOff handOff = null;
        try {
            handOff = new HandOff(step);
            executor.execute(handOff);
        } catch (Throwable e) {
            if (isOurs(handOff)) {
                step.refused(e);
            }
        }
    }

    private static boolean isOurs(@Nullable HandOff handOff) {
        return handOff == null || handOff.takes();
    }

    private boolean takes() {
        return !taken.getAndSet(true);
    }

    @Override
    public void run() {
        if (takes()) {
            step.run();
        }
    }
}
