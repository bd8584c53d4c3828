// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.report;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.seriatim.cli.terminal.WrappedText;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A table: a row per item, a column per property. Numbers are aligned right, texts left. Not thread-safe.
 *
 * @param <R> the type of an item
 */
public final class Table<R> implements Part {

    /** Decimals of a column in which each number has three significant digits. */
    public static final int THREE_DIGITS = -1;

    private static final int FITTING = -2;
    private static final String GAP = "  ";

    /** A column for programs if it has a key, and for readers if it has a heading. */
    private record Column<R>(String key, String heading, int decimals, Function<R, @Nullable Object> value) {}

    private final String key;
    private final String title;
    private final List<R> rows;
    private final List<Column<R>> columns = new ArrayList<>();
    private int shown = 50;
    private int onPaper = Integer.MAX_VALUE;
    private boolean sparse;

    /**
     * Creates a table without columns.
     *
     * @param key its key in JSON; empty to leave it out there
     * @param title its name on the page
     * @param rows an item per row
     */
    public Table(String key, String title, List<R> rows) {
        this.key = key;
        this.title = title;
        this.rows = List.copyOf(rows);
    }

    /**
     * Appends a column.
     *
     * @param key its key in JSON; empty to leave it out there
     * @param heading its heading; empty to show it in JSON only
     * @param value returns the value of a row
     */
    public Table<R> column(String key, String heading, Function<R, @Nullable Object> value) {
        return column(key, heading, FITTING, value);
    }

    /** Appends a column for readers. */
    public Table<R> column(String heading, Function<R, @Nullable Object> value) {
        return column("", heading, value);
    }

    /** Appends a column for readers with this number of decimals. */
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
        shown = rows;
        return this;
    }

    /** Leaves out columns without any value. */
    public Table<R> withoutEmptyColumns() {
        sparse = true;
        return this;
    }

    /** Hides all further columns on paper, which does not scroll. */
    public Table<R> onPaper() {
        onPaper = visible().size();
        return this;
    }

    String key() {
        return key;
    }

    @Override
    public boolean isEmpty() {
        return rows.isEmpty();
    }

    private List<Column<R>> visible() {
        return columns.stream()
                .filter(column -> !column.heading.isEmpty()
                        && (!sparse || rows.stream().anyMatch(row -> column.value.apply(row) != null)))
                .toList();
    }

    private boolean isNumeric(Column<R> column) {
        return rows.stream()
                .map(column.value)
                .filter(Objects::nonNull)
                .findFirst()
                .map(value -> value instanceof Number)
                .orElse(true);
    }

    private int decimals(Column<R> column) {
        return column.decimals != FITTING
                ? column.decimals
                : Value.decimals(rows.stream()
                        .map(column.value)
                        .filter(value -> value instanceof Double)
                        .mapToDouble(value -> (Double) value));
    }

    JsonArray tree() {
        JsonArray array = new JsonArray();
        for (R row : rows) {
            JsonObject object = new JsonObject();
            columns.stream()
                    .filter(column -> !column.key.isEmpty())
                    .forEach(column -> object.add(column.key, Json.tree(column.value.apply(row))));
            array.add(object);
        }
        return array;
    }

    /** Prints aligned columns. A line is at most as wide as a terminal, if only the last column is too wide for it. */
    @Override
    public void print(PrintWriter out) {
        List<Column<R>> visible = visible();
        List<List<String>> cells = new ArrayList<>();
        cells.add(visible.stream().map(Column::heading).toList());
        List<Integer> decimals = visible.stream().map(this::decimals).toList();
        for (R row : rows) {
            List<String> line = new ArrayList<>();
            for (int i = 0; i < visible.size(); i++) {
                line.add(Value.text(visible.get(i).value.apply(row), decimals.get(i)));
            }
            cells.add(line);
        }
        int last = visible.size() - 1;
        List<Integer> widths = new ArrayList<>();
        for (int i = 0; i <= last; i++) {
            int column = i;
            widths.add(cells.stream()
                    .mapToInt(line -> length(line.get(column)))
                    .max()
                    .orElse(0));
        }
        int before = widths.subList(0, last).stream()
                .mapToInt(width -> width + GAP.length())
                .sum();
        for (List<String> line : cells) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < last; i++) {
                text.append(padded(line.get(i), widths.get(i), isNumeric(visible.get(i))))
                        .append(GAP);
            }
            if (isNumeric(visible.get(last))) {
                out.println(text.append(padded(line.get(last), widths.get(last), true)));
            } else {
                List<String> wrapped = WrappedText.ofColumn(line.get(last), before);
                out.println(text.append(wrapped.get(0)).toString().stripTrailing());
                wrapped.stream().skip(1).forEach(rest -> out.println(" ".repeat(before) + rest));
            }
        }
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }

    private static String padded(String text, int width, boolean right) {
        String pad = " ".repeat(width - length(text));
        return right ? pad + text : text + pad;
    }

    /** Leaves out optional end tags, which would be a third of a large page. */
    @Override
    public void append(Page page) {
        List<Column<R>> visible = visible();
        List<Boolean> texts = visible.stream().map(column -> !isNumeric(column)).toList();
        boolean scrolls = texts.contains(false);
        page.beginTable(title, scrolls, visible.size() > onPaper ? onPaper : 0);
        for (int i = 0; i < visible.size(); i++) {
            page.raw(texts.get(i) ? "<th scope=\"col\" class=\"l\">" : "<th scope=\"col\">")
                    .text(visible.get(i).heading);
        }
        page.raw("<tbody>");
        List<Integer> decimals = visible.stream().map(this::decimals).toList();
        for (R row : rows.subList(0, Math.min(shown, rows.size()))) {
            page.raw("\n<tr>");
            for (int i = 0; i < visible.size(); i++) {
                Object value = visible.get(i).value.apply(row);
                page.raw(i == 0 ? "<th scope=\"row\">" : texts.get(i) ? "<td class=\"l\">" : "<td>");
                if (value instanceof Link) {
                    page.value(value);
                } else if (i == 0) {
                    page.breakable(Value.text(value, decimals.get(i)));
                } else {
                    page.text(Value.text(value, decimals.get(i)));
                }
            }
        }
        page.endTable(scrolls).more(rows.size(), shown);
    }
}
