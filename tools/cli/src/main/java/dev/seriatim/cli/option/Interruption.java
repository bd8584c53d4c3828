// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.option;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Turns the end of the process, such as by Ctrl-C, into a stop signal, and delays it for up to 30 s, until the command
 * has reported and cleaned up and closes this. Thread-safe.
 */
public final class Interruption implements AutoCloseable {

    private static final long LONGEST_SECONDS = 30;

    private final CountDownLatch cleanedUp = new CountDownLatch(1);
    private final AtomicBoolean stop;
    private final String namePrefix;
    private final Thread hook;

    /** Begins to wait. If what the command creates remains, the message names its prefix, which is empty if it creates nothing. */
    public Interruption(AtomicBoolean stop, String namePrefix) {
        this.stop = stop;
        this.namePrefix = namePrefix;
        hook = new Thread(this::stopAndWait, "seriatim-stop");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private void stopAndWait() {
        stop.set(true);
        try {
            boolean inTime = cleanedUp.await(LONGEST_SECONDS, TimeUnit.SECONDS);
            if (!inTime) {
                String left = namePrefix.isEmpty() ? "" : """
                        ; sequences or tables named %s… may be left in it, drop them""".formatted(namePrefix);
                System.err.println("seriatim: the store does not answer" + left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        cleanedUp.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is already ending, and the hook has been released.
        }
    }
}
