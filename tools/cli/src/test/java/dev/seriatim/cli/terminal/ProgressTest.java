// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ProgressTest {

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final PrintStream err = new PrintStream(written, true, StandardCharsets.UTF_8);

    @Test
    void shows_a_line_and_erases_it_at_the_end() throws InterruptedException {
        CountDownLatch shown = new CountDownLatch(2);
        Progress progress = Progress.start(
                "drawing",
                () -> {
                    shown.countDown();
                    return 1234;
                },
                5000,
                err,
                Duration.ZERO);
        shown.await();
        progress.close();
        assertThat(written.toString(StandardCharsets.UTF_8))
                .contains("\r\u001b[Kdrawing: 1,234 of 5,000 (24 %)")
                .endsWith("\r\u001b[K");
    }

    @Test
    void says_nothing_about_what_is_quickly_done() {
        Progress.start("drawing", () -> 1, 2, err, Duration.ofMinutes(1)).close();
        assertThat(written.size()).isZero();
    }

    @Test
    void shows_no_share_of_a_total_that_is_not_known() {
        assertThat(Progress.line("reading", 1_000_000, 0)).isEqualTo("reading: 1,000,000");
    }
}
