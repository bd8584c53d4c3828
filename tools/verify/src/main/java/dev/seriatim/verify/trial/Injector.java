// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.trial;

import dev.seriatim.verify.fault.FaultPlan;
import dev.seriatim.verify.verdict.Harm;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Lets faults strike, one after another, on a thread of its own. Thread-safe. */
final class Injector implements AutoCloseable {

    /** Pauses are so many times as long once there have been enough. */
    private static final int SLOWER = 10;

    private final FaultPlan plan;
    private final Predicate<Injector> enough;
    private final Map<String, Long> counts = new LinkedHashMap<>();
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Thread thread;
    private volatile @Nullable Throwable failure;

    Injector(String name, FaultPlan plan, Predicate<Injector> enough) {
        this.plan = plan;
        this.enough = enough;
        thread = new Thread(this::run, "verify-" + name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            FaultPlan.Turn turn = plan.next();
            while (!stopping.await(pauseNanos(turn), TimeUnit.NANOSECONDS)) {
                turn.strike();
                synchronized (counts) {
                    counts.merge(turn.fault().name(), 1L, Long::sum);
                }
                turn = plan.next();
            }
        } catch (InterruptedException e) {
            // close waits for the last strike no longer
        } catch (Throwable e) { // an Error, too: a run whose faults have ended unheard would prove less than it says
            failure = e;
        }
    }

    private long pauseNanos(FaultPlan.Turn turn) {
        return turn.pause().toNanos() * (enough.test(this) ? SLOWER : 1);
    }

    /** Returns what has struck so far. */
    List<Harm> harms() {
        synchronized (counts) {
            return counts.entrySet().stream()
                    .map(each -> new Harm(each.getKey(), each.getValue()))
                    .toList();
        }
    }

    /** Throws what has ended it, if anything has. */
    void checkAlive() {
        Throwable cause = failure;
        if (cause instanceof RuntimeException known) {
            throw known;
        }
        if (cause != null) {
            throw new IllegalStateException("no further fault can strike (" + cause + ")", cause);
        }
    }

    /** Lets the fault that lasts end, so that everything is as before, and lets no other strike. */
    void stop() throws InterruptedException {
        stopping.countDown();
        thread.join();
    }

    @Override
    public void close() {
        stopping.countDown();
        thread.interrupt();
    }
}
