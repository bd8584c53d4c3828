// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.seriatim.cli.CommandLineRun;
import dev.seriatim.cli.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command line, over sequences of this library in a file. */
class DoctorCommandTest {

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit's to set
    private Path folder;

    private String url = "";

    @BeforeEach
    void name_the_store() {
        url = "sqlite:" + folder.resolve("numbers.db");
    }

    private CommandLineRun run(String words) {
        return CommandLineRun.on(url, words.split(" ", -1));
    }

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    @Test
    void nothing_wrong_is_exit_code_0_and_something_is_3() {
        run("create orders").succeeded();
        assertThat(run("doctor").succeeded())
                .contains("examined 0 numbered columns, 0 native sequences, 1 sequence of Seriatim's in ")
                .endsWith("\nno fault found\n");
        run("create --max-value 1000 --start-with 901 invoices").succeeded();
        CommandLineRun found = run("doctor");
        assertThat(found.code()).isEqualTo(ExitCode.WRONG_NUMBERS);
        assertThat(found.err()).isEmpty();
        assertThat(found.out())
                .contains("\n  invoices  [running-out]\n    90 % of its numbers up to 1000 are used\n")
                .contains("\n    run: seriatim alter --max-value 9223372036854775807 --store sqlite:")
                .endsWith("\n1 warning\n");
    }

    @Test
    void a_command_names_the_variable_instead_of_a_store_with_secrets() {
        String store = "jdbc:h2:mem:named;DB_CLOSE_DELAY=-1;PASSWORD=s3cret";
        CommandLineRun.on(store, "create", "--max-value", "1000", "--start-with", "901", "shorts")
                .succeeded();
        assertThat(CommandLineRun.on(store, "doctor").out())
                .contains("run: seriatim alter --max-value 9223372036854775807 --store \"$SERIATIM_STORE\" shorts\n")
                .doesNotContain("s3cret");
    }

    @Test
    void json_and_the_page_say_the_same() throws IOException {
        run("create --max-value 1000 --start-with 901 <b>&amp;").succeeded();
        CommandLineRun run = run("doctor --format json --json " + file("d.json") + " --html " + file("d.html"));
        run.endedWith(ExitCode.WRONG_NUMBERS, "numbers.db has 1 warning");
        assertThat(Files.readString(folder.resolve("d.json"))).isEqualTo(run.out());
        JsonObject json = JsonParser.parseString(run.out()).getAsJsonObject();
        assertThat(json.get("warnings").getAsInt()).isEqualTo(1);
        assertThat(json.get("errors").getAsInt()).isZero();
        JsonObject generator = json.getAsJsonArray("generators").get(0).getAsJsonObject();
        assertThat(generator.get("kind").getAsString()).isEqualTo("counter");
        assertThat(generator.get("next_value").getAsString()).isEqualTo("901");
        assertThat(generator.get("used_percent").getAsDouble()).isEqualTo(90);
        assertThat(generator.get("used_up_on").isJsonNull()).isTrue();
        assertThat(Files.readString(folder.resolve("d.html")))
                .contains("<h1>1 warning</h1>", "&lt;b&gt;&amp;amp;", "90 % of its numbers up to 1000 are used")
                .doesNotContain("<b>&", "<script", "http:", "https:");
    }

