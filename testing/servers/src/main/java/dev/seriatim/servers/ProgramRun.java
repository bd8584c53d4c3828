// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The exit code and the output of a program that ran to its end in a separate process. */
public record ProgramRun(int code, String out, String err) {

    /** Runs a Java program with this JVM's class path. Removes environment variables with an empty value. */
    public static ProgramRun of(String mainClass, Map<String, String> environment, List<String> arguments) {
        List<String> options = new ArrayList<>(List.of("--enable-native-access=ALL-UNNAMED"));
        if (Runtime.version().feature() >= 23) { // newer versions warn if libraries use it
            options.add("--sun-misc-unsafe-memory-access=allow");
        }
        options.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass));
        options.addAll(arguments);
        ProcessBuilder builder = java(options.toArray(String[]::new));
        builder.environment().putAll(environment);
        builder.environment().values().removeIf(String::isEmpty);
        return of(builder);
    }

    /** Returns a builder that runs this JVM's Java, with options for a quick start. */
    public static ProcessBuilder java(String... arguments) {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().remove("JAVA_TOOL_OPTIONS"); // makes every JVM print an extra line
        return builder;
    }

    /** Runs any program to its end, without input. */
    public static ProgramRun of(ProcessBuilder builder) {
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            // One thread per stream, so that the program never blocks on output that is not read.
            CompletableFuture<String> err = new CompletableFuture<>();
            Thread reader = new Thread(() -> err.complete(text(process.getErrorStream())), "standard-error");
            reader.start();
            String out = text(process.getInputStream());
            int code = process.waitFor();
            return new ProgramRun(code, out, err.join());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run " + builder.command().get(0), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(
                    "interrupted while running " + builder.command().get(0), e);
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
