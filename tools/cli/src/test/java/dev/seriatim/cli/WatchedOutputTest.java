// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class WatchedOutputTest {

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final PrintStream err = new PrintStream(said, true, StandardCharsets.UTF_8);

    /** A place to write to that fails with the system's message, in a language of its own. */
    private static OutputStream failing(Path place, String message) throws IOException {
        return new FileOutputStream(place.toFile()) {
            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                throw new IOException(message);
            }
        };
    }

    private WatchedOutput drawInto(OutputStream place, long count) {
        WatchedOutput watched = new WatchedOutput(place);
        PrintStream out = new PrintStream(watched, false, StandardCharsets.UTF_8);
        String[] args = {"--store", "memory:", "next", "a", "--create", "-n", Long.toString(count)};
        assertThat(Main.run(args, out, err, Map.of())).isZero();
        return watched;
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void stops_quietly_when_the_reader_is_gone_in_any_language() throws Exception {
        Path pipe = folder.resolve("pipe");
        new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor();
        var reader = CompletableFuture.supplyAsync(() -> {
            try (FileInputStream opened = new FileInputStream(pipe.toFile())) {
                return opened.available();
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
        try (OutputStream place = failing(pipe, "Tubería rota")) {
            assertThat(drawInto(place, Long.MAX_VALUE).complain(err, true)).isFalse();
            assertThat(said.size()).isZero();
        }
        reader.join();
    }

    @Test
    void says_when_the_place_is_full_also_in_a_message_that_names_a_pipe() throws IOException {
        try (OutputStream place = failing(Files.createFile(folder.resolve("pipes.txt")), "pipes.txt: no space")) {
            assertThat(drawInto(place, 1).complain(err, true)).isTrue();
        }
        assertThat(said.toString(StandardCharsets.UTF_8))
                .startsWith("seriatim: standard output cannot be written: pipes.txt: no space; write elsewhere")
                .contains("numbers that were drawn and not printed are lost");
    }

    @Test
    void a_command_that_draws_nothing_loses_no_numbers() throws IOException {
        try (OutputStream place = failing(Files.createFile(folder.resolve("full")), "no space")) {
            assertThat(drawInto(place, 1).complain(err, false)).isTrue();
        }
        assertThat(said.toString(StandardCharsets.UTF_8))
                .isEqualTo("seriatim: standard output cannot be written: no space; write elsewhere\n");
    }

    @Test
    void says_nothing_when_all_was_written() {
        assertThat(new WatchedOutput(said).complain(err, true)).isFalse();
    }
}
