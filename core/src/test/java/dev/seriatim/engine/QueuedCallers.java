// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import dev.seriatim.GroupedSequence;
import dev.seriatim.Turn;
import dev.seriatim.UnitOfWork;
import dev.seriatim.memory.LedgerStore;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Callers of a grouped sequence on separate threads, each of which has queued before the next starts. */
final class QueuedCallers {

    /** A caller. */
    record Caller<R>(Thread thread, FutureTask<R> task) {

        R result() throws Exception {
            return task.get(20, TimeUnit.SECONDS);
        }

        boolean returned() {
            return task.isDone();
        }

        /** Returns its failure; null if it got a result. */
        @Nullable
        Throwable failure() throws InterruptedException, TimeoutException {
            try {
                task.get(20, TimeUnit.SECONDS);
                return null;
            } catch (ExecutionException e) {
                return e.getCause();
            }
        }
    }

    private final GroupedSequence<LedgerStore.Pages> sequence;

    QueuedCallers(GroupedSequence<LedgerStore.Pages> sequence) {
        this.sequence = sequence;
    }

    /** Starts a caller and returns when it waits, for its turn or for the commit. */
    <R> Caller<R> queue(UnitOfWork<LedgerStore.Pages, R, Exception> unit) throws InterruptedException {
        Caller<R> caller = start(() -> sequence.commit(unit));
        while (!caller.returned() && caller.thread().getState() != Thread.State.TIMED_WAITING) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
        return caller;
    }

    /** Starts a caller that enters its number in the ledger. */
    Caller<Long> queueOne() throws InterruptedException {
        return queue(QueuedCallers::enterOne);
    }

    /**
     * Starts a caller whose unit runs and holds the turn until the gate opens; callers that queue in the meantime join
     * its group. If the machine is too busy for its patience, it fails instead, which its result shows.
     */
    Caller<Long> hold(CountDownLatch gate) throws InterruptedException {
        CountDownLatch runs = new CountDownLatch(1);
        Caller<Long> caller = start(() -> sequence.commit(turn -> {
            runs.countDown();
            gate.await();
            return enterOne(turn);
        }));
        boolean running = false;
        while (!running && !caller.returned()) {
            running = runs.await(1, TimeUnit.MILLISECONDS);
        }
        return caller;
    }

    static long enterOne(Turn<LedgerStore.Pages> turn) {
        long number = turn.next();
        turn.transaction().enter(number);
        return number;
    }

    private static <R> Caller<R> start(Callable<R> work) {
        FutureTask<R> task = new FutureTask<>(work);
        Thread thread = new Thread(task, "caller");
        thread.setDaemon(true);
        thread.start();
        return new Caller<>(thread, task);
    }
}
