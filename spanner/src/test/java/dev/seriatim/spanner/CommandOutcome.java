// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What a command, run in a process of its own, left behind. */
record CommandOutcome(int code, String out, String err, Duration took) {

    /** Runs one on a store. */
    static CommandOutcome of(String store, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.seriatim.cli.Main"));
        command.addAll(List.of(arguments));
        command.addAll(List.of("--store", store));
        long began = System.nanoTime();
        try {
            ProcessBuilder builder = new ProcessBuilder(command);
            // Credentials of whoever runs the tests are none of theirs.
            builder.environment().put("GOOGLE_APPLICATION_CREDENTIALS", "/nowhere/credentials.json");
            builder.environment().remove("SPANNER_EMULATOR_HOST");
            Process process = builder.start();
            process.getOutputStream().close();
            var err = process.getErrorStream();
            StringBuilder said = new StringBuilder();
            Thread reader = new Thread(() -> {
                try {
                    said.append(new String(err.readAllBytes(), StandardCharsets.UTF_8));
                } catch (IOException e) {
                    said.append(e);
                }
            });
            reader.start();
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int code = process.waitFor();
            reader.join();
            return new CommandOutcome(
                    code, out, withoutJavasWarnings(said.toString()), Duration.ofNanos(System.nanoTime() - began));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Later Java complains of what the client does, without naming us. */
    private static String withoutJavasWarnings(String said) {
        return said.replaceAll("(?m)^WARNING: .*\\R", "");
    }

    CommandOutcome failed(String... said) {
        assertThat(code).isEqualTo(1);
        assertThat(out).isEmpty();
        assertThat(err).startsWith("seriatim: ").hasLineCount(1).contains(said);
        return this;
    }

    CommandOutcome done(String printed) {
        assertThat(err).isEmpty();
        assertThat(out).isEqualTo(printed);
        assertThat(code).isZero();
        return this;
    }
}
