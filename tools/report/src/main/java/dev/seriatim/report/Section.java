// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.report;

import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.cli.terminal.WrappedText;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A section of a {@link Document}, filled from top to bottom. Not thread-safe. */
public final class Section {

    /** Maximum entries of a list on a page; the JSON has all. */
    private static final int SHOWN = 300;

    /** A part, which writes itself. */
    private record Part(Consumer<Page> onPage, Consumer<PrintWriter> onTerminal) {}

    private final String title;
    private final Map<String, @Nullable Object> data;
    private final List<Part> parts = new ArrayList<>();
    private final List<Picture> pictures = new ArrayList<>();

    /** The facts of the last part; empty if that has none. */
    private List<Map.Entry<String, Object>> facts = new ArrayList<>();

    private String lead = "";
    private boolean framed;
    private boolean pageOnly;

    Section(String title, Map<String, @Nullable Object> data) {
        this.title = title;
        this.data = data;
    }

    /** Sets a sentence that the page shows below the title. */
    public Section lead(String text) {
        lead = text;
        return this;
    }

    public Section framed() {
        framed = true;
        return this;
    }

    /** Leaves the section out of the text. */
    public Section pageOnly() {
        pageOnly = true;
        return this;
    }

    /** Appends a heading, unless it is empty. */
    public Section heading(String text) {
        return text.isEmpty() ? this : add(page -> page.element("h3", text), spaced(text));
    }

    /** Appends a paragraph of texts and {@link Link links}. */
    public Section paragraph(Object... words) {
        String text = String.join("", Arrays.stream(words).map(Value::text).toList());
        return add(
                page -> {
                    page.raw("<p class=\"lead\">");
                    Arrays.stream(words).forEach(page::value);
                    page.raw("</p>\n");
                },
                out -> wrapped(text, 2, out));
    }

    public Section check(boolean passed, String text) {
        return add(
                page -> page.raw("<p class=\"checks" + (passed ? "" : " failed") + "\"><b>"
                                + (passed ? "✓ Checked." : "✗ Checked.") + "</b> ")
                        .text(text)
                        .raw("</p>\n"),
                spaced(text));
    }

    /** Appends a command to be copied. */
    public Section command(String text) {
        return add(
                page -> page.raw("<pre tabindex=\"0\">").code(OneLine.of(text)).raw("</pre>\n"),
                out -> out.println("  " + OneLine.of(text)));
    }

    /** Appends a named value, unless that is null or empty; with a key, the JSON has it in any case. */
    public Section fact(String key, String name, @Nullable Object value) {
        if (!key.isEmpty()) {
            data.put(key, value);
        }
        if (value != null && !value.equals("")) {
            if (facts.isEmpty()) {
                List<Map.Entry<String, Object>> begun = new ArrayList<>();
                add(page -> append(begun, page), out -> print(begun, out));
                facts = begun;
            }
            facts.add(Map.entry(name, value));
        }
        return this;
    }

    private static void append(List<Map.Entry<String, Object>> facts, Page page) {
        page.raw("<dl>");
        facts.forEach(fact -> page.raw("<dt>").text(fact.getKey()).raw("<dd>").value(fact.getValue()));
        page.raw("</dl>\n");
    }

    private static void print(List<Map.Entry<String, Object>> facts, PrintWriter out) {
        int indent = 2
                + facts.stream().mapToInt(fact -> fact.getKey().length()).max().orElse(0);
        facts.forEach(fact -> {
            String start = fact.getKey();
            for (String line : WrappedText.ofColumn(Value.text(fact.getValue()), indent)) {
                out.println(start + " ".repeat(indent - start.length()) + line);
                start = "";
            }
        });
    }

    public Section list(List<String> lines) {
        if (lines.isEmpty()) {
            return this;
        }
        return add(
                page -> {
                    page.raw("<ul>");
                    lines.stream().limit(SHOWN).forEach(line -> page.element("li", OneLine.of(line)));
                    page.raw("</ul>\n").more(lines.size(), SHOWN);
                },
                out -> lines.forEach(line -> wrapped(line, 2, out)));
    }

    public Section findings(List<Finding> findings) {
        if (findings.isEmpty()) {
            return this;
        }
        return add(
                page -> {
                    findings.stream().limit(SHOWN).forEach(finding -> finding.append(page));
                    page.more(findings.size(), SHOWN);
                },
                out -> findings.forEach(finding -> finding.print(out)));
    }

    /** Appends a table, unless it has no rows; with a key, the JSON has it in any case. */
    public Section table(Table<?> table) {
        table.addTo(data);
        return table.isEmpty() ? this : add(table::append, table::print);
    }

    /** Appends a plot with a description for screen readers, unless it has no points. */
    public Section plot(String title, String description, Plot plot) {
        if (plot.isEmpty()) {
            return this;
        }
        Picture picture = new Picture(title, description, plot);
        pictures.add(picture);
        return add(page -> page.figure(picture), out -> {});
    }

    /** Prints text below an empty line, unless the section begins with it. */
    private Consumer<PrintWriter> spaced(String text) {
        boolean first = parts.isEmpty();
        return out -> {
            if (!first) {
                out.println();
            }
            wrapped(text, 0, out);
        };
    }

    private Section add(Consumer<Page> onPage, Consumer<PrintWriter> onTerminal) {
        parts.add(new Part(onPage, onTerminal));
        facts = new ArrayList<>();
        return this;
    }

    private static void wrapped(String text, int indent, PrintWriter out) {
        WrappedText.lines(" ".repeat(indent) + OneLine.of(text), indent + 2).forEach(out::println);
    }

    List<Picture> pictures() {
        return pictures;
    }

    /** Prints the section, and returns whether it has anything to print. */
    boolean print(boolean separated, PrintWriter out) {
        if (parts.isEmpty() || pageOnly) {
            return false;
        }
        if (separated) {
            out.println();
        }
        if (!title.isEmpty()) {
            out.println(OneLine.of(title));
        }
        parts.forEach(part -> part.onTerminal.accept(out));
        return true;
    }

    void append(Page page) {
        if (parts.isEmpty()) {
            return;
        }
        page.raw(framed ? "<section class=\"answer\">" : "<section>");
        if (!title.isEmpty()) {
            page.element("h2", title);
        }
        if (!lead.isEmpty()) {
            page.element("p class=\"lead\"", lead);
        }
        parts.forEach(part -> part.onPage.accept(page));
        page.raw("</section>\n");
    }
}
