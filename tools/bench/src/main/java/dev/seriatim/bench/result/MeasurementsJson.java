// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.Strictness;
import dev.seriatim.SequenceException;
import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.report.Json;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Reads and writes {@link Measurements} as JSON; figures that do not apply are null. Thread-safe. */
public final class MeasurementsJson {

    private static final String REMEDY = "; name a file that 'bench --json FILE' wrote";

    /** Parses strictly, since a lenient parser accepts almost any text. */
    private static final Gson STRICT =
            new GsonBuilder().setStrictness(Strictness.STRICT).create();

    private MeasurementsJson() {}

    public static String write(Measurements measurements) {
        return Json.write(measurements);
    }

    /** Reads a file that {@code bench --json} wrote; {@link SequenceException.Misconfigured} if it is no such file. */
    public static Measurements read(Path file) {
        String fault;
        try {
            return read(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
        } catch (SequenceException.Misconfigured e) {
            fault = " is " + e.getMessage();
        } catch (IOException e) {
            fault = ": " + OneLine.why(e) + REMEDY;
        }
        throw new SequenceException.Misconfigured(OneLine.of(file + fault));
    }

    /** Parses what {@link #write} wrote; {@link SequenceException.Misconfigured} for any other text. */
    static Measurements read(String text) {
        JsonObject file;
        try {
            file = STRICT.fromJson(text, JsonObject.class);
        } catch (JsonParseException e) { // whose message is for programmers
            throw otherFormat("it is not a JSON object");
        }
        if (file == null) {
            throw otherFormat("it is empty");
        }
        try {
            if (!(file.get("runs") instanceof JsonArray runs)) {
                throw otherFormat("it has no list 'runs'");
            }
            int number = 0;
            for (JsonElement run : runs) {
                complete(run, Figures.class, "run " + ++number);
                if (!Double.isFinite(
                        run.getAsJsonObject().get("values_per_second").getAsDouble())) {
                    throw otherFormat("run " + number + " has no number in 'values_per_second'");
                }
            }
            complete(file, Measurements.class, "it");
            file.getAsJsonArray("not_offered").forEach(left -> complete(left, NotOffered.class, "a run not offered"));
            return Json.GSON.fromJson(file, Measurements.class);
        } catch (JsonParseException
                | IllegalStateException
                | NumberFormatException
                | UnsupportedOperationException
                | ClassCastException e) {
            throw otherFormat("it has a value of another type ("
                    + String.valueOf(e.getMessage()).replaceAll("\\s*\\R.*|\\s*See https.*", "") + ")");
        }
    }

    /** Checks that an object has every component of a record: boxed figures and published ones may be null. */
    private static void complete(JsonElement element, Class<? extends Record> type, String name) {
        if (!element.isJsonObject()) {
            throw otherFormat(name + " is not an object");
        }
        for (RecordComponent component : type.getRecordComponents()) {
            String key = key(component);
            JsonElement value = element.getAsJsonObject().get(key);
            Class<?> its = component.getType();
            boolean nullable = Number.class.isAssignableFrom(its) || its.equals(Published.class);
            if (value == null || (value.isJsonNull() && !nullable)) {
                throw otherFormat(name + " has no '" + key + "'");
            }
        }
    }

    static String key(RecordComponent component) {
        return component.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }

    private static SequenceException.Misconfigured otherFormat(String fault) {
        return new SequenceException.Misconfigured("not a report of bench: " + fault + REMEDY);
    }
}
