// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.verify.fault.InjectedFault;
import dev.seriatim.verify.fault.ProcessFaults;
import dev.seriatim.verify.worker.FeedProgram;
import dev.seriatim.verify.worker.FeedProgram.Order;
import dev.seriatim.verify.worker.FeedProgram.Role;
import dev.seriatim.verify.worker.WorkerFolder;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The processes that write rows, stamp and read them: a fixed number of places, each with one after another. Thread-safe. */
final class FeedCrew implements AutoCloseable {

    private static final long LONGEST_ORDER_SECONDS = 240;

    /** A killed process is replaced within this time. */
    private static final long LONGEST_REPLACEMENT_NANOS = TimeUnit.SECONDS.toNanos(20);

    /** Makes the order for a process. */
    @FunctionalInterface
    interface Ordering {

        /** Returns the order for the process at a place, from 0. */
        Order order(Role role, int place);
    }

    private final WorkerFolder folder = WorkerFolder.open(FeedProgram.class, 1);
    private final FeedLog log;
    private final List<Role> places;
    private final Ordering ordering;
    private final List<Worker> workers = new CopyOnWriteArrayList<>();
    private final AtomicLong killed = new AtomicLong();

    /** Started ahead, because a process starts slower than it is killed. */
    private volatile @Nullable Worker spare;

    FeedCrew(FeedLog log, List<Role> places, Ordering ordering) {
        this.log = log;
        this.places = places;
        this.ordering = ordering;
    }

    /** Returns the places of this many processes that write, as many that stamp and that read, and one that polls. */
    static List<Role> places(int processes, Predicate<Role> roles) {
        return Stream.concat(
                        Stream.of(Role.WRITER, Role.STAMPER, Role.READER)
                                .flatMap(role -> Stream.generate(() -> role).limit(processes)),
                        Stream.of(Role.POLLER))
                .filter(roles)
                .toList();
    }

    private final class Worker {
        private final Process process;
        private final CompletableFuture<Boolean> begun = new CompletableFuture<>();
        private final CompletableFuture<Boolean> ended = new CompletableFuture<>();
        private final CompletableFuture<Long> over = new CompletableFuture<>();
        private volatile String message = "something else has killed it";

        Worker() {
            try {
                process = folder.program().redirectErrorStream(true).start();
            } catch (IOException e) {
                throw new Unavailable("cannot start a process (" + e.getMessage() + ")", e);
            }
            Thread reader = new Thread(this::read, "feed-" + process.pid());
            reader.setDaemon(true);
            reader.start();
        }

        private void read() {
            try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    take(line);
                }
            } catch (IOException e) {
                // the same as its end
            }
            over.complete(System.nanoTime());
            begun.completeExceptionally(new Unavailable("a process has ended (" + message + ")", null));
            ended.complete(false);
        }

        private void take(String line) {
            Optional<FeedProgram.Report> report = FeedProgram.report(line);
            if (report.isEmpty()) {
                message = line.isBlank() ? message : line; // of the JVM
                return;
            }
            log.take(report.get());
            switch (report.get().kind()) {
                case BEGUN -> begun.complete(true);
                case ENDED -> ended.complete(true);
                default -> {}
            }
        }

        void tell(String line) {
            try {
                process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
                process.getOutputStream().flush();
            } catch (IOException e) {
                // it has ended, and the reader sees that too
            }
        }

        /** Kills it as {@code kill -9} does, and returns when all its reports are read. */
        void kill() {
            process.toHandle().destroyForcibly(); // not the process's own method, which discards its output
            over.join();
        }
    }

    /** Starts the processes, and returns when all have begun. */
    void start() throws InterruptedException {
        for (int place = 0; place < places.size(); place++) {
            workers.add(new Worker());
        }
        for (int place = 0; place < places.size(); place++) {
            begin(place);
        }
    }

    private void begin(int place) throws InterruptedException {
        Worker worker = workers.get(place);
        worker.tell(FeedProgram.line(ordering.order(places.get(place), place)));
        await(worker.begun);
    }

    private static void await(CompletableFuture<Boolean> answer) throws InterruptedException {
        try {
            answer.get(LONGEST_ORDER_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Unavailable cause ? cause : new IllegalStateException(e);
        } catch (TimeoutException e) {
            throw new Unavailable("a process has not answered for " + LONGEST_ORDER_SECONDS + " s", e);
        }
    }

    List<ProcessHandle> processes() {
        return workers.stream().map(worker -> worker.process.toHandle()).toList();
    }

    private List<ProcessHandle> processes(Role role) {
        List<ProcessHandle> all = processes();
        return Stream.iterate(0, place -> place + 1)
                .limit(all.size())
                .filter(place -> places.get(place) == role)
                .map(all::get)
                .toList();
    }

    /** Returns a fault for each role, which kills a process and replaces it. */
    List<InjectedFault> kills() {
        return Arrays.stream(Role.values())
                .filter(places::contains)
                .map(role -> ProcessFaults.kill(
                        role.name().toLowerCase(Locale.ROOT) + " killed", () -> processes(role), this::replace))
                .toList();
    }

    private void replace(ProcessHandle victim) throws InterruptedException {
        int place = processes().indexOf(victim);
        workers.get(place).kill(); // again: returns when all its reports have been read
        killed.incrementAndGet();
        Worker ready = spare;
        workers.set(place, ready == null ? new Worker() : ready);
        spare = null;
        begin(place);
        spare = new Worker();
    }

    long killed() {
        return killed.get();
    }

    /** Ends the writers' work; the others go on. */
    void stopWriters() throws InterruptedException {
        for (int place = 0; place < places.size(); place++) {
            if (places.get(place) == Role.WRITER) {
                workers.get(place).tell("stop");
                await(workers.get(place).ended);
            }
        }
    }

    /** Throws {@link Unavailable} if a process has ended that no fault has killed. */
    void checkAlive() {
        for (Worker worker : workers) {
            if (worker.over.isDone() && System.nanoTime() - worker.over.join() > LONGEST_REPLACEMENT_NANOS) {
                throw new Unavailable("a process has ended (" + worker.message + ")", null);
            }
        }
    }

    /** Kills all processes, and returns when their reports are read. */
    void end() {
        Worker ready = spare;
        if (ready != null) {
            ready.kill();
        }
        workers.forEach(Worker::kill);
    }

    @Override
    public void close() {
        end();
        folder.close();
    }
}
