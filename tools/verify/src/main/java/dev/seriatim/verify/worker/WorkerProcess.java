// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.worker;

import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.verify.worker.WorkerAccounts.Account;
import dev.seriatim.verify.worker.WorkerAccounts.FailedDraws;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A process that draws, as its parent sees it: it carries out orders one after another, and each completes a stage, exceptionally
 * with an {@link Unavailable} if the process refuses it or ends before. Made by {@link WorkerFolder}. Thread-safe.
 *
 * <p>While lanes draw, somebody must drain their rings, also while they stop: a lane whose ring is full waits.
 */
public final class WorkerProcess implements AutoCloseable {

    private static final long LONGEST_GOODBYE_SECONDS = 5;

    private final WorkerFolder folder;
    private final Process process;
    private final Consumer<FailedDraws> onLasting;
    private final OutputStream orders;
    private final Queue<Order> unanswered = new ArrayDeque<>();
    private final List<Lane> lanes = new ArrayList<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final Thread listener;

    private Map<String, Account> accounts = new HashMap<>();
    private List<FailedDraws> failures = new ArrayList<>();
    private String lastWords = "";
    private boolean over;

    private record Order(String word, CompletableFuture<WorkerAccounts> answer) {}

    WorkerProcess(WorkerFolder folder, Process process, Consumer<FailedDraws> onLasting) {
        this.folder = folder;
        this.process = process;
        this.onLasting = onLasting;
        orders = process.getOutputStream();
        listener = daemon(this::listen, "worker-" + process.pid());
        daemon(this::overhear, "worker-messages-" + process.pid());
    }

    private static Thread daemon(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /**
     * Opens the store in it.
     *
     * @param patience how long it tries if the store is away
     */
    public CompletableFuture<Void> open(String url, Duration patience) {
        if (url.indexOf('\n') >= 0 || url.indexOf('\r') >= 0 || url.contains(WorkerProgram.TAB)) {
            return CompletableFuture.failedFuture(
                    new Unavailable("a store URL must have no tabs and no line ends", null));
        }
        return order(String.join(WorkerProgram.TAB, "open", Long.toString(patience.toMillis()), url));
    }

    /**
     * Lets it draw, in a lane for each thread.
     *
     * @param first given each lane before it can draw
     */
    public CompletableFuture<Void> draw(LaneOrder order, Consumer<Lane> first) {
        List<Lane> made = new ArrayList<>();
        List<Path> files = new ArrayList<>();
        for (int i = 0; i < order.threads(); i++) {
            Path file = folder.freshRing();
            files.add(file);
            made.add(new Lane(order.generator(), DrawRing.create(file, folder.ringCapacity())));
        }
        synchronized (this) {
            lanes.addAll(made);
        }
        made.forEach(first);
        return order(WorkerProgram.draw(order, files)).whenComplete((done, failure) -> {
            // Both sides have them mapped, or one is gone. So nothing is left even if this process is killed.
            folder.delete(files);
            if (failure != null) {
                made.forEach(lane -> lane.ring().end());
            }
        });
    }

    /** Stops all lanes and closes their sequences. */
    public CompletableFuture<Void> stop() {
        return order("stop");
    }

    /** Returns what it says of its sequences. */
    public CompletableFuture<WorkerAccounts> accounts() {
        return send("accounts");
    }

    /** Stops all lanes, closes everything, and ends it. */
    public CompletableFuture<Void> end() {
        return order("end");
    }

    /** Returns all lanes that it was ever ordered to draw in. */
    public synchronized List<Lane> lanes() {
        return List.copyOf(lanes);
    }

    /** Returns the process. */
    public ProcessHandle handle() {
        return process.toHandle();
    }

    /** Completes when the process has ended and all that it said was heard; its lanes' rings have ended, too. */
    public CompletableFuture<Void> ended() {
        return ended.copy();
    }

    /** Returns what it said last before it ended, if that was unexpected; else empty. */
    public synchronized String lastWords() {
        return lastWords;
    }

    private synchronized void lastWords(String words) {
        lastWords = words;
    }

    /** Kills it as {@code kill -9} does; on return, its rings hold all that it has acknowledged. */
    public void kill() {
        process.toHandle().destroyForcibly(); // not the process's own method, which discards what it has written
        process.onExit().join();
        boolean interrupted = false;
        while (listener.isAlive() && !interrupted) {
            try {
                listener.join();
            } catch (InterruptedException e) {
                interrupted = true;
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Ends it: at once, but by itself, if it can. */
    @Override
    public void close() {
        try {
            orders.close();
            if (!process.waitFor(LONGEST_GOODBYE_SECONDS, TimeUnit.SECONDS)) {
                kill();
            }
        } catch (IOException e) {
            kill();
        } catch (InterruptedException e) {
            kill();
            Thread.currentThread().interrupt();
        }
    }

    private CompletableFuture<Void> order(String line) {
        return send(line).thenAccept(done -> {});
    }

    private synchronized CompletableFuture<WorkerAccounts> send(String line) {
        Order order = new Order(
                line.substring(0, (line + WorkerProgram.TAB).indexOf(WorkerProgram.TAB)), new CompletableFuture<>());
        if (over) {
            order.answer().completeExceptionally(gone(order));
            return order.answer();
        }
        unanswered.add(order);
        try {
            orders.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            orders.flush();
        } catch (IOException e) {
            // it has ended, which the listener will find, too
        }
        return order.answer();
    }

    private Unavailable gone(Order order) {
        return new Unavailable(
                "the process that draws has ended before it could " + order.word()
                        + (lastWords.isEmpty() ? "" : " (" + lastWords + ")"),
                null);
    }

    private void listen() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                hear(line.split(WorkerProgram.TAB, -1));
            }
        } catch (IOException e) {
            // the same as its end
        }
        process.onExit().join();
        List<Order> late;
        synchronized (this) {
            over = true;
            lanes.forEach(lane -> lane.ring().end()); // nobody else is there to say so
            late = List.copyOf(unanswered);
            unanswered.clear();
        }
        late.forEach(order -> order.answer().completeExceptionally(gone(order)));
        ended.complete(null);
    }

    private void hear(String[] words) {
        switch (words[0]) {
            case "done" -> answered().answer().complete(takeAccounts());
            case "refused" -> answered().answer().completeExceptionally(new Unavailable(words[2], null));
            case "account" ->
                accounts.put(
                        words[1],
                        new Account(
                                Long.parseLong(words[2]),
                                Long.parseLong(words[3]),
                                Long.parseLong(words[4]),
                                Long.parseLong(words[5]),
                                Long.parseLong(words[6])));
            case "failed" -> failures.add(failed(words));
            case "lasting" -> onLasting.accept(failed(words));
            case "broken" -> lastWords(words[1]);
            default -> lastWords(String.join(" ", words));
        }
    }

    private static FailedDraws failed(String[] words) {
        return new FailedDraws(words[1], words[4], Long.parseLong(words[2]), Boolean.parseBoolean(words[3]));
    }

    private synchronized Order answered() {
        return unanswered.remove();
    }

    private WorkerAccounts takeAccounts() {
        WorkerAccounts taken = new WorkerAccounts(accounts, failures);
        accounts = new HashMap<>();
        failures = new ArrayList<>();
        return taken;
    }

    /** Keeps the last line of its messages, such as that the JVM did not start. */
    private void overhear() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                @Nullable String words = line.isBlank() ? null : line.strip();
                if (words != null) {
                    lastWords(words);
                }
            }
        } catch (IOException e) {
            // the same as its end
        }
    }
}
