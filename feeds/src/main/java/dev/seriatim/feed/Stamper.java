// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.feed;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Stamps the open feeds on a thread of its own. After a pass that left nothing over, it pauses for the interval; without rows, twice as
 * long each time; for a second after a failure, or while another process stamps. Thread-safe.
 */
final class Stamper implements AutoCloseable {

    private static final long LONGEST = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long OTHERS = TimeUnit.SECONDS.toNanos(1);

    private static final class Pace {
        private long due = System.nanoTime();
        private long pause;
        private boolean nudged;
    }

    private final long interval;
    private final ListenerCalls listening;
    private final Map<Passes, Pace> feeds = new HashMap<>();
    private final Thread thread = new Thread(this::run, "seriatim-feeds");
    private boolean closed;

    Stamper(Duration interval, ListenerCalls listening) {
        this.interval = Math.max(1, interval.toNanos());
        this.listening = listening;
        thread.setDaemon(true);
        thread.start();
    }

    synchronized void add(Passes passes) {
        feeds.putIfAbsent(passes, new Pace());
        notifyAll();
    }

    synchronized void remove(Passes passes) {
        feeds.remove(passes);
    }

    /** Stamps a feed at once. */
    synchronized void nudge(Passes passes) {
        Pace pace = feeds.get(passes);
        if (pace != null) {
            pace.due = System.nanoTime();
            pace.nudged = true;
            notifyAll();
        }
    }

    private void run() {
        for (List<Passes> due = awaitDue(); !due.isEmpty(); due = awaitDue()) {
            for (Passes passes : due) {
                int moved = Passes.BUSY;
                boolean unused = Thread.interrupted(); // what a listener has set
                try {
                    moved = passes.pass();
                } catch (RuntimeException | Error e) {
                    Exception failure = e instanceof Exception exception ? exception : new IllegalStateException(e);
                    listening.call(listener -> listener.failed(passes.feed.name(), failure));
                }
                passed(passes, moved);
            }
        }
    }

    /** Waits for feeds that are due; none once closed. */
    private synchronized List<Passes> awaitDue() {
        while (!closed) {
            long now = System.nanoTime();
            List<Passes> due = new ArrayList<>();
            long next = LONGEST;
            for (Map.Entry<Passes, Pace> each : feeds.entrySet()) {
                long left = each.getValue().due - now;
                if (left <= 0) {
                    each.getValue().nudged = false;
                    due.add(each.getKey());
                }
                next = Math.min(next, left);
            }
            if (!due.isEmpty()) {
                return due;
            }
            try {
                TimeUnit.NANOSECONDS.timedWait(this, next);
            } catch (InterruptedException e) {
                // A listener has interrupted this thread, which only close ends.
            }
        }
        return List.of();
    }

    private synchronized void passed(Passes passes, int moved) {
        Pace pace = feeds.get(passes);
        if (pace != null && !pace.nudged) {
            if (moved == Passes.BUSY) {
                pace.pause = OTHERS;
            } else if (moved > 0) {
                pace.pause = moved == Passes.FULL ? 0 : interval;
            } else {
                pace.pause = Math.max(interval, Math.min(LONGEST, 2 * pace.pause));
            }
            pace.due = System.nanoTime() + pace.pause;
        }
    }

    /** Ends the thread after its present pass, which takes no longer than the patience. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        if (Thread.currentThread() == thread) {
            return; // a listener closes the feeds
        }
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
