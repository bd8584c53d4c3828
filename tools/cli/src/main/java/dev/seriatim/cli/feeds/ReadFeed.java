// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.feeds;

import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.cli.terminal.OutputFormat;
import dev.seriatim.cli.terminal.TextTable;
import dev.seriatim.feed.Entry;
import dev.seriatim.feed.Feed;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Prints entries. */
@Command(name = "read", abbreviateSynopsis = true, description = """
                Prints entries in the order of their positions. Stamps nothing, and moves no reader.""", footer = """

                Bytes are hexadecimal digits. In JSON, numbers are strings, and the row is null
                if it is gone.

                Example: seriatim feed read orders --after 4711 -n 100 --columns total,at""")
final class ReadFeed extends FeedVerb.OfOne {

    enum Format {
        TEXT,
        JSON,
        CSV;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Option(names = "--after", paramLabel = "N", description = "Default: 0, before the first.")
    private long after;

    @Option(
            names = {"-n", "--count"},
            paramLabel = "COUNT",
            description = "Entries to print. Default: 10.")
    private int count = 10;

    @Option(names = "--columns", split = ",", paramLabel = "COLUMN", description = "Columns of the rows.")
    private List<String> columns = List.of();

    @Option(names = "--format", paramLabel = "FORMAT", description = OutputFormat.CHOICES)
    private Format format = Format.TEXT;

    @Override
    void run(Feed feed) {
        List<Entry> entries =
                (columns.isEmpty() ? feed : feed.select(columns.toArray(String[]::new))).read(after, count);
        if (format == Format.JSON) {
            json(entries.stream().map(entry -> fields(feed.key(), entry)).toList());
        } else {
            List<String> names = new ArrayList<>(List.of("position"));
            names.addAll(feed.key());
            names.addAll(columns);
            List<List<@Nullable Object>> cells = new ArrayList<>();
            entries.forEach(entry -> cells.add(cells(entry)));
            if (format == Format.CSV) {
                line(names);
                cells.forEach(this::line);
            } else if (!entries.isEmpty()) {
                table(names, cells);
            }
        }
        if (entries.isEmpty()) {
            long waiting = feed.state().waiting();
            err().println(quoted() + " has no entries after " + after
                    + (waiting == 0 ? "" : "; 'feed stamp' enters " + counted(waiting, "row")));
        }
    }

    private List<@Nullable Object> cells(Entry entry) {
        List<@Nullable Object> cells = new ArrayList<>(List.of(entry.position()));
        cells.addAll(entry.key() instanceof List<?> parts ? parts : List.of(entry.key()));
        columns.forEach(column -> cells.add(entry.row().orElse(Map.of()).get(column)));
        return cells;
    }

    private Map<String, @Nullable Object> fields(List<String> key, Entry entry) {
        List<@Nullable Object> cells = cells(entry);
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("position", entry.position());
        fields.put("key", named(key, cells.subList(1, key.size() + 1)));
        if (!columns.isEmpty()) {
            fields.put(
                    "row", entry.row().isEmpty() ? null : named(columns, cells.subList(key.size() + 1, cells.size())));
        }
        return fields;
    }

    private static Map<String, @Nullable Object> named(List<String> names, List<@Nullable Object> values) {
        Map<String, @Nullable Object> named = new LinkedHashMap<>();
        for (int i = 0; i < names.size(); i++) {
            named.put(names.get(i), text(values.get(i)));
        }
        return named;
    }

    private static @Nullable String text(@Nullable Object value) {
        return value instanceof byte[] bytes
                ? HexFormat.of().formatHex(bytes)
                : value == null ? null : value.toString();
    }

    /** Prints a line of CSV (RFC 4180). Null is nothing, an empty text a pair of quotes. */
    private void line(List<? extends @Nullable Object> cells) {
        out().println(cells.stream()
                .map(ReadFeed::text)
                .map(cell -> cell == null
                        ? ""
                        : cell.matches("(?s)|.*[\",\\r\\n].*") ? '"' + cell.replace("\"", "\"\"") + '"' : cell)
                .collect(Collectors.joining(",")));
    }

    /** Columns of numbers are aligned right; null is a dash. */
    private void table(List<String> names, List<List<@Nullable Object>> cells) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(names.stream().map(OneLine::of).toList());
        cells.forEach(row -> rows.add(row.stream()
                .map(ReadFeed::text)
                .map(cell -> cell == null ? "-" : OneLine.of(cell))
                .toList()));
        TextTable.print(
                out(),
                rows,
                i -> cells.stream().anyMatch(row -> row.get(i) != null && !(row.get(i) instanceof Number)));
    }
}
