// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.report;

import com.google.gson.FieldNamingPolicy;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.seriatim.SequenceException;

/** {@link Measurements} as JSON, in which every figure has its key, with null where it does not apply. Thread-safe. */
public final class MeasurementsJson {

    private static final Gson GSON = new GsonBuilder()
            .setFieldNamingPolicy(FieldNamingPolicy.LOWER_CASE_WITH_UNDERSCORES)
            .serializeNulls()
            .setPrettyPrinting()
            .disableHtmlEscaping()
            .create();

    private MeasurementsJson() {}

    /** The whole as one object. */
    public static String write(Measurements measurements) {
        return GSON.toJson(measurements);
    }

    /**
     * The opposite. What a file of an older version lacks is empty, 0 or null.
     *
     * @throws SequenceException.Misconfigured if the text is nothing that {@link #write} wrote; in one line, with its fault
     */
    public static Measurements read(String text) {
        try {
            return GSON.fromJson(OlderVersions.completed(parsed(text)), Measurements.class);
        } catch (JsonParseException
                | IllegalStateException
                | NumberFormatException
                | UnsupportedOperationException
                | ClassCastException e) {
            throw notOurs(String.valueOf(e.getMessage()).replaceAll("\\s*\\R.*|See https.*", ""));
        }
    }

    private static JsonElement parsed(String text) {
        try {
            return JsonParser.parseString(text);
        } catch (JsonParseException e) { // whose message is for programmers
            throw notOurs("it is no JSON");
        }
    }

    /** A run as it stands in the file, with null where a figure does not apply. */
    static JsonObject tree(Object record) {
        return GSON.toJsonTree(record).getAsJsonObject();
    }

    static SequenceException.Misconfigured notOurs(String fault) {
        return new SequenceException.Misconfigured(
                "no measurements of ours: " + fault + "; name a file that 'bench --json' wrote");
    }
}
