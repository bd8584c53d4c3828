// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.List;

/** Completes a file of an older version, and rejects one of another format. */
final class OlderVersions {

    private static final List<String> TEXTS = List.of("store", "engine", "jdk", "measured_at", "command");
    private static final List<String> PLACES = List.of("scenario", "experiment", "mode", "reason");

    private OlderVersions() {}

    /** Returns the element, completed. */
    static JsonObject completed(JsonElement file) {
        if (!file.isJsonObject()) {
            throw MeasurementsJson.otherFormat("it is JSON, but not an object");
        }
        if (!file.getAsJsonObject().has("runs")
                || !file.getAsJsonObject().get("runs").isJsonArray()) {
            throw MeasurementsJson.otherFormat("it has no list 'runs'");
        }
        JsonObject measurements = file.getAsJsonObject();
        TEXTS.forEach(key -> missing(measurements, key, new JsonPrimitive("")));
        missing(measurements, "settings", new JsonObject());
        missing(measurements, "not_offered", new JsonArray());
        int number = 0;
        for (JsonElement run : measurements.getAsJsonArray("runs")) {
            number++;
            complete(run, "run " + number);
        }
        measurements.getAsJsonArray("not_offered").forEach(left -> place(left.getAsJsonObject()));
        return measurements;
    }

    private static void complete(JsonElement element, String name) {
        if (!element.isJsonObject()) {
            throw MeasurementsJson.otherFormat(name + " is not an object");
        }
        JsonObject run = element.getAsJsonObject();
        for (String key : List.of("mode", "threads", "values_per_second")) {
            if (!run.has(key) || run.get(key).isJsonNull()) {
                throw MeasurementsJson.otherFormat(name + " has no '" + key + "'");
            }
        }
        if (!Double.isFinite(run.get("values_per_second").getAsDouble())) {
            throw MeasurementsJson.otherFormat(name + " has no number in 'values_per_second'");
        }
        missing(run, "processes", new JsonPrimitive(1));
        missing(run, "rounds", new JsonArray());
        place(run);
        if (run.has("published") && run.get("published").isJsonObject()) {
            missing(run.getAsJsonObject("published"), "system", new JsonPrimitive(""));
            missing(run.getAsJsonObject("published"), "name", run.get("mode"));
        }
    }

    private static void place(JsonObject run) {
        PLACES.forEach(key -> missing(run, key, new JsonPrimitive("")));
        missing(run, "label", new JsonPrimitive(label(run)));
    }

    /** Returns the label of a run from a version without labels. */
    private static String label(JsonObject run) {
        return run.get("mode").getAsString()
                + setting(run, "batch_size", ", batch size ")
                + setting(run, "low_water_mark", ", low-water mark ");
    }

    private static String setting(JsonObject run, String key, String words) {
        return run.has(key) && !run.get(key).isJsonNull() ? words + run.get(key).getAsLong() : "";
    }

    private static void missing(JsonObject object, String key, JsonElement otherwise) {
        if (!object.has(key) || object.get(key) instanceof JsonNull) {
            object.add(key, otherwise);
        }
    }
}
