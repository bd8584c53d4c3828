// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.dispatch;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads on which reservations run: as many as there are reservations under way, which every sequence bounds for
 * itself; daemons, gone after 10 s of idleness, never interrupted. Thread-safe.
 */
public final class RefillThreads implements Executor, AutoCloseable {

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final ExecutorService threads = new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), RefillThreads::thread);

    @Override
    public void execute(Runnable reservation) {
        threads.execute(reservation);
    }

    /** Takes no more work; what is under way goes on, since interrupting it may break the driver under it. */
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