    @Test
    void a_history_says_when_numbers_run_out() throws IOException {
        run("create --max-value 1000 --cache 1 invoices").succeeded();
        run("create --increment-by -1 --min-value -1000 --cache 1 down").succeeded();
        run("create idle").succeeded();
        Path history = folder.resolve("history");
        run("doctor --history " + history).succeeded();
        Instant ago = Instant.now().minus(10, ChronoUnit.DAYS);
        Files.writeString(
                history,
                Files.readString(history).replaceFirst("\"at\":\"[^\"]*\"", "\"at\":\"" + ago + "\"")
                        + "{\"at\":\"2020-01-01T00:00:00Z\",\"database\":\"another\",\"next\":{\"counter invoices\":\"1\"}}\n");
        run("next --count 100 invoices").succeeded();
        run("next --count 500 down").succeeded();
        String text = run("doctor --history " + history).out();
        LocalDate down = LocalDate.now(ZoneOffset.UTC).plusDays(10);
        assertThat(text)
                .containsAnyOf(
                        "down runs out first, on " + down + " at its pace so far",
                        "down runs out first, on " + down.minusDays(1) + " at its pace so far");
        assertThat(Files.readAllLines(history)).hasSize(3);
        JsonObject json = JsonParser.parseString(
                        run("doctor --format json --history " + history).out())
                .getAsJsonObject();
        List<String> dates = json.getAsJsonArray("generators").asList().stream()
                .map(one -> one.getAsJsonObject().get("name").getAsString() + " "
                        + one.getAsJsonObject().get("used_up_on"))
                .toList();
        assertThat(dates).contains("idle null").anyMatch(date -> date.matches("invoices \"....-..-..\""));
    }

    @Test
    void a_file_that_is_no_history_is_refused_and_left_alone() throws IOException {
        run("create orders").succeeded();
        Path notes = folder.resolve("notes");
        Files.writeString(notes, "buy milk\n");
        run("doctor --history " + notes).failedWith("notes' is not a history of this command (line 1)");
        assertThat(notes).hasContent("buy milk\n");
        assumeThat(Path.of("/dev/full")).exists(); // which can be read without end
        run("doctor --history /dev/full").failedWith("cannot be written (No space left on device); choose another");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--dry-run | add --mend",
                "--mend --dry-run --format json | leave --format out",
                "--timeout 0s | --timeout must be at least 1ms",
                "--timeout soon | 'soon' is not a duration",
                "--colunm a=b.c | did you mean '--column'?",
                "--column a | is not of the form NAME=[SCHEMA.]TABLE.COLUMN",
                "--column a=b.c --column a=b.d | names two columns for 'a'",
                "orders | unexpected argument 'orders'"
            })
    void a_wrong_command_line_is_refused(String words, String why) {
        run("doctor " + words).refusedWith(why);
    }

    @Test
    void what_is_missing_is_named() {
        run("doctor").failedWith("there is no such file: ", "numbers.db");
        assertThat(folder.resolve("numbers.db")).doesNotExist();
        run("create orders").succeeded();
        run("doctor --column bills=bill.id").failedWith("'bills'", "has no such sequence");
        run("doctor --column orders=bill.id").failedWith("has no column bill.id of numbers");
        run("doctor --json " + folder).failedWith("--json: cannot write", "it is a directory");
        url = "jdbc:postgresql://127.0.0.1:1/shop?user=me&password=hush-hush";
        CommandLineRun run = run("doctor");
        run.failedWith("127.0.0.1:1/shop cannot be reached");
        assertThat(run.err()).doesNotContain("hush");
        url = "jdbc:h2:mem:doctor;DB_CLOSE_DELAY=-1";
        run("create --max-value 1000 --start-with 901 orders").succeeded();
        Examination h2 = Examination.of(url);
        assertThat(h2.run().code()).isEqualTo(ExitCode.WRONG_NUMBERS);
        run("create --max-value 9 --cycle turns").succeeded();
        assertThat(run("doctor").out()).contains("\n  turns\n    begins again after 9; no known column");
        assertThat(h2.findings()).containsExactly("running-out orders");
        assertThat(h2.skipped())
                .containsExactly(
                        "H2: only this library's sequences are examined on this engine, and not their columns");
        run("doctor --column orders=bill.id").failedWith("--column: no columns are examined on H2; leave it out");
        url = "memory:";
        assertThat(run("doctor").succeeded()).contains("no fault found");
        run("doctor --column orders=bill.id").failedWith("--column: no columns are examined on ", "; leave it out");
    }
}
