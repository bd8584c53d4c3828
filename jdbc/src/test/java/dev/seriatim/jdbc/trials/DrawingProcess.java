// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.trials;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A running {@link DrawingProgram}, as its parent sees it. Its acknowledged numbers are added to the harvests as they
 * arrive.
 */
final class DrawingProcess implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 120;
    private static final String DONE = " done";

    private final Process process;
    private final Path temporary;
    private final Writer orders;
    private final Function<TrialMode, Harvest> harvests;
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    private final CompletableFuture<Void> end = new CompletableFuture<>();

    private DrawingProcess(Process process, Path temporary, Function<TrialMode, Harvest> harvests) {
        this.process = process;
        this.temporary = temporary;
        this.orders = process.outputWriter();
        this.harvests = harvests;
        Thread reader = new Thread(this::read, "reader of " + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    static DrawingProcess start(String url, Duration patience, Function<TrialMode, Harvest> harvests) {
        Path temporary = createFolder();
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Dorg.sqlite.tmpdir=" + temporary,
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx128m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        DrawingProgram.class.getName(),
                        url,
                        Long.toString(patience.toMillis()))
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        try {
            return new DrawingProcess(builder.start(), temporary, harvests);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start java", e);
        }
    }

    void awaitReady() throws InterruptedException {
        await("ready");
    }

    /** Starts threads that each draw a given number of times. */
    void draw(TrialMode mode, int threads, int turns) throws IOException {
        order("draw %s %d %d 0".formatted(mode, threads, turns));
    }

    /** Starts threads that draw until stopped or killed, each at most a thousand times a second. */
    void drawOn(TrialMode mode, int threads) throws IOException {
        order("draw %s %d %d 1000".formatted(mode, threads, Integer.MAX_VALUE));
    }

    void awaitDone(TrialMode mode) throws InterruptedException {
        await(mode + DONE);
    }

    void execute(String sql) throws IOException, InterruptedException {
        order("execute " + sql);
        await("executed");
    }

    /** Stops all threads, and returns once they have stopped. */
    void stop(Collection<TrialMode> drawing) throws IOException, InterruptedException {
        order("stop");
        Set<String> ends = drawing.stream().map(mode -> mode + DONE).collect(Collectors.toCollection(HashSet::new));
        while (!ends.isEmpty()) {
            String next = told.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (next == null || !ends.remove(next)) {
                throw new AssertionError("waited for " + ends + " of a process, and got: " + next);
            }
        }
    }

    /** Kills it with {@code kill -9}; on return, all that it had acknowledged has been harvested. */
    void kill() {
        // Not Process.destroyForcibly(), which discards the output already written.
        process.toHandle().destroyForcibly();
        process.onExit().join();
        end.join();
        deleteFolder();
    }

    /** For SQLite's native library, which a killed process leaves behind. */
    private static Path createFolder() {
        try {
            return Files.createTempDirectory("seriatim-drawing-");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a folder", e);
        }
    }

    private void deleteFolder() {
        File[] files = temporary.toFile().listFiles();
        for (File file : files == null ? new File[0] : files) {
            file.delete();
        }
        temporary.toFile().delete();
    }

    @Override
    public void close() {
        kill();
    }

    private void order(String order) throws IOException {
        orders.write(order + "\n");
        orders.flush();
    }

    private void await(String line) throws InterruptedException {
        String next = told.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (!line.equals(next)) {
            throw new AssertionError("waited for '" + line + "' of a process, and got: " + next);
        }
    }

    private void read() {
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                take(line);
            }
        } catch (IOException e) {
            told.add(e.toString());
        }
        told.add("(ended)");
        end.complete(null);
    }

    private void take(String line) {
        String[] words = line.split(" ", 5);
        if (words.length < 5) {
            told.add(line);
            return;
        }
        Harvest harvest = harvests.apply(TrialMode.valueOf(words[0]));
        long began = Long.parseLong(words[2]);
        long ended = Long.parseLong(words[3]);
        if (words[1].equals("drew")) {
            harvest.drew(began, ended, Long.parseLong(words[4]));
        } else {
            harvest.failed(new Harvest.Failure(began, ended, words[4]));
        }
    }
}
