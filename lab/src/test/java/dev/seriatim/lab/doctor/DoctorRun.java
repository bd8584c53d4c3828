// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.seriatim.cli.CommandLineRun;
import dev.seriatim.cli.terminal.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** One run of the command with JSON as its output. */
record DoctorRun(JsonObject json) {

    /** Runs it; its exit code has to fit what it found. */
    static DoctorRun on(String store, String... options) {
        List<String> words = new ArrayList<>(List.of("doctor", "--format", "json"));
        words.addAll(List.of(options));
        CommandLineRun run = CommandLineRun.of(Map.of("SERIATIM_STORE", store), words.toArray(String[]::new));
        assertThat(run.code()).as(run.err()).isIn(ExitCode.DONE, ExitCode.WRONG_NUMBERS);
        DoctorRun read = new DoctorRun(JsonParser.parseString(run.out()).getAsJsonObject());
        assertThat(run.code()).isEqualTo(read.findings().isEmpty() ? ExitCode.DONE : ExitCode.WRONG_NUMBERS);
        return read;
    }

    /** Returns the statements that {@code --mend --dry-run} would run. */
    static List<String> raising(String store) {
        CommandLineRun run =
                CommandLineRun.of(Map.of("SERIATIM_STORE", store), "doctor", "--mend", "--dry-run");
        assertThat(run.code()).as(run.err()).isIn(ExitCode.DONE, ExitCode.WRONG_NUMBERS);
        return run.out().lines().filter(line -> !line.startsWith("--")).toList();
    }

    List<JsonObject> findings() {
        return objects("findings");
    }

    /** Returns each finding's fault and subject. */
    List<String> shown() {
        return findings().stream().map(DoctorRun::shown).toList();
    }

    /** Returns the findings with a remedy of a kind. */
    List<JsonObject> withRemedy(String kind) {
        return findings().stream()
                .filter(finding -> kind.equals(text(finding, "remedy_kind")))
                .toList();
    }

    List<JsonObject> notes() {
        return objects("notes");
    }

    List<JsonObject> mended() {
        return objects("mended");
    }

    List<String> skipped() {
        return Stream.of(json.getAsJsonArray("skipped"))
                .flatMap(array -> array.asList().stream())
                .map(JsonElement::getAsString)
                .toList();
    }

    static String shown(JsonObject finding) {
        return text(finding, "fault") + " " + text(finding, "subject");
    }

    static String text(JsonObject finding, String name) {
        JsonElement value = finding.get(name);
        return value.isJsonNull() ? "" : value.getAsString();
    }

    private List<JsonObject> objects(String name) {
        JsonArray array = json.getAsJsonArray(name);
        return array.asList().stream().map(JsonElement::getAsJsonObject).toList();
    }
}
