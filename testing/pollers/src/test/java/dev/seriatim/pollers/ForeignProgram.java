// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.pollers;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A process that runs until it is closed or the JVM ends. */
final class ForeignProgram implements PollerContract.Poller {
    private static final int PAUSE_MILLIS = 20;
    private static final int TAIL = 3_000;

    private final Path output;
    private final Path errors;
    private final Process process;
    private final Thread atExit = new Thread(this::kill);
    private @Nullable Background reader;

    /** Starts it, with its output in files of a folder. */
    ForeignProgram(Path folder, String name, List<String> command, Map<String, String> environment) throws IOException {
        output = folder.resolve(name + ".out");
        errors = folder.resolve(name + ".err");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile());
        builder.environment().putAll(environment);
        process = builder.start();
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    static boolean isInstalled(String program) {
        return Stream.of(Objects.requireNonNullElse(System.getenv("PATH"), "").split(File.pathSeparator, -1))
                .anyMatch(path -> Files.isExecutable(Path.of(path, program)));
    }

    /** Returns the file with its standard output. */
    Path output() {
        return output;
    }

    /** Hands on each line of a file that the program writes. Returns this program. */
    ForeignProgram reading(Path file, Consumer<String> line) {
        reader = Background.start("reader of " + file.getFileName(), () -> {
            while (!Files.exists(file)) {
                Thread.sleep(PAUSE_MILLIS);
            }
            try (RandomAccessFile lines = new RandomAccessFile(file.toFile(), "r")) {
                handOn(lines, line);
            }
        });
        return this;
    }

    private static void handOn(RandomAccessFile lines, Consumer<String> line) throws IOException, InterruptedException {
        StringBuilder rest = new StringBuilder();
        byte[] buffer = new byte[64 * 1024];
        while (true) {
            int read = lines.read(buffer);
            if (read < 0) {
                Thread.sleep(PAUSE_MILLIS);
                continue;
            }
            rest.append(new String(buffer, 0, read, StandardCharsets.ISO_8859_1));
            int end = rest.lastIndexOf("\n");
            if (end >= 0) {
                rest.substring(0, end).lines().forEach(line);
                rest.delete(0, end + 1);
            }
        }
    }

    /** Waits until it ends by itself. */
    void await() throws InterruptedException {
        if (process.waitFor() != 0) {
            throw new IllegalStateException("ended with " + process.exitValue() + ": " + this);
        }
    }

    @Override
    public void check() throws InterruptedException {
        if (!process.isAlive()) {
            throw new IllegalStateException("ended with " + process.exitValue() + ": " + this);
        }
        if (reader != null) {
            reader.check();
        }
    }

    /** Returns the end of what it has printed. */
    @Override
    public String toString() {
        try {
            String printed = Files.readString(output) + Files.readString(errors);
            return printed.substring(Math.max(0, printed.length() - TAIL));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void kill() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    @Override
    public void close() {
        kill();
        process.onExit().join();
        Runtime.getRuntime().removeShutdownHook(atExit);
        if (reader != null) {
            reader.close();
        }
    }
}
