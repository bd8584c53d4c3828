// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.testkit;

import dev.seriatim.GroupedSequence;
import dev.seriatim.UnitOfWork;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Units of work that run in one transaction, in the order in which they are added. Not thread-safe. */
public final class OneGroup<T> {

    private final GroupedSequence<T> sequence;
    private final CountDownLatch gate = new CountDownLatch(1);
    private final List<FutureTask<Long>> callers = new ArrayList<>();

    public OneGroup(GroupedSequence<T> sequence) {
        this.sequence = sequence;
    }

    /**
     * Adds a unit, and waits until its caller queues or has failed. The first keeps the group open until {@link #go}.
     */
    public OneGroup<T> add(UnitOfWork<T, Long, Exception> unit) throws InterruptedException {
        boolean first = callers.isEmpty();
        CountDownLatch runs = new CountDownLatch(1);
        FutureTask<Long> caller = new FutureTask<>(() -> sequence.commit(turn -> {
            runs.countDown();
            if (first) {
                gate.await();
            }
            return unit.run(turn);
        }));
        Thread thread = new Thread(caller, "caller " + callers.size());
        thread.setDaemon(true);
        thread.start();
        callers.add(caller);
        while (!caller.isDone() && (first ? runs.getCount() > 0 : thread.getState() != Thread.State.TIMED_WAITING)) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
        return this;
    }

    /** Lets the first unit end, and the others run. */
    public OneGroup<T> go() {
        gate.countDown();
        return this;
    }

    /** Returns whether a unit's caller has its result or failure. */
    boolean isDone(int caller) {
        return callers.get(caller).isDone();
    }

    /** Returns the result of a unit, counted from 0. */
    public long result(int caller) throws Exception {
        return callers.get(caller).get(30, TimeUnit.SECONDS);
    }

    /** Returns the failure of a unit, counted from 0; null if it returned a result. */
    public @Nullable Throwable failure(int caller) throws InterruptedException, TimeoutException {
        try {
            callers.get(caller).get(30, TimeUnit.SECONDS);
            return null;
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }
}
