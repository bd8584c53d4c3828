// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import dev.seriatim.verify.Verdict.Count;
import dev.seriatim.verify.fault.FaultPlan;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Injects faults one after another, on a thread of its own. Thread-safe. */
final class Injector implements AutoCloseable {

    /** The factor of pauses after enough faults. */
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
                turn.inject();
                synchronized (counts) {
                    counts.merge(turn.fault().name(), 1L, Long::sum);
                }
                turn = plan.next();
            }
        } catch (InterruptedException e) {
            // close does not wait for the current fault
        } catch (Throwable e) { // an Error, too: without faults, the run would prove less than it claims
            failure = e;
        }
    }

    private long pauseNanos(FaultPlan.Turn turn) {
        return turn.pause().toNanos() * (enough.test(this) ? SLOWER : 1);
    }

    /** Returns the faults so far. */
    List<Count> counts() {
        synchronized (counts) {
            return counts.entrySet().stream()
                    .map(each -> new Count(each.getKey(), each.getValue()))
                    .toList();
        }
    }

    /** Throws the failure that has ended it, if any. */
    void checkAlive() {
        Throwable cause = failure;
        if (cause instanceof RuntimeException known) {
            throw known;
        }
        if (cause != null) {
            throw new IllegalStateException("no further fault can be injected (" + cause + ")", cause);
        }
    }

    /** Waits for the end of the current fault, and injects no other. */
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
