// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The result of a Java program that ran in a separate process with this JVM's class path. Immutable and thread-safe.
 *
 * @param code its exit code
 * @param out its standard output
 * @param err its standard error
 * @param took how long it ran
 */
public record ProgramRun(int code, String out, String err, Duration took) {

    /** The environment variable that makes every JVM print an extra line on standard error. */
    private static final String OPTIONS = "JAVA_TOOL_OPTIONS";

    /**
     * Runs a program to its end. Removes environment variables with an empty value, and the JVM options of the user who
     * runs the tests, which would add a line to the output.
     */
    public static ProgramRun of(String mainClass, Map<String, String> environment, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED"));
        if (Runtime.version().feature() >= 23) { // newer versions warn if libraries use it
            command.add("--sun-misc-unsafe-memory-access=allow");
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().remove(OPTIONS);
        builder.environment().putAll(environment);
        builder.environment().values().removeIf(String::isEmpty);
        return of(builder);
    }

    /** Runs any program to its end, without input. */
    public static ProgramRun of(ProcessBuilder builder) {
        long began = System.nanoTime();
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            // One thread per stream, so that the program never blocks on output that is not read.
            CompletableFuture<String> err = new CompletableFuture<>();
            Thread reader = new Thread(() -> err.complete(text(process.getErrorStream())), "standard-error");
            reader.start();
            String out = text(process.getInputStream());
            int code = process.waitFor();
            return new ProgramRun(code, out, err.join(), Duration.ofNanos(System.nanoTime() - began));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a program ran", e);
        }
    }

    private static String text(InputStream stream) {
        try {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
