// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.report;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.seriatim.cli.terminal.WrappedText;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A table: a row per item, a column per property. Numbers are aligned right, texts left. Not thread-safe. */
public final class Table<R> {

    /** Decimals of a column in which each number has three significant digits. */
    public static final int THREE_DIGITS = -1;

    private static final int FITTING = -2;
    private static final String GAP = "  ";

    /** A column for programs if it has a key, and for readers if it has a heading. */
    private record Column<R>(String key, String heading, int decimals, Function<R, @Nullable Object> value) {}

    /** A column for readers, with the alignment and the decimals that suit its values. */
    private record Shown<R>(Column<R> column, boolean numeric, int decimals) {
        String heading() {
            return column.heading;
        }

        String text(R row) {
            return Value.text(column.value.apply(row), decimals);
        }
    }

    private final String key;
    private final String title;
    private final List<R> rows;
    private final List<Column<R>> columns = new ArrayList<>();
    private int shownRows = 50;
    private int onPaper = Integer.MAX_VALUE;
    private boolean sparse;

    /** Creates a table without columns, with a key in JSON; empty to leave it out there. */
    public Table(String key, String title, List<R> rows) {
        this.key = key;
        this.title = title;
        this.rows = List.copyOf(rows);
    }

    /** Appends a column, with a key in JSON and a heading for readers; an empty one leaves it out there. */
    public Table<R> column(String key, String heading, Function<R, @Nullable Object> value) {
        return column(key, heading, FITTING, value);
    }

    public Table<R> column(String heading, Function<R, @Nullable Object> value) {
        return column("", heading, value);
    }

    public Table<R> column(String heading, int decimals, Function<R, @Nullable Object> value) {
        return column("", heading, decimals, value);
    }

    /** Appends a column with this number of decimals in the text and on the page. */
    public Table<R> column(String key, String heading, int decimals, Function<R, @Nullable Object> value) {
        columns.add(new Column<>(key, heading, decimals, value));
        return this;
    }

    /** Sets the maximum number of rows on the page. Default: 50. */
    public Table<R> atMost(int rows) {
        shownRows = rows;
        return this;
    }

    public Table<R> withoutEmptyColumns() {
        sparse = true;
        return this;
    }

    /** Hides all further columns on paper, which does not scroll. */
    public Table<R> onPaper() {
        onPaper = shown().size();
        return this;
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    private List<Shown<R>> shown() {
        List<Shown<R>> shown = new ArrayList<>();
        for (Column<R> column : columns) {
            List<Object> values = new ArrayList<>();
            rows.stream().map(column.value).filter(Objects::nonNull).forEach(values::add);
            if (!column.heading.isEmpty() && !(sparse && values.isEmpty())) {
                boolean numeric = values.isEmpty() || values.get(0) instanceof Number;
                int decimals = column.decimals == FITTING ? Value.decimals(values) : column.decimals;
                shown.add(new Shown<>(column, numeric, decimals));
            }
        }
        return shown;
    }

    /** Adds the table to a JSON object, if it has a key. */
    void addTo(Map<String, @Nullable Object> data) {
        if (key.isEmpty()) {
            return;
        }
        JsonArray array = new JsonArray();
        for (R row : rows) {
            JsonObject object = new JsonObject();
            for (Column<R> column : columns) {
                if (!column.key.isEmpty()) {
                    object.add(column.key, Json.GSON.toJsonTree(column.value.apply(row)));
                }
            }
            array.add(object);
        }
        data.put(key, array);
    }

    /** Prints aligned columns. A line is at most as wide as a terminal, if only the last column is too wide for it. */
    void print(PrintWriter out) {
        List<Shown<R>> shown = shown();
        int[] widths = shown.stream()
                .mapToInt(column -> rows.stream()
                        .map(column::text)
                        .mapToInt(Table::length)
                        .reduce(length(column.heading()), Math::max))
                .toArray();
        out.println(line(shown, widths, Shown::heading));
        rows.forEach(row -> out.println(line(shown, widths, column -> column.text(row))));
    }

    private static <R> String line(List<Shown<R>> shown, int[] widths, Function<Shown<R>, String> cell) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String text = cell.apply(shown.get(i));
            String pad = " ".repeat(widths[i] - length(text));
            line.append(i == 0 ? "" : GAP);
            if (shown.get(i).numeric) {
                line.append(pad).append(text);
            } else if (i < widths.length - 1) {
                line.append(text).append(pad);
            } else {
                int indent = length(line);
                List<String> wrapped = WrappedText.ofColumn(text, indent);
                line.append(String.join(System.lineSeparator() + " ".repeat(indent), wrapped));
            }
        }
        return line.toString().stripTrailing();
    }

    private static int length(CharSequence text) {
        return text.toString().codePointCount(0, text.length());
    }

    /** Appends the table, in a box if it may scroll sideways. Without optional end tags, which would be a third of a large page. */
    void append(Page page) {
        List<Shown<R>> shown = shown();
        boolean scrolls = shown.stream().anyMatch(Shown::numeric);
        String id = page.id();
        String look = "words";
        if (scrolls) {
            look = "";
            page.raw("<div class=\"box\" role=\"region\" tabindex=\"0\" aria-label=\"");
            page.text(title).raw("\">");
        }
        if (shown.size() > onPaper) {
            look = "figures";
            page.raw("<style>@media print{#" + id + " tr>:nth-child(n+" + (onPaper + 1) + "){display:none}}</style>");
        }
        page.raw("<table id=\"" + id + "\" class=\"" + look + "\"><thead><tr>");
        for (Shown<R> column : shown) {
            page.raw(column.numeric ? "<th scope=\"col\">" : "<th scope=\"col\" class=\"l\">");
            page.text(column.heading());
        }
        page.raw("<tbody>");
        for (R row : rows.subList(0, Math.min(shownRows, rows.size()))) {
            page.raw("\n<tr><th scope=\"row\">").breakable(shown.get(0).text(row));
            for (Shown<R> column : shown.subList(1, shown.size())) {
                page.raw(column.numeric ? "<td>" : "<td class=\"l\">").text(column.text(row));
            }
        }
        page.raw(scrolls ? "</table></div>\n" : "</table>\n").more(rows.size(), shownRows);
    }
}
