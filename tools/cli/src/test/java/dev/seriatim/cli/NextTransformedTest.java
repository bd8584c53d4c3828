// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.cli.terminal.ExitCode;
import dev.seriatim.number.PermutationKey;
import dev.seriatim.number.Transform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class NextTransformedTest extends SqliteCommands {

    private String keyFile(String secret) throws IOException {
        Path file = Files.writeString(directory().resolve("key"), secret);
        if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        }
        return file.toString();
    }

    private CommandLineRun byKey(String name, String file) {
        return run("next", name, "--permute-range", "1..9", "--permute-key-file", file);
    }

    private static String permuted(String secret, long min, long max, long from, long to) {
        Transform transform = Transform.permuted(PermutationKey.derivedFrom(secret), min, max);
        return LongStream.rangeClosed(from, to)
                .mapToObj(n -> transform.apply(n) + "\n")
                .collect(Collectors.joining());
    }

    @Test
    void writes_numbers_by_a_pattern() {
        line("create a").succeeded();
        assertThat(line("next a --format INV-{seq:6}").succeeded()).isEqualTo("INV-000001\n");
        assertThat(line("next a -n 2 --format {seq:4,radix=36,check=mod97}").succeeded())
                .isEqualTo("000292\n000389\n");
    }

    @ParameterizedTest
    @EnumSource(value = DrawMode.class, mode = EnumSource.Mode.EXCLUDE, names = "POOLED")
    void writes_them_so_in_every_mode(DrawMode mode) throws IOException {
        line("create a --max-value 99").succeeded();
        assertThat(line("next a -n 2 --bit-reversed --format {seq:19} --mode " + mode)
                        .succeeded())
                .isEqualTo("4611686018427387904\n2305843009213693952\n");
        String key = keyFile("a secret of 25 characters");
        assertThat(run(
                                "next",
                                "a",
                                "-n",
                                "5",
                                "--permute-key-file",
                                key,
                                "--permute-range",
                                "1..99",
                                "--mode",
                                mode.name())
                        .succeeded())
                .isEqualTo(permuted("a secret of 25 characters", 1, 99, 3, 7));
    }

    @Test
    void reverses_bits_as_spanner_does() {
        line("create a").succeeded();
        assertThat(line("next a -n 3 --bit-reversed").succeeded())
                .isEqualTo("4611686018427387904\n2305843009213693952\n6917529027641081856\n");
    }

    @Test
    void permutes_inside_the_bounds_of_the_sequence() throws IOException {
        line("create a --min-value 100000 --max-value 999999").succeeded();
        String key = keyFile("a secret of 25 characters\n"); // an editor's line end does not count
        assertThat(run("next", "a", "-n", "20", "--permute-key-file", key, "--permute-range", "100000..999999")
                        .succeeded())
                .isEqualTo(permuted("a secret of 25 characters", 100_000, 999_999, 100_000, 100_019));
        assertThat(run(
                                "next",
                                "a",
                                "--permute-key-file",
                                key,
                                "--permute-range",
                                "100000..999999",
                                "--format",
                                "INV-{seq:6}")
                        .succeeded())
                .isEqualTo("INV-" + permuted("a secret of 25 characters", 100_000, 999_999, 100_020, 100_020));
    }

    @Test
    void deals_no_permuted_number_again_when_the_bounds_change() throws IOException {
        line("create a --max-value 99").succeeded();
        String[] next = {
            "next",
            "a",
            "-n",
            "60",
            "--permute-key-file",
            keyFile("a secret of 25 characters"),
            "--permute-range",
            "1..99"
        };
        List<String> first = run(next).succeeded().lines().toList();
        line("alter a --max-value 199 --min-value -100 --start-with 1").succeeded();
        CommandLineRun second = run(next);
        second.endedWith(ExitCode.FAILED, "'a'", "100 is outside 1 … 99", "a new permutation", "(39 of 60 drawn)");
        assertThat(second.out().lines().toList())
                .hasSize(39)
                .doesNotHaveDuplicates()
                .doesNotContainAnyElementsOf(first);
    }

    @Test
    void says_what_to_do_when_all_permuted_numbers_have_been_dealt() throws IOException {
        line("create a --max-value 5").succeeded();
        String[] next = {
            "next",
            "a",
            "-n",
            "5",
            "--permute-key-file",
            keyFile("a secret of 25 characters"),
            "--permute-range",
            "1..5"
        };
        assertThat(run(next).succeeded().lines()).containsExactlyInAnyOrder("1", "2", "3", "4", "5");
        CommandLineRun run = run(next);
        run.endedWith(ExitCode.FAILED, "'a'", "exhausted", "a new sequence", "a new permutation");
        assertThat(run.err()).doesNotContain("alter the bound");
    }

    @Test
    void creates_a_sequence_that_is_missing_and_permutes_it() throws IOException {
        assertThat(run(
                                "next",
                                "a",
                                "--create",
                                "--permute-range",
                                "1..9223372036854775807",
                                "--permute-key-file",
                                keyFile("a secret of 25 characters"))
                        .succeeded())
                .isEqualTo(permuted("a secret of 25 characters", 1, Long.MAX_VALUE, 1, 1));
    }

    @Test
    void says_what_is_wrong_with_a_key_file_and_draws_nothing() throws IOException {
        line("create a").succeeded();
        line("next a --permute-range 1..9 --permute-key-file /nowhere/key")
                .failedWith("'/nowhere/key'", "no such file");
        byKey("a", keyFile("")).failedWith("is empty");
        byKey("a", directory().toString()).failedWith("is a directory");
        byKey("a", keyFile("k")).failedWith("holds 1 bytes", "16 random bytes or more");
        Path secret = Path.of(keyFile("open sesame, please"));
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-r--r--"));
        byKey("a", secret.toString()).failedWith("mode rw-r--r--", "chmod 600 " + secret);
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        assertThat(byKey("none", secret.toString()).err())
                .contains("'none'", "not found")
                .doesNotContain("sesame");
        assertThat(line("next a").succeeded()).isEqualTo("1\n");
    }

    @Test
    void says_how_many_were_drawn_when_a_number_does_not_fit() {
        line("create a --start-with 8").succeeded();
        CommandLineRun run = line("next a -n 5 --format {seq:1}");
        assertThat(run.out()).isEqualTo("8\n9\n");
        run.endedWith(ExitCode.FAILED, "'a'", "10 has 2 digits", "(2 of 5 drawn)");
        line("create down --min-value -5 --start-with -5").succeeded();
        line("next down --bit-reversed").failedWith("'down'", "from 0", "not -5");
    }

    private SortedSet<Long> drawn(String line) {
        return line(line).succeeded().lines().map(Long::valueOf).collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void draws_together_from_one_stripe_and_then_from_the_others() {
        line("create a --stripes 4 --max-value 40").succeeded();
        SortedSet<Long> some = drawn("next a --stripes 4 -n 5");
        assertThat(some).hasSize(5);
        assertThat(some.stream().map(n -> n % 4).distinct()).hasSize(1);
        SortedSet<Long> all = drawn("next a --stripes 4 -n 35");
        all.addAll(some);
        assertThat(all).hasSize(40);
        assertThat(all.first()).isEqualTo(1);
        assertThat(all.last()).isEqualTo(40);
        line("next a --stripes 4").failedWith("'a'", "exhausted", "4 stripes");
    }

    @ParameterizedTest
    @EnumSource(
            value = DrawMode.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"SYNC", "GROUPED", "POOLED"})
    void draws_from_stripes_in_every_mode_that_has_them(DrawMode mode) {
        line("create a --stripes 3 --cache 5 --max-value 300").succeeded();
        TreeSet<Long> all = new TreeSet<>();
        IntStream.range(0, 4).forEach(round -> all.addAll(drawn("next a --stripes 3 -n 75 --mode " + mode)));
        assertThat(all).hasSize(300);
        line("next a --stripes 3 --mode " + mode).failedWith("'a'", "exhausted");
    }

    @Test
    void permutes_a_striped_sequence_inside_the_bounds_of_the_whole() throws IOException {
        line("create a --stripes 4 --min-value 100 --max-value 199").succeeded();
        String[] next = {
            "next",
            "a",
            "--stripes",
            "4",
            "-n",
            "100",
            "--permute-range",
            "100..199",
            "--permute-key-file",
            keyFile("a secret of 25 characters")
        };
        List<String> expected = permuted("a secret of 25 characters", 100, 199, 100, 199)
                .lines()
                .toList();
        assertThat(run(next).succeeded().lines().toList()).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void creates_and_drops_stripes() {
        assertThat(line("create a --stripes 2").succeeded()).contains("created 'a' over 2 stripes in");
        line("create a --stripes 2").failedWith("'a'", "already exists", "2 stripes");
        assertThat(line("create a --stripes 2 --if-not-exists").succeeded()).contains("nothing was changed");
        assertThat(line("list").succeeded()).contains("a_0_of_2", "a_1_of_2");
        line("next a --stripes 3").failedWith("_of_3", "not found");
        assertThat(line("drop a --stripes 2").succeeded()).contains("dropped 'a' over 2 stripes from");
        line("drop a --stripes 2").failedWith("'a'", "not found");
        assertThat(drawn("next a --stripes 2 --create")).hasSize(1);
        assertThat(drawn("next a --stripes 2 --create -n 3")).hasSize(3);
        line("create b --stripes 4 --increment-by 2").failedWith("'b'", "share a factor");
    }

    @Test
    void stripes_over_a_table_that_holds_counters_alone() throws SQLException {
        sql("create table counters (name varchar(64) primary key, next_value bigint not null)");
        String[] store = {
            "--store",
            "sqlite:" + directory().resolve("test.db")
                    + "?table=counters&kind=next&name-column=name&value-column=next_value"
        };
        on(store, "create a --stripes 3").failedWith("'a'", "start it at 3 or above");
        on(store, "create a --stripes 3 --start-with 3 --max-value 99").failedWith("holds only the counter");
        on(store, "create a --stripes 3 --start-with 3").succeeded();
        on(store, "drop a_2_of_3").succeeded();
        on(store, "create a --stripes 3 --start-with 3").succeeded(); // completes it
        Set<String> drawn = new TreeSet<>();
        for (int i = 0; i < 20; i++) {
            on(store, "next a --stripes 3 -n 2")
                    .succeeded()
                    .lines()
                    .forEach(value -> assertThat(drawn.add(value)).isTrue());
        }
        assertThat(drawn).hasSize(40).allMatch(value -> Long.parseLong(value) >= 3);
    }

    private CommandLineRun on(String[] store, String line) {
        return run(
                Stream.concat(Stream.of(store), Stream.of(line.split(" ", -1))).toArray(String[]::new));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "next a --format INV | --format: the pattern 'INV' has no {seq}",
                "next a --format {seq:radix=2} | the radix must be 10, 16, 32 or 36",
                "next a --format {seq:max=2,check=mod97} | more than its max=2",
                "next a --bit-reversed --permute-key-file key | exclude each other",
                "next a --permute-key-file key | --permute-key-file needs --permute-range MIN..MAX",
                "next a --permute-range 1..9 | --permute-range goes with --permute-key-file",
                "next a --permute-key-file key --permute-range 1-9 | '1-9' is not a range",
                "next a --permute-key-file key --permute-range 9..1 | its ends are out of order",
                "next a --permute-key-file key --permute-range 1..9223372036854775808 | does not fit into 64 bits",
                "next a --permute-key-file | missing required parameter for option '--permute-key-file'",
                "next a --stripes 0 | --stripes must be from 1 to 256",
                "next a --stripes 257 | --stripes must be from 1 to 256",
                "next a --stripes x | 'x' is not a whole number",
                "next a --stripes 2 --mode SYNC | --stripes goes with --mode ASYNC, COMBINED",
                "create a --stripes 0 | --stripes must be from 1 to 256",
                "drop a --stripes 0 | --stripes must be from 1 to 256",
            })
    void refuses_a_wrong_command_line(String line, String message) {
        line(line).refusedWith(message);
    }
}
