// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.cli.terminal.ExitCode;
import dev.seriatim.servers.ProgramRun;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** The result of one command line. */
public record CommandLineRun(int code, String out, String err) {

    /** Runs a command line inside this process. */
    public static CommandLineRun of(Map<String, String> env, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Main.run(
                args,
                new PrintStream(out, false, StandardCharsets.UTF_8),
                new PrintStream(err, false, StandardCharsets.UTF_8),
                env);
        return new CommandLineRun(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /** Runs a command on a store, inside this process. */
    public static CommandLineRun on(String store, String... args) {
        return of(Map.of("SERIATIM_STORE", store), args);
    }

    /** Runs a command line in a process of its own, whose standard error also shows what other libraries log. */
    public static CommandLineRun inOwnProcess(Map<String, String> env, String... args) {
        ProgramRun run = ProgramRun.of(Main.class.getName(), env, List.of(args));
        return new CommandLineRun(run.code(), run.out(), run.err());
    }

    /** Done, without a word on standard error; returns standard output. */
    public String succeeded() {
        assertThat(err).isEmpty();
        assertThat(code).isEqualTo(ExitCode.DONE);
        return out;
    }

    /** Done, with this on standard output and nothing on standard error. */
    public void printed(String expected) {
        assertThat(succeeded()).isEqualTo(expected);
    }

    /** Done, with one note on standard error that holds these words; returns standard output. */
    public String noted(String... words) {
        assertThat(code).isEqualTo(ExitCode.DONE);
        assertThat(err)
                .startsWith("note: ")
                .endsWith("\n")
                .containsOnlyOnce("\n")
                .contains(words);
        return out;
    }

    /** Ended with one line on standard error that holds these words, and nothing on standard output. */
    public void failedWith(String... words) {
        assertThat(out).isEmpty();
        endedWith(ExitCode.FAILED, words);
    }

    /** As {@link #failedWith}, for a wrong command line: the line names the help. */
    public void refusedWith(String... words) {
        assertThat(out).isEmpty();
        endedWith(ExitCode.WRONG_USAGE, words);
        assertThat(err).contains("; see 'seriatim").contains("--help'");
    }

    public void endedWith(int expected, String... words) {
        assertThat(err).startsWith("seriatim: ").endsWith("\n").contains(words);
        assertThat(err.lines()).hasSize(1);
        assertThat(code).isEqualTo(expected);
    }
}
