// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.seriatim.report.Json;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes measurements as CSV (RFC 4180). Thread-safe. */
public final class CsvReport {

    private static final String PUBLISHED = "published";

    private CsvReport() {}

    /**
     * Returns a line of headings, then a line per run. Headings are the keys of a run in JSON, with the prefix {@code published_}
     * for published figures. Figures that do not apply are empty; the rounds are in one cell, separated by spaces.
     */
    public static String of(Measurements measurements) {
        List<String> own =
                keys(Figures.class).filter(key -> !key.equals(PUBLISHED)).toList();
        List<String> theirs = keys(Published.class).toList();
        StringBuilder csv = new StringBuilder();
        csv.append(line(own.stream(), theirs.stream().map(key -> PUBLISHED + "_" + key)));
        for (Figures run : measurements.runs()) {
            JsonObject tree = Json.GSON.toJsonTree(run).getAsJsonObject();
            JsonElement published = tree.get(PUBLISHED);
            JsonObject quoted = published.isJsonNull() ? new JsonObject() : published.getAsJsonObject();
            csv.append(line(
                    own.stream().map(key -> cell(tree.get(key))),
                    theirs.stream().map(key -> cell(quoted.get(key)))));
        }
        return csv.toString();
    }

    private static Stream<String> keys(Class<? extends Record> type) {
        return Arrays.stream(type.getRecordComponents()).map(MeasurementsJson::key);
    }

    private static String cell(@Nullable JsonElement value) {
        if (value == null || value.isJsonNull()) {
            return "";
        }
        return value.isJsonArray()
                ? value.getAsJsonArray().asList().stream()
                        .map(JsonElement::getAsString)
                        .collect(Collectors.joining(" "))
                : value.getAsString();
    }

    private static String line(Stream<String> own, Stream<String> published) {
        return Stream.concat(own, published)
                .map(cell -> cell.matches("(?s).*[\",\\r\\n].*") ? '"' + cell.replace("\"", "\"\"") + '"' : cell)
                .collect(Collectors.joining(",", "", "\r\n"));
    }
}
