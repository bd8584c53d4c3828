// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WatchedOutputTest {

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final PrintStream err = new PrintStream(said, true, StandardCharsets.UTF_8);

    private WatchedOutput drawInto(String failure, long count) {
        WatchedOutput watched = new WatchedOutput(new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException(failure);
            }
        });
        PrintStream out = new PrintStream(watched, false, StandardCharsets.UTF_8);
        String[] args = {"--store", "memory:", "next", "a", "--create", "-n", Long.toString(count)};
        assertThat(Main.run(args, out, err, Map.of())).isZero();
        return watched;
    }

    @Test
    void stops_quietly_when_the_reader_is_gone() {
        assertThat(drawInto("Broken pipe", Long.MAX_VALUE).complain(err)).isFalse();
        assertThat(said.size()).isZero();
    }

    @Test
    void says_when_the_place_is_full() {
        assertThat(drawInto("No space left on device", 1).complain(err)).isTrue();
        assertThat(said.toString(StandardCharsets.UTF_8))
                .startsWith("seriatim: standard output cannot be written: No space left on device");
    }

    @Test
    void says_nothing_when_all_was_written() {
        assertThat(new WatchedOutput(said).complain(err)).isFalse();
    }
}
