// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.cli.terminal.ExitCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class NextCommandTest extends SqliteCommands {

    private static String lines(long from, long to) {
        return LongStream.rangeClosed(from, to).mapToObj(value -> value + "\n").collect(Collectors.joining());
    }

    @Test
    void prints_one_value_a_line_and_nothing_else() {
        line("create a").succeeded();
        assertThat(line("next a").succeeded()).isEqualTo("1\n");
        assertThat(line("next a -n 3").succeeded()).isEqualTo(lines(2, 4));
        assertThat(line("next -n 1 a").succeeded()).isEqualTo("5\n");
    }

    @Test
    void draws_many_in_one_reservation() {
        line("create a --cache 1").succeeded();
        assertThat(line("next a -n 100000").succeeded()).isEqualTo(lines(1, 100_000));
    }

    @Test
    void counts_down() {
        line("create a --increment-by -1 --start-with 3 --min-value 1 --max-value 3")
                .succeeded();
        assertThat(line("next a -n 3").succeeded()).isEqualTo("3\n2\n1\n");
    }

    @Test
    void names_a_sequence_that_is_missing() {
        line("next none").failedWith("'none'", "not found", "create it first");
        line("create other").succeeded();
        line("next none").failedWith("'none'", "not found", "create it first");
    }

    @Test
    void creates_a_sequence_that_is_missing_if_that_is_asked_for() {
        assertThat(line("next a --create").succeeded()).isEqualTo("1\n");
        assertThat(line("next a --create").succeeded()).isEqualTo("2\n");
        assertThat(line("next b --create -n 2 --mode BATCH").succeeded()).isEqualTo("1\n2\n");
    }

    @Test
    void prints_what_it_got_when_fewer_are_left_and_says_so() {
        line("create a --max-value 3").succeeded();
        CommandLineRun run = line("next a -n 5");
        assertThat(run.out()).isEqualTo("1\n2\n3\n");
        run.endedWith(ExitCode.FAILED, "'a'", "exhausted", "(3 of 5 drawn)");
        line("next a").failedWith("'a'", "exhausted", "max value 3");
        line("next a -n 2").failedWith("exhausted", "(0 of 2 drawn)");
    }

    @Test
    void goes_on_over_the_end_of_a_cycle() {
        line("create a --max-value 3 --cycle").succeeded();
        assertThat(line("next a -n 7").succeeded()).isEqualTo("1\n2\n3\n1\n2\n3\n1\n");
    }

    @ParameterizedTest
    @EnumSource(value = DrawMode.class, mode = EnumSource.Mode.EXCLUDE, names = "POOLED")
    void draws_one_by_one_in_every_mode_and_gives_back_what_is_left(DrawMode mode) {
        line("create a --cache 10").succeeded();
        assertThat(line("next a -n 25 --mode " + mode).succeeded()).isEqualTo(lines(1, 25));
        assertThat(line("next a").succeeded()).isEqualTo("26\n");
    }

    @ParameterizedTest
    @EnumSource(value = DrawMode.class, mode = EnumSource.Mode.EXCLUDE, names = "POOLED")
    void says_how_many_were_drawn_in_every_mode(DrawMode mode) {
        line("create a --max-value 7").succeeded();
        CommandLineRun run = line("next a -n 9 --mode " + mode);
        assertThat(run.out()).isEqualTo(lines(1, 7));
        run.endedWith(ExitCode.FAILED, "'a'", "exhausted", "(7 of 9 drawn)");
    }

    @Test
    void takes_the_shape_of_blocks() {
        line("create a").succeeded();
        assertThat(line("next a -n 12 --mode ASYNC_BATCH --batch-size 5 --low-water-mark 2")
                        .succeeded())
                .isEqualTo(lines(1, 12));
        assertThat(line("next a -n 2 --mode batch --batch-size 5").succeeded()).isEqualTo(lines(13, 14));
        assertThat(line("next a").succeeded()).isEqualTo("15\n");
    }

    @ParameterizedTest
    @CsvSource({
        "next, missing required parameter: 'NAME'",
        "next a -n 0, 'option ''-n'': must be at least 1, not 0'",
        "next a -n -5, 'option ''-n'': must be at least 1, not -5'",
        "next a -n x, 'option ''-n'': ''x'' is not a whole number'",
        "next a --count x, 'option ''--count'': ''x'' is not a whole number'",
        "next a -n 99999999999999999999, does not fit into 64 bits",
        "next a --mode FAST, not 'FAST'",
        "next a --mode FAST, ADAPTIVE",
        "next a --batch-size 5, --batch-size goes with --mode BATCH or ASYNC_BATCH only",
        "next a --mode ADAPTIVE --batch-size 5, --batch-size goes with",
        "next a --mode BATCH --low-water-mark 5, --low-water-mark goes with --mode ASYNC_BATCH only",
        "next a --mode BATCH --batch-size 0, 'option ''--batch-size'': must be at least 1, not 0'",
        "next a --mode ASYNC_BATCH --low-water-mark 0, 'option ''--low-water-mark'': must be at least 1, not 0'",
        "next a --mode ASYNC_BATCH --batch-size 5 --low-water-mark 6, --low-water-mark 6 exceeds --batch-size 5",
        "next a --cretae, did you mean '--create'?",
    })
    void refuses_a_wrong_command_line(String line, String message) {
        line(line).refusedWith(message);
    }

    @Test
    void shows_what_is_drawn_slowly_while_it_goes_on() throws Exception {
        String[] slowly = {"next", "a", "--create", "--mode", "ASYNC", "-n", "100", "--store", "memory:?latency=20ms"};
        try (PipedInputStream shown = new PipedInputStream();
                PrintStream out = new PrintStream(new PipedOutputStream(shown), false, StandardCharsets.UTF_8)) {
            CompletableFuture<Integer> drawing =
                    CompletableFuture.supplyAsync(() -> Main.run(slowly, out, System.err, Map.of()));
            assertThat(new BufferedReader(new InputStreamReader(shown, StandardCharsets.UTF_8)).readLine())
                    .isEqualTo("1");
            assertThat(drawing).isNotDone();
            assertThat(drawing.get(1, TimeUnit.MINUTES)).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--stripes 1"})
    void a_count_beyond_all_reason_reserves_no_more_than_a_million_before_the_reader_leaves(String option)
            throws IOException {
        line(("create a " + option).strip()).succeeded();
        PipedInputStream shown = new PipedInputStream();
        try (PrintStream out = new PrintStream(new PipedOutputStream(shown), false, StandardCharsets.UTF_8)) {
            shown.close(); // as a pipe to head does
            String[] words = ("next a -n 10000000000 " + option).strip().split(" ", -1);
            Map<String, String> env =
                    Map.of("SERIATIM_STORE", "sqlite:" + directory().resolve("test.db"));
            assertThat(Main.run(words, out, System.err, env)).isZero();
        }
        long next =
                Long.parseLong(line(("next a " + option).strip()).succeeded().strip());
        assertThat(next).isBetween(2L, 1_000_001L);
    }
}
