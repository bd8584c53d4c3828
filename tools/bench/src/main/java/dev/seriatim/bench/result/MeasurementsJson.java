// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import com.google.gson.FieldNamingPolicy;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.Strictness;
import dev.seriatim.SequenceException;
import dev.seriatim.cli.terminal.JsonText;

/** Reads and writes {@link Measurements} as JSON; figures that do not apply are null. Thread-safe. */
public final class MeasurementsJson {

    private static final Gson GSON = new GsonBuilder()
            .setFieldNamingPolicy(FieldNamingPolicy.LOWER_CASE_WITH_UNDERSCORES)
            .serializeNulls()
            .setPrettyPrinting()
            .disableHtmlEscaping()
            .create();

    private static final Gson STRICT =
            new GsonBuilder().setStrictness(Strictness.STRICT).create();

    private MeasurementsJson() {}

    /** Returns a JSON object. */
    public static String write(Measurements measurements) {
        return JsonText.escaped(GSON.toJson(measurements));
    }

    /**
     * Parses a JSON object. Values that older versions did not write are empty, 0 or null.
     *
     * @throws SequenceException.Misconfigured if {@link #write} did not write the text
     */
    public static Measurements read(String text) {
        try {
            return GSON.fromJson(OlderVersions.completed(parsed(text)), Measurements.class);
        } catch (JsonParseException
                | IllegalStateException
                | NumberFormatException
                | UnsupportedOperationException
                | ClassCastException e) {
            throw otherFormat("it has a value of another type ("
                    + String.valueOf(e.getMessage()).replaceAll("\\s*\\R.*|\\s*See https.*", "") + ")");
        }
    }

    /** A lenient parser takes almost any text for JSON. */
    private static JsonElement parsed(String text) {
        if (text.isBlank()) {
            throw otherFormat("it is empty");
        }
        try {
            return STRICT.fromJson(text, JsonElement.class);
        } catch (JsonParseException e) { // whose message is for programmers
            throw otherFormat("it is not JSON");
        }
    }

    /** Returns a run as a JSON object, with null for figures that do not apply. */
    static JsonObject tree(Object record) {
        return GSON.toJsonTree(record).getAsJsonObject();
    }

    static SequenceException.Misconfigured otherFormat(String fault) {
        return new SequenceException.Misconfigured(
                "not a report of bench: " + fault + "; name a file that 'bench --json FILE' wrote");
    }
}
