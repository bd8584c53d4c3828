// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import dev.seriatim.verify.worker.WorkerProcess.Lane;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads the reports of all lanes on a thread of its own, and passes them to the watches. Thread-safe. */
final class RingReader implements AutoCloseable {

    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    /** Fair, because the reader takes it again at once. */
    private final ReentrantLock lock = new ReentrantLock(true);

    private final List<ReadLane> lanes = new ArrayList<>();
    private final Thread thread;
    private volatile boolean closing;
    private volatile @Nullable Throwable failure;

    RingReader() {
        thread = new Thread(this::run, "verify-reader");
        thread.setDaemon(true);
        thread.start();
    }

    /** Adds a lane, which does not draw yet. */
    void add(Watch watch, Lane lane, String name) {
        locked(() -> lanes.add(new ReadLane(watch, lane.ring(), name)));
    }

    /** Runs a task while nothing is read. */
    <T> T locked(Supplier<T> task) {
        lock.lock();
        try {
            return task.get();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the lanes that have not ended. */
    List<ReadLane> lanes() {
        return locked(() -> List.copyOf(lanes));
    }

    /** Waits until all lanes have ended and all reports are checked; {@link #checkAlive} if they could not be. */
    void awaitEnd() throws InterruptedException {
        while (!lanes().isEmpty() && failure == null) {
            TimeUnit.NANOSECONDS.sleep(PAUSE_NANOS);
        }
        checkAlive();
    }

    /** @throws IllegalStateException if the reader has failed */
    void checkAlive() {
        Throwable cause = failure;
        if (cause != null) {
            throw new IllegalStateException("the draws cannot be checked any more (" + cause + ")", cause);
        }
    }

    private void run() {
        try {
            while (!closing) {
                boolean any = locked(this::pass);
                if (!any) {
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }
        } catch (Throwable e) { // such as an OutOfMemoryError: checkAlive reports it
            failure = e;
        }
    }

    /** Returns whether there were reports. */
    private boolean pass() {
        boolean any = false;
        for (Iterator<ReadLane> each = lanes.iterator(); each.hasNext(); ) {
            ReadLane lane = each.next();
            long before = lane.taken;
            if (!lane.read()) {
                each.remove();
            }
            any |= lane.taken != before;
        }
        return any;
    }

    @Override
    public void close() {
        closing = true;
        try {
            thread.join(TimeUnit.SECONDS.toMillis(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
