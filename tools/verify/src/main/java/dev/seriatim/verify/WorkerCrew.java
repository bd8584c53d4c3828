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
import java.util.Objects;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The processes that draw: a fixed number of places, each with one process after another. Checks their draws. Thread-safe. */
final class WorkerCrew implements AutoCloseable {

    private static final long LONGEST_ORDER_SECONDS = 240;
    private static final long LONGEST_ANSWER_SECONDS = 2;

    /** A killed process is replaced within this time. */
    private static final long LONGEST_REPLACEMENT_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Killed processes leave their rings in memory until the mapped buffers are collected. */
    private static final int KILLS_BETWEEN_COLLECTIONS = 4;

    final RingReader reader;

    private final WorkerFolder folder;
    private final IntFunction<String> urls;
    private final IntFunction<Collection<LaneOrder>> orders;
    private final Map<String, Watch> watches;
    private final Duration patience;

    private final List<WorkerProcess> workers = new CopyOnWriteArrayList<>();
    private final Map<WorkerProcess, Long> seenEnded = new WeakHashMap<>();
    private final List<FailedDraws> lasting = new CopyOnWriteArrayList<>();
    private final AtomicLong started = new AtomicLong();
    private final AtomicLong killed = new AtomicLong();

    /** Started ahead, because a process starts slower than it is killed. */
    private volatile @Nullable WorkerProcess spare;

    // The last progress.
    private long numbersBefore;
    private long unavailableBefore;
    private long progressAt = System.nanoTime();

    /**
     * @param folder closed with this
     * @param orders the orders for a process that starts now at a place; called under the reader's lock
     * @param patience how long the store may be unavailable
     */
    WorkerCrew(
            WorkerFolder folder,
            IntFunction<String> urls,
            IntFunction<Collection<LaneOrder>> orders,
            Map<String, Watch> watches,
            Duration patience) {
        this.folder = folder;
        this.urls = urls;
        this.orders = orders;
        this.watches = watches;
        this.patience = patience;
        reader = new RingReader();
    }

    /** Starts the processes, and returns when all draw. */
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
        await(worker.begin(urls.apply(place), patience, reader.locked(() -> orders.apply(place)), lane -> {
            Watch watch = Objects.requireNonNull(watches.get(lane.generator()));
            reader.add(watch, lane, "process " + number + ", thread " + lane.number());
        }));
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
        WorkerProcess ready = spare;
        spare = null;
        WorkerProcess next = ready == null ? folder.start(lasting::add) : ready;
        killed.incrementAndGet();
        workers.set(place, next);
        begin(next, place);
        spare = folder.start(lasting::add);
        if (killed() % KILLS_BETWEEN_COLLECTIONS == 0) {
            System.gc();
        }
    }

    long killed() {
        return killed.get();
    }

    /** Returns the failures that an unavailable store does not explain, each once. */
    List<FailedDraws> lasting() {
        return List.copyOf(lasting);
    }

    /** Stops the processes, which give back their reserved values, and returns their accounts. */
    List<WorkerAccounts> stop() throws InterruptedException {
        List<CompletableFuture<WorkerAccounts>> stopped =
                workers.stream().map(WorkerProcess::stop).toList();
        List<WorkerAccounts> accounts = new ArrayList<>();
        for (CompletableFuture<WorkerAccounts> each : stopped) {
            accounts.add(await(each));
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
        return accountsSoFar().stream()
                .flatMap(accounts -> accounts.failures().stream())
                .filter(failed -> generators.test(failed.generator()))
                .reduce("", (last, failed) -> failed.reason(), (one, other) -> other);
    }

    /** Kills all processes, and checks the remaining reports. */
    void end() throws InterruptedException {
        kill();
        reader.awaitEnd();
    }

    private void kill() {
        WorkerProcess ready = spare;
        if (ready != null) {
            ready.kill();
        }
        workers.forEach(WorkerProcess::kill);
    }

    @Override
    public void close() {
        kill();
        reader.close();
        folder.close();
    }

    /**
     * Checks that draws go on and are checked. Poll it.
     *
     * @throws Unavailable if there was no further number for too long, or a process has ended although no fault killed it
     * @throws IllegalStateException if draws cannot be checked any more
     */
    void check(Arena arena) throws InterruptedException {
        reader.checkAlive();
        workers.forEach(this::checkAlive);
        long now = System.nanoTime();
        long numbers = reader.locked(() -> fromStore(watch -> watch.numbers));
        long unavailable = reader.locked(() -> fromStore(watch -> watch.unavailable));
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

    private void checkAlive(WorkerProcess worker) {
        if (worker.ended().isDone()) {
            long since = seenEnded.computeIfAbsent(worker, ended -> System.nanoTime());
            if (System.nanoTime() - since > LONGEST_REPLACEMENT_NANOS) {
                String why = worker.lastMessage().isEmpty() ? "something else has killed it" : worker.lastMessage();
                throw new Unavailable("a process that draws has ended (" + why + ")", null);
            }
        }
    }

    /** Adds a count up over the modes that ask the store for each number, or over all if there are none. */
    private long fromStore(ToLongFunction<Watch> count) {
        List<Watch> found = watches.values().stream()
                .filter(watch -> !watch.sequence.mode().dealsFromMemory())
                .toList();
        return (found.isEmpty() ? watches.values() : found)
                .stream().mapToLong(count).sum();
    }
}
