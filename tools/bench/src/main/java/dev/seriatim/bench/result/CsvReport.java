// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.seriatim.report.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Writes measurements as CSV (RFC 4180). Thread-safe. */
public final class CsvReport {

    private static final String PUBLISHED = "published";

    private CsvReport() {}

    /**
     * Returns a line of headings, then a line per run. Headings are the keys of a run in JSON, with the prefix {@code published_}
     * for published figures. Figures that do not apply are empty; the rounds are in one cell, separated by spaces.
     */
    public static String of(Measurements measurements) {
        List<String> keys = keys(Figures.class);
        keys.remove(PUBLISHED);
        List<String> theirs = keys(Published.class);
        List<String> headings = new ArrayList<>(keys);
        theirs.forEach(key -> headings.add(PUBLISHED + "_" + key));
        StringBuilder csv = new StringBuilder();
        line(csv, headings);
        for (Figures run : measurements.runs()) {
            JsonObject tree = Json.GSON.toJsonTree(run).getAsJsonObject();
            List<String> cells = cells(tree, keys);
            JsonElement published = tree.get(PUBLISHED);
            cells.addAll(cells(published.isJsonNull() ? new JsonObject() : published.getAsJsonObject(), theirs));
            line(csv, cells);
        }
        return csv.toString();
    }

    private static List<String> keys(Class<? extends Record> type) {
        return Arrays.stream(type.getRecordComponents())
                .map(MeasurementsJson::key)
                .collect(Collectors.toCollection(ArrayList::new));
    }

    private static List<String> cells(JsonObject object, List<String> keys) {
        List<String> cells = new ArrayList<>();
        for (String key : keys) {
            JsonElement value = object.get(key);
            if (value == null || value.isJsonNull()) {
                cells.add("");
            } else if (value.isJsonArray()) {
                cells.add(value.getAsJsonArray().asList().stream()
                        .map(JsonElement::getAsString)
                        .collect(Collectors.joining(" ")));
            } else {
                cells.add(value.getAsString());
            }
        }
        return cells;
    }

    private static void line(StringBuilder csv, List<String> cells) {
        csv.append(cells.stream()
                        .map(cell ->
                                cell.matches("(?s).*[\",\\r\\n].*") ? '"' + cell.replace("\"", "\"\"") + '"' : cell)
                        .collect(Collectors.joining(",")))
                .append("\r\n");
    }
}
