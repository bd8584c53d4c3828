// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.trial;

import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.verify.fault.Workforce;
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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The processes that draw: a fixed number of places, each taken by one process after another. Thread-safe. */
final class WorkerCrew implements Workforce, AutoCloseable {

    private static final long LONGEST_ORDER_SECONDS = 240;
    private static final long LONGEST_ANSWER_SECONDS = 2;

    /** One that a fault has killed is replaced within this time. */
    private static final long LONGEST_REPLACEMENT_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Each killed process leaves its rings in memory until its buffers are collected, which nothing else makes urgent. */
    private static final int KILLS_BETWEEN_COLLECTIONS = 4;

    private final WorkerFolder folder;
    private final RingReader reader;
    private final IntFunction<String> urls;
    private final Supplier<Collection<LaneOrder>> orders;
    private final Map<String, Watch> watches;
    private final Duration patience;

    private final List<WorkerProcess> workers = new ArrayList<>();
    private final Map<WorkerProcess, Long> seenEnded = new WeakHashMap<>();

    /** Started ahead, since a process needs longer to start than to be killed; null before the first. */
    private @Nullable WorkerProcess spare;

    private final List<FailedDraws> lasting = new ArrayList<>();
    private long started;
    private long killed;

    /**
     * @param urls the store's URL for each place
     * @param orders what a process that starts now is to draw
     * @param watches who checks, by generator
     * @param patience how long a process tries to open a store that is away
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
     * @throws Unavailable if one cannot, with the reason
     */
    void start(int processes) throws InterruptedException {
        for (int place = 0; place < processes; place++) {
            WorkerProcess worker = launch();
            synchronized (this) {
                workers.add(worker);
            }
        }
        for (int place = 0; place < processes; place++) {
            begin(worker(place), place);
        }
    }

    private WorkerProcess takeSpare() {
        WorkerProcess next;
        synchronized (this) {
            next = spare;
            spare = null;
        }
        return next == null ? launch() : next;
    }

    private void launchSpare() {
        WorkerProcess next = launch();
        synchronized (this) {
            spare = next;
        }
    }

    private WorkerProcess launch() {
        return folder.start(failed -> {
            synchronized (this) {
                lasting.add(failed);
            }
        });
    }

    private void begin(WorkerProcess worker, int place) throws InterruptedException {
        long number;
        synchronized (this) {
            number = ++started;
        }
        await(worker.open(urls.apply(place), patience));
        for (LaneOrder order : orders.get()) {
            Watch watch = watches.get(order.generator());
            if (watch == null) {
                throw new IllegalArgumentException("nobody watches " + order.generator());
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
                    "a process that draws has not obeyed for " + LONGEST_ORDER_SECONDS + " s; the store may hang", e);
        }
    }

    private synchronized WorkerProcess worker(int place) {
        return workers.get(place);
    }

    private synchronized List<WorkerProcess> workers() {
        return List.copyOf(workers);
    }

    @Override
    public List<ProcessHandle> processes() {
        return workers().stream().map(WorkerProcess::handle).toList();
    }

    @Override
    public void replace(ProcessHandle victim) throws InterruptedException {
        int place = processes().indexOf(victim);
        worker(place).kill(); // again: returns when all that it said was heard
        WorkerProcess next = takeSpare();
        synchronized (this) {
            killed++;
            workers.set(place, next);
        }
        begin(next, place);
        launchSpare();
        if (killed() % KILLS_BETWEEN_COLLECTIONS == 0) {
            System.gc();
        }
    }

    /** Returns how many processes were killed. */
    synchronized long killed() {
        return killed;
    }

    /** Returns failures that a store that is away does not explain, each once. */
    synchronized List<FailedDraws> lasting() {
        return List.copyOf(lasting);
    }

    /**
     * Returns an answer for each process, when it has stopped and given back what it had in hand.
     *
     * @throws Unavailable if one cannot
     */
    List<WorkerAccounts> stop() throws InterruptedException {
        List<CompletableFuture<Void>> stopped =
                workers().stream().map(WorkerProcess::stop).toList();
        for (CompletableFuture<Void> each : stopped) {
            await(each);
        }
        List<WorkerAccounts> accounts = new ArrayList<>();
        for (WorkerProcess worker : workers()) {
            accounts.add(await(worker.accounts()));
        }
        return accounts;
    }

    /** Returns why draws have failed so far, as far as the processes tell that at once; of each, what came last at the end. */
    List<WorkerAccounts> accountsSoFar() throws InterruptedException {
        List<CompletableFuture<WorkerAccounts>> answers =
                workers().stream().map(WorkerProcess::accounts).toList();
        List<WorkerAccounts> told = new ArrayList<>();
        for (CompletableFuture<WorkerAccounts> answer : answers) {
            try {
                told.add(answer.get(LONGEST_ANSWER_SECONDS, TimeUnit.SECONDS));
            } catch (ExecutionException | TimeoutException e) {
                // it is busy, stopped or gone
            }
        }
        return told;
    }

    /** Returns why draws of some generators have failed last, as a process tells it at once; empty if none does. */
    String lastReason(Predicate<String> generators) throws InterruptedException {
        String last = "";
        for (WorkerAccounts each : accountsSoFar()) {
            for (FailedDraws failed : each.failures()) {
                last = failed.isTold() && generators.test(failed.generator()) ? failed.reason() : last;
            }
        }
        return last;
    }

    /** Kills what still runs; what they have reported can still be read. */
    void kill() {
        List<WorkerProcess> all = new ArrayList<>(workers());
        synchronized (this) {
            if (spare != null) {
                all.add(spare);
            }
        }
        all.forEach(WorkerProcess::kill);
    }

    @Override
    public void close() {
        kill();
    }

    /** Returns the last words of a process that has ended although no fault killed it; empty if all run. Ask now and then. */
    String endedByItself() {
        for (WorkerProcess worker : workers()) {
            if (worker.ended().isDone()) {
                long since = seenEnded.computeIfAbsent(worker, ended -> System.nanoTime());
                if (System.nanoTime() - since > LONGEST_REPLACEMENT_NANOS) {
                    return worker.lastWords().isEmpty() ? "something else has killed it" : worker.lastWords();
                }
            }
        }
        return "";
    }
}
