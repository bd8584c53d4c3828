// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.worker;

import com.google.gson.JsonParseException;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.verify.worker.WorkerAccounts.FailedDraws;
import dev.seriatim.verify.worker.WorkerProgram.Order;
import dev.seriatim.verify.worker.WorkerProgram.Report;
import dev.seriatim.verify.worker.WorkerProgram.RingedLanes;
import dev.seriatim.verify.worker.WorkerProgram.Task;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A process that draws. It carries out orders one after another. The future of an order completes exceptionally with
 * {@link Unavailable} if the process refuses the order or ends before. Made by {@link WorkerFolder}. Thread-safe.
 *
 * <p>While lanes draw, and while they stop, their rings must be drained: a lane whose ring is full waits.
 */
public final class WorkerProcess implements AutoCloseable {

    private final WorkerFolder folder;
    private final Process process;
    private final Consumer<FailedDraws> onLasting;
    private final OutputStream orders;
    private final Queue<Sent> unanswered = new ArrayDeque<>();
    private final List<Lane> lanes = new ArrayList<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    private String lastMessage = "";
    private boolean over;

    /** A thread of the process, with a number from 1 in each order. */
    public record Lane(String generator, int number, DrawRing ring) {}

    private record Sent(Order order, CompletableFuture<WorkerAccounts> answer) {}

    WorkerProcess(WorkerFolder folder, Process process, Consumer<FailedDraws> onLasting) {
        this.folder = folder;
        this.process = process;
        this.onLasting = onLasting;
        orders = process.getOutputStream();
        daemon(this::readReports, "worker-" + process.pid());
        // Messages such as that the JVM did not start.
        daemon(() -> readLines(process.getErrorStream(), this::keepMessage), "worker-messages-" + process.pid());
    }

    private static void daemon(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Opens the store, within the patience, and draws, in a lane for each thread; passes on each lane before it can draw. */
    public CompletableFuture<WorkerAccounts> begin(
            String url, Duration patience, Collection<LaneOrder> orders, Consumer<Lane> first) {
        List<Lane> made = new ArrayList<>();
        List<Path> files = new ArrayList<>();
        List<RingedLanes> ringed = new ArrayList<>();
        for (LaneOrder order : orders) {
            List<String> rings = new ArrayList<>();
            for (int number = 1; number <= order.threads(); number++) {
                Path file = folder.newRing();
                files.add(file);
                rings.add(file.toString());
                made.add(new Lane(order.generator(), number, DrawRing.create(file, folder.ringCapacity())));
            }
            ringed.add(new RingedLanes(order, rings));
        }
        synchronized (this) {
            lanes.addAll(made);
        }
        made.forEach(first);
        return send(new Order(Task.BEGIN, url, patience.toMillis(), ringed)).whenComplete((done, failure) -> {
            // Both sides have mapped the files, or the process has ended. Nothing is left even if this JVM is killed.
            folder.delete(files);
            if (failure != null) {
                made.forEach(lane -> lane.ring().end());
            }
        });
    }

    public CompletableFuture<WorkerAccounts> stop() {
        return send(Order.of(Task.STOP));
    }

    public CompletableFuture<WorkerAccounts> accounts() {
        return send(Order.of(Task.ACCOUNTS));
    }

    public ProcessHandle handle() {
        return process.toHandle();
    }

    /** Completes when the process and its rings have ended, and all reports have been read. */
    public CompletableFuture<Void> ended() {
        return ended.copy();
    }

    /** Returns the last message of a process that ended unexpectedly, or empty. */
    public synchronized String lastMessage() {
        return lastMessage;
    }

    private synchronized void keepMessage(String line) {
        lastMessage = line.isBlank() ? lastMessage : line.strip();
    }

    /** Kills it as {@code kill -9} does. On return, its rings hold everything that it has acknowledged. */
    public void kill() {
        process.toHandle().destroyForcibly(); // not the process's own method, which discards its output
        ended.join();
    }

    /** Closes its input, which ends it. */
    @Override
    public void close() {
        try {
            orders.close();
        } catch (IOException e) {
            // it has ended
        }
    }

    private synchronized CompletableFuture<WorkerAccounts> send(Order order) {
        Sent sent = new Sent(order, new CompletableFuture<>());
        if (over) {
            sent.answer().completeExceptionally(unanswered(sent));
            return sent.answer();
        }
        unanswered.add(sent);
        try {
            orders.write((WorkerProgram.JSON.toJson(order) + "\n").getBytes(StandardCharsets.UTF_8));
            orders.flush();
        } catch (IOException e) {
            // it has ended, and the reader sees that too
        }
        return sent.answer();
    }

    private Unavailable unanswered(Sent sent) {
        return new Unavailable(
                "the process that draws has ended before it answered the order to "
                        + sent.order().task().name().toLowerCase(Locale.ROOT)
                        + (lastMessage.isEmpty() ? "" : " (" + lastMessage + ")"),
                null);
    }

    private void readReports() {
        try {
            readLines(process.getInputStream(), line -> {
                @Nullable Report report = report(line);
                if (report == null) {
                    keepMessage(line);
                } else {
                    take(report);
                }
            });
            process.onExit().join();
            List<Sent> late;
            synchronized (this) {
                over = true;
                lanes.forEach(lane -> lane.ring().end());
                late = List.copyOf(unanswered);
                unanswered.clear();
            }
            late.forEach(sent -> sent.answer().completeExceptionally(unanswered(sent)));
        } finally {
            ended.complete(null);
        }
    }

    private static void readLines(InputStream from, Consumer<String> to) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(from, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                to.accept(line);
            }
        } catch (IOException e) {
            // the same as its end
        }
    }

    private static @Nullable Report report(String line) {
        try {
            return WorkerProgram.JSON.fromJson(line, Report.class);
        } catch (JsonParseException e) {
            return null; // a message of the program or of the JVM
        }
    }

    private void take(Report report) {
        if (report.lasting() != null) {
            onLasting.accept(report.lasting());
        } else if (report.accounts() != null) {
            answered().complete(report.accounts());
        } else {
            answered().completeExceptionally(new Unavailable(report.reason(), null));
        }
    }

    private synchronized CompletableFuture<WorkerAccounts> answered() {
        return unanswered.remove().answer();
    }
}
