// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.GroupedSequence;
import dev.seriatim.UnitOfWork;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Units of work that run in one transaction, in the order in which they are added. */
final class OneGroup {

    private final GroupedSequence<Connection> sequence;
    private final CountDownLatch gate = new CountDownLatch(1);
    private final List<FutureTask<Long>> callers = new ArrayList<>();

    OneGroup(GroupedSequence<Connection> sequence) {
        this.sequence = sequence;
    }

    /** One more unit; waits until its caller queues. The first holds the group open until {@link #go}. */
    OneGroup add(UnitOfWork<Connection, Long, Exception> unit) throws InterruptedException {
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
        if (first) {
            runs.await();
        } else {
            awaitQueueing(thread);
        }
        return this;
    }

    OneGroup go() {
        gate.countDown();
        return this;
    }

    /** What the caller of a unit got, counted from 0. */
    long result(int caller) throws Exception {
        return callers.get(caller).get(30, TimeUnit.SECONDS);
    }

    /** What the caller of a unit got instead of a result, counted from 0; null when it got one. */
    @Nullable
    Throwable failure(int caller) throws InterruptedException, TimeoutException {
        try {
            callers.get(caller).get(30, TimeUnit.SECONDS);
            return null;
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }

    private static void awaitQueueing(Thread thread) throws InterruptedException {
        while (thread.isAlive() && thread.getState() != Thread.State.TIMED_WAITING) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }
}
