// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.verify.worker.LaneOrder;
import dev.seriatim.verify.worker.WorkerAccounts;
import dev.seriatim.verify.worker.WorkerAccounts.FailedDraws;
import dev.seriatim.verify.worker.WorkerFolder;
import dev.seriatim.verify.worker.WorkerProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The processes that draw: a fixed number of places, each with one process after another. Thread-safe. */
final class WorkerCrew implements AutoCloseable {

    private static final long LONGEST_ORDER_SECONDS = 240;
    private static final long LONGEST_ANSWER_SECONDS = 2;

    /** A killed process is replaced within this time. */
    private static final long LONGEST_REPLACEMENT_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Killed processes leave their rings in memory until the mapped buffers are collected. */
    private static final int KILLS_BETWEEN_COLLECTIONS = 4;

    private final WorkerFolder folder;
    private final RingReader reader;
    private final IntFunction<String> urls;
    private final Supplier<Collection<LaneOrder>> orders;
    private final Map<String, Watch> watches;
    private final Duration patience;

    private final List<WorkerProcess> workers = new CopyOnWriteArrayList<>();
    private final Map<WorkerProcess, Long> seenEnded = new WeakHashMap<>();
    private final List<FailedDraws> lasting = new CopyOnWriteArrayList<>();
    private final AtomicLong started = new AtomicLong();
    private final AtomicLong killed = new AtomicLong();

    /** Started ahead, because a process starts slower than it is killed. */
    private final AtomicReference<@Nullable WorkerProcess> spare = new AtomicReference<>();

    // The last progress.
    private long numbersBefore;
    private long unavailableBefore;
    private long progressAt = System.nanoTime();

    /**
     * @param urls the store's URL for each place
     * @param orders the orders for a process that starts now
     * @param watches the checks, by generator
     * @param patience how long the store may be unavailable
     */
    WorkerCrew(
            WorkerFolder folder,
            RingReader reader,
            IntFunction<String> urls,
            Supplier<Collection<LaneOrder>> orders,
            Map<String, Watch> watches,
            Duration patience) {
        this.folder = folder;
        this.reader = reader;
        this.urls = urls;
        this.orders = orders;
        this.watches = Map.copyOf(watches);
        this.patience = patience;
    }

    /**
     * Starts the processes, and returns when all draw.
     *
     * @throws Unavailable if a process cannot draw, with the reason
     */
    void start(int processes) throws InterruptedException {
        for (int place = 0; place < processes; place++) {
            workers.add(folder.start(lasting::add));
        }
        for (int place = 0; place < processes; place++) {
            begin(workers.get(place), place);
        }
    }

    private void begin(WorkerProcess worker, int place) throws InterruptedException {
        long number = started.incrementAndGet();
        await(worker.open(urls.apply(place), patience));
        for (LaneOrder order : orders.get()) {
            Watch watch = watches.get(order.generator());
            if (watch == null) {
                throw new IllegalArgumentException("no check for " + order.generator());
            }
            int[] lane = {0};
            await(worker.draw(order, made -> reader.add(watch, made, "process " + number + ", thread " + ++lane[0])));
        }
    }

    private static <T> T await(CompletableFuture<T> answer) throws InterruptedException {
        try {
            return answer.get(LONGEST_ORDER_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            throw new Unavailable(
                    "a process that draws has not answered for " + LONGEST_ORDER_SECONDS + " s; the store may hang", e);
        }
    }

    /** Returns the running processes, in the order of their places. */
    List<ProcessHandle> processes() {
        return workers.stream().map(WorkerProcess::handle).toList();
    }

    /** Starts a process in the place of a killed one. */
    void replace(ProcessHandle victim) throws InterruptedException {
        int place = processes().indexOf(victim);
        workers.get(place).kill(); // again: returns when all its reports have been read
        WorkerProcess ready = spare.getAndSet(null);
        WorkerProcess next = ready == null ? folder.start(lasting::add) : ready;
        killed.incrementAndGet();
        workers.set(place, next);
        begin(next, place);
        spare.set(folder.start(lasting::add));
        if (killed() % KILLS_BETWEEN_COLLECTIONS == 0) {
            System.gc();
        }
    }

    /** Returns the number of killed processes. */
    long killed() {
        return killed.get();
    }

    /** Returns the failures that an unavailable store does not explain, each once. */
    List<FailedDraws> lasting() {
        return List.copyOf(lasting);
    }

    /**
     * Stops the processes, which give back their reserved values, and returns their accounts.
     *
     * @throws Unavailable if a process cannot stop
     */
    List<WorkerAccounts> stop() throws InterruptedException {
        List<CompletableFuture<Void>> stopped =
                workers.stream().map(WorkerProcess::stop).toList();
        for (CompletableFuture<Void> each : stopped) {
            await(each);
        }
        List<WorkerAccounts> accounts = new ArrayList<>();
        for (WorkerProcess worker : workers) {
            accounts.add(await(worker.accounts()));
        }
        return accounts;
    }

    /** Returns the accounts of the processes that answer at once. */
    List<WorkerAccounts> accountsSoFar() throws InterruptedException {
        List<CompletableFuture<WorkerAccounts>> answers =
                workers.stream().map(WorkerProcess::accounts).toList();
        List<WorkerAccounts> accounts = new ArrayList<>();
        for (CompletableFuture<WorkerAccounts> answer : answers) {
            try {
                accounts.add(answer.get(LONGEST_ANSWER_SECONDS, TimeUnit.SECONDS));
            } catch (ExecutionException | TimeoutException e) {
                // the process is busy, suspended or dead
            }
        }
        return accounts;
    }

    /** Returns why draws of some generators failed last, from the processes that answer at once; otherwise empty. */
    String lastReason(Predicate<String> generators) throws InterruptedException {
        String last = "";
        for (WorkerAccounts each : accountsSoFar()) {
            for (FailedDraws failed : each.failures()) {
                last = failed.hasReason() && generators.test(failed.generator()) ? failed.reason() : last;
            }
        }
        return last;
    }

    /** Kills all processes; their reports can still be read. */
    void kill() {
        WorkerProcess ready = spare.get();
        if (ready != null) {
            ready.kill();
        }
        workers.forEach(WorkerProcess::kill);
    }

    @Override
    public void close() {
        kill();
    }

    /**
     * Checks that draws go on. Poll it.
     *
     * @param numbers the numbers drawn so far
     * @param unavailable the draws so far that failed because the store was unavailable
     * @throws Unavailable if there was no further number for too long
     */
    void checkProgress(Arena arena, long numbers, long unavailable) throws InterruptedException {
        long now = System.nanoTime();
        if (numbers > numbersBefore) {
            numbersBefore = numbers;
            progressAt = now;
            unavailableBefore = unavailable;
        } else if (now - progressAt > patience.toNanos()) {
            String why = unavailable > unavailableBefore ? lastReason(generator -> true) : "";
            throw new Unavailable(
                    "nothing has been drawn for " + patience.toSeconds() + " s: "
                            + (why.isEmpty() ? arena + " is unavailable, or hangs" : why),
                    null);
        }
    }

    /** Returns the last message of a process that has ended although no fault killed it, or empty. Poll it. */
    String endedByItself() {
        for (WorkerProcess worker : workers) {
            if (worker.ended().isDone()) {
                long since = seenEnded.computeIfAbsent(worker, ended -> System.nanoTime());
                if (System.nanoTime() - since > LONGEST_REPLACEMENT_NANOS) {
                    return worker.lastMessage().isEmpty() ? "something else has killed it" : worker.lastMessage();
                }
            }
        }
        return "";
    }
}
