// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.dispatch;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A step that is taken once, by whoever comes first: an executor may throw although it has taken the work, and run it later.
 * Thread-safe.
 */
public final class Once implements Runnable {

    private final Runnable step;
    private final AtomicBoolean taken = new AtomicBoolean();

    public Once(Runnable step) {
        this.step = step;
    }

    /** Whether the step is the caller's to take, or to do without. */
    public boolean first() {
        return !taken.getAndSet(true);
    }

    @Override
    public void run() {
        if (first()) {
            step.run();
        }
    }
}
