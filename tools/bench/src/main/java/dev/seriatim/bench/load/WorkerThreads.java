// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.load;

import dev.seriatim.cli.option.StopSignal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Runs workers on threads. Thread-safe. */
final class WorkerThreads {

    private static final long LOOK_EVERY_MILLIS = 200;

    private final StopSignal stop;

    WorkerThreads(StopSignal stop) {
        this.stop = stop;
    }

    /**
     * Runs each worker on its own thread, and returns when all have ended. If interrupted, it signals them to stop and waits
     * for them: threads inside a database driver are never interrupted.
     *
     * @param whileWaiting called a few times per second
     */
    List<Worker> work(int threads, IntFunction<Worker> recruit, Consumer<Worker> task, Runnable whileWaiting) {
        List<Worker> workers = new ArrayList<>();
        List<Thread> running = new ArrayList<>();
        AtomicReference<@Nullable Throwable> crash = new AtomicReference<>();
        for (int i = 0; i < threads; i++) {
            Worker worker = recruit.apply(i);
            workers.add(worker);
            Thread thread = new Thread(() -> doOne(worker, task, crash), "bench-" + (i + 1));
            thread.setDaemon(true);
            running.add(thread);
        }
        running.forEach(Thread::start);
        running.forEach(thread -> await(thread, whileWaiting));
        Throwable crashed = crash.get();
        if (crashed != null) {
            throw new IllegalStateException("a benchmark thread failed: " + crashed, crashed);
        }
        return workers;
    }

    private void doOne(Worker worker, Consumer<Worker> task, AtomicReference<@Nullable Throwable> crash) {
        try {
            task.accept(worker);
        } catch (Throwable e) { // such as out of memory: without it, the others would wait forever
            crash.compareAndSet(null, e);
            stop.set();
        } finally {
            worker.ended = System.nanoTime();
        }
    }

    private void await(Thread thread, Runnable whileWaiting) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join(LOOK_EVERY_MILLIS);
            } catch (InterruptedException e) {
                interrupted = true;
                stop.set();
            }
            whileWaiting.run();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
