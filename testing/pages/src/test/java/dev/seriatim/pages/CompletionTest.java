// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.seriatim.cli.CommandLineRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The script that {@code completion} prints, run by bash. */
class CompletionTest {

    private static final Path BASH = Path.of("/bin/bash");
    /** Does what bash does when Tab is pressed at the end of the words, and prints what it would offer. */
    private static final String TAB = """
            compopt() { :; } # works only while Tab is pressed
            source "$1"
            shift
            COMP_WORDS=("$@")
            COMP_CWORD=$(($# - 1))
            offers=$(complete -p seriatim)
            function=${offers##* -F }
            ${function%% *}
            printf '%s\\n' "${COMPREPLY[@]}"
            """;

    @TempDir
    private Path folder;

    private Path script = Path.of("");

    @BeforeEach
    void print() throws IOException {
        assumeTrue(Files.isExecutable(BASH), () -> "skipped: there is no " + BASH);
        String printed = CommandLineRun.of(Map.of(), "completion").succeeded();
        script = Files.writeString(folder.resolve("completion"), printed);
    }

    @ParameterizedTest
    @CsvSource({
        "sy, sync",
        "adv, advise",
        "install --pr, --print",
        "next --mode ADA, ADAPTIVE",
        "bench --scen, --scenario",
        "bench comp, compare",
        "feed cr, create",
        "feed read --fo, --format",
        "list --st, --store",
        "list --format js, json"
    })
    void what_is_typed_is_completed(String typed, String offer) throws IOException, InterruptedException {
        assertThat(tab("seriatim " + typed)).containsExactly(offer);
    }

    @ParameterizedTest
    @CsvSource({"advise --st, --store", "next --zz, --zz"})
    void what_is_hidden_or_unknown_is_not_offered(String typed, String never) throws IOException, InterruptedException {
        assertThat(tab("seriatim " + typed)).doesNotContain(never);
    }

    private List<String> tab(String line) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(BASH.toString(), "-c", TAB, "bash", script.toString()));
        command.addAll(List.of(line.split(" ")));
        Process bash = new ProcessBuilder(command).redirectErrorStream(true).start();
        String printed = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor()).as(printed).isZero();
        return printed.lines().map(String::strip).toList();
    }
}
