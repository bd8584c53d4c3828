// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for effects of another process. */
final class Waiting {
    private static final long PAUSE_MILLIS = 20;

    private Waiting() {}

    static void until(Duration patience, String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("waited " + patience.toSeconds() + " s in vain for " + what);
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting", e);
        }
    }
}
