// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.dispatch;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that call the store. Their number is unbounded here because each sequence bounds its own calls. They are daemons,
 * end after 10 s without work, and are never interrupted. Thread-safe.
 */
public final class RefillThreads implements Executor, AutoCloseable {

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final ExecutorService threads = new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), RefillThreads::thread);

    @Override
    public void execute(Runnable reservation) {
        threads.execute(reservation);
    }

    /** Accepts no more work. Calls under way continue, because an interrupt may break the driver. */
    @Override
    public void close() {
        threads.shutdown();
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "seriatim-refill-" + NUMBER.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }
}
