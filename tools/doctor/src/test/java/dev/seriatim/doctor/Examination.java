// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.seriatim.cli.CommandLineRun;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What the command said of a database, in JSON. */
record Examination(CommandLineRun run, JsonObject json) {

    /** Runs {@code doctor}; the store's URL comes from the environment, as one with a password should. */
    static CommandLineRun doctor(String url, String... options) {
        List<String> words = new ArrayList<>(List.of("doctor"));
        words.addAll(List.of(options));
        return CommandLineRun.on(url, words.toArray(String[]::new));
    }

    static Examination of(String url, String... options) {
        List<String> words = new ArrayList<>(List.of("--format", "json"));
        words.addAll(List.of(options));
        CommandLineRun run = doctor(url, words.toArray(String[]::new));
        assertThat(run.out()).as(run.err()).isNotEmpty();
        return new Examination(run, JsonParser.parseString(run.out()).getAsJsonObject());
    }

    /** Returns the findings as fault and subject. */
    List<String> findings() {
        return list("findings").map(Examination::shown).toList();
    }

    /** Returns the errors and warnings. */
    List<JsonObject> all() {
        return list("findings").toList();
    }

    List<String> notes() {
        return list("notes").map(Examination::shown).toList();
    }

    List<String> mended() {
        return list("mended").map(Examination::shown).toList();
    }

    List<String> skipped() {
        return json.getAsJsonArray("skipped").asList().stream()
                .map(JsonElement::getAsString)
                .toList();
    }

    /** Returns the findings and notes whose remedy is of a kind. */
    List<JsonObject> remediedBy(String kind) {
        return Stream.concat(list("findings"), list("notes"))
                .filter(finding -> !finding.get("remedy_kind").isJsonNull()
                        && finding.get("remedy_kind").getAsString().equals(kind))
                .toList();
    }

    static String shown(JsonObject finding) {
        return finding.get("fault").getAsString() + " " + finding.get("subject").getAsString();
    }

    static String remedy(JsonObject finding) {
        return finding.get("remedy").getAsString();
    }

    /** Returns the words of the command that a finding prints, without the store. */
    static String command(JsonObject finding) {
        return remedy(finding).replaceFirst("^seriatim ", "").replace("--store \"$SERIATIM_STORE\" ", "");
    }

    private Stream<JsonObject> list(String name) {
        return json.getAsJsonArray(name).asList().stream().map(JsonElement::getAsJsonObject);
    }
}
