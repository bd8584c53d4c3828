// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.bench.session;

import dev.seriatim.lab.bench.load.StopSignal;
import dev.seriatim.lab.bench.site.ScratchSequence;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Turns the end of the process, such as by Ctrl-C, into a stop signal, and delays it for up to 30 s, until the benchmark has
 * reported and cleaned up and closes this. Thread-safe.
 */
public final class Interruption implements AutoCloseable {

    private static final long LONGEST_SECONDS = 30;

    private final CountDownLatch cleanedUp = new CountDownLatch(1);
    private final Thread hook;

    public Interruption(StopSignal stop) {
        hook = new Thread(() -> stopAndWait(stop), "bench-stop");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private void stopAndWait(StopSignal stop) {
        stop.set();
        try {
            boolean inTime = cleanedUp.await(LONGEST_SECONDS, TimeUnit.SECONDS);
            if (!inTime) {
                System.err.println("seriatim: the store does not answer; sequences named " + ScratchSequence.PREFIX
                        + "… may be left in it, drop them");
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
