// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes measurements as CSV (RFC 4180). Thread-safe. */
public final class CsvReport {

    private static final String LINE_END = "\r\n";
    private static final String PUBLISHED = "published";

    private CsvReport() {}

    /**
     * Returns a line of headings, then a line per run. Headings are the keys of a run in JSON, with the prefix {@code published_}
     * for published figures. Figures that do not apply are empty; the rounds are in one cell, separated by spaces.
     */
    public static String of(Measurements measurements) {
        StringBuilder csv = new StringBuilder();
        line(csv, headings());
        measurements.runs().forEach(run -> line(csv, cells(run)));
        return csv.toString();
    }

    private static List<String> headings() {
        List<String> headings = new ArrayList<>();
        for (var component : Figures.class.getRecordComponents()) {
            String key = key(component.getName());
            if (key.equals(PUBLISHED)) {
                theirKeys().forEach(theirs -> headings.add(PUBLISHED + "_" + theirs));
            } else {
                headings.add(key);
            }
        }
        return headings;
    }

    private static List<String> theirKeys() {
        List<String> keys = new ArrayList<>();
        for (var component : Published.class.getRecordComponents()) {
            keys.add(key(component.getName()));
        }
        return keys;
    }

    /** Returns the name that Gson gives it. */
    private static String key(String component) {
        return component.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }

    private static List<String> cells(Figures run) {
        JsonObject tree = MeasurementsJson.tree(run);
        JsonElement published = tree.get(PUBLISHED);
        List<String> cells = new ArrayList<>();
        for (String heading : headings()) {
            if (tree.has(heading)) {
                cells.add(cell(tree.get(heading)));
            } else {
                String theirs = heading.substring(PUBLISHED.length() + 1);
                cells.add(
                        published.isJsonNull()
                                ? ""
                                : cell(published.getAsJsonObject().get(theirs)));
            }
        }
        return cells;
    }

    private static String cell(JsonElement value) {
        if (value.isJsonNull()) {
            return "";
        }
        return value.isJsonArray()
                ? value.getAsJsonArray().asList().stream()
                        .map(JsonElement::getAsString)
                        .collect(Collectors.joining(" "))
                : value.getAsString();
    }

    private static void line(StringBuilder csv, List<String> cells) {
        csv.append(cells.stream().map(CsvReport::quoted).collect(Collectors.joining(",")))
                .append(LINE_END);
    }

    private static String quoted(String cell) {
        return cell.matches("(?s).*[\",\\r\\n].*") ? '"' + cell.replace("\"", "\"\"") + '"' : cell;
    }
}
