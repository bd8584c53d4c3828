// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A child process with this build's classes, and its output. Not thread-safe. */
record Child(Process process, BufferedReader output) implements AutoCloseable {

    static Child of(Class<?> main, String... arguments) throws IOException {
        List<String> command = Stream.concat(
                        Stream.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                "-cp",
                                System.getProperty("java.class.path"),
                                main.getName()),
                        Stream.of(arguments))
                .toList();
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD) // the client's advice on logging
                .start();
        return new Child(process, process.inputReader());
    }

    /** Returns the next line; fails if the process has ended. */
    String line() throws IOException {
        String line = output.readLine();
        if (line == null) {
            throw new AssertionError("the process ended before it printed everything");
        }
        return line;
    }

    /** Lets it continue. */
    void go() throws IOException {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
    }

    /** Kills it, like kill -9. */
    void kill() {
        process.destroyForcibly();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        kill();
    }
}
