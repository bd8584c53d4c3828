// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.report;

import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.cli.terminal.WrappedText;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A section of a {@link Document}, filled from top to bottom. Not thread-safe. */
public final class Section {

    /** Maximum entries of a list on a page; the JSON has all. */
    private static final int SHOWN = 300;

    private final String title;
    private final Map<String, @Nullable Object> data;
    private final List<Part> parts = new ArrayList<>();
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

    /** Frames the section on the page. */
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
        if (!text.isEmpty()) {
            add(page -> page.element("h3", text), spaced(text));
        }
        return this;
    }

    /** Appends a paragraph of texts and {@link Link links}. */
    public Section paragraph(Object... words) {
        String text = String.join("", Arrays.stream(words).map(Value::text).toList());
        add(
                page -> {
                    page.raw("<p class=\"lead\">");
                    Arrays.stream(words).forEach(page::value);
                    page.raw("</p>\n");
                },
                out -> wrapped(text, 2, out));
        return this;
    }

    /** Appends the result of a check. */
    public Section check(boolean passed, String text) {
        add(
                page -> page.raw("<p class=\"checks" + (passed ? "" : " failed") + "\"><b>"
                                + (passed ? "✓ Checked." : "✗ Checked.") + "</b> ")
                        .text(text)
                        .raw("</p>\n"),
                spaced(text));
        return this;
    }

    /** Appends a command to be copied. */
    public Section command(String text) {
        add(
                page -> page.raw("<pre tabindex=\"0\">").code(OneLine.of(text)).raw("</pre>\n"),
                out -> out.println("  " + OneLine.of(text)));
        return this;
    }

    /** Appends a named value, unless that is null or empty; with a key, the JSON has it in any case. */
    public Section fact(String key, String name, @Nullable Object value) {
        if (!key.isEmpty()) {
            data.put(key, value);
        }
        if (value != null && !value.equals("")) {
            if (parts.isEmpty() || !(parts.get(parts.size() - 1) instanceof Facts)) {
                parts.add(new Facts());
            }
            ((Facts) parts.get(parts.size() - 1)).add(name, value);
        }
        return this;
    }

    /** Appends a list. */
    public Section list(List<String> lines) {
        if (!lines.isEmpty()) {
            add(
                    page -> {
                        page.raw("<ul>");
                        lines.stream().limit(SHOWN).forEach(line -> page.element("li", OneLine.of(line)));
                        page.raw("</ul>\n").more(lines.size(), SHOWN);
                    },
                    out -> lines.forEach(line -> wrapped(line, 2, out)));
        }
        return this;
    }

    /** Appends findings. */
    public Section findings(List<Finding> findings) {
        if (!findings.isEmpty()) {
            add(
                    page -> {
                        findings.stream().limit(SHOWN).forEach(finding -> finding.append(page));
                        page.more(findings.size(), SHOWN);
                    },
                    out -> findings.forEach(finding -> finding.print(out)));
        }
        return this;
    }

    /** Appends a table, unless it has no rows; with a key, the JSON has it in any case. */
    public Section table(Table<?> table) {
        if (!table.key().isEmpty()) {
            data.put(table.key(), table.tree());
        }
        parts.add(table);
        return this;
    }

    /** Appends a plot, unless it has no points. */
    public Section plot(Picture picture) {
        parts.add(picture);
        return this;
    }

    private interface OnPage {
        void append(Page page);
    }

    private interface OnTerminal {
        void print(PrintWriter out);
    }

    /** Prints text below an empty line, unless the section begins with it. */
    private OnTerminal spaced(String text) {
        boolean first = parts.isEmpty();
        return out -> {
            if (!first) {
                out.println();
            }
            wrapped(text, 0, out);
        };
    }

    private void add(OnPage onPage, OnTerminal terminal) {
        parts.add(new Part() {
            @Override
            public void print(PrintWriter out) {
                terminal.print(out);
            }

            @Override
            public void append(Page page) {
                onPage.append(page);
            }
        });
    }

    private static void wrapped(String text, int indent, PrintWriter out) {
        WrappedText.lines(" ".repeat(indent) + OneLine.of(text), indent + 2).forEach(out::println);
    }

    Stream<Picture> pictures() {
        return parts.stream()
                .filter(part -> part instanceof Picture && !part.isEmpty())
                .map(Picture.class::cast);
    }

    private boolean isEmpty() {
        return parts.stream().allMatch(Part::isEmpty);
    }

    /** Prints the section, and returns whether it has anything to print. */
    boolean print(boolean separated, PrintWriter out) {
        boolean shown = !isEmpty() && !pageOnly;
        if (shown) {
            if (separated) {
                out.println();
            }
            if (!title.isEmpty()) {
                out.println(OneLine.of(title));
            }
            parts.stream().filter(part -> !part.isEmpty()).forEach(part -> part.print(out));
        }
        return shown;
    }

    void append(Page page) {
        if (!isEmpty()) {
            page.raw(framed ? "<section class=\"answer\">" : "<section>");
            if (!title.isEmpty()) {
                page.element("h2", title);
            }
            if (!lead.isEmpty()) {
                page.element("p class=\"lead\"", lead);
            }
            parts.stream().filter(part -> !part.isEmpty()).forEach(part -> part.append(page));
            page.raw("</section>\n");
        }
    }

    /** Named values. */
    private static final class Facts implements Part {
        private final List<String> names = new ArrayList<>();
        private final List<Object> values = new ArrayList<>();

        void add(String name, Object value) {
            names.add(name);
            values.add(value);
        }

        @Override
        public void print(PrintWriter out) {
            int indent = names.stream().mapToInt(String::length).max().orElse(0) + 2;
            for (int i = 0; i < names.size(); i++) {
                String start = names.get(i);
                for (String line : WrappedText.ofColumn(Value.text(values.get(i)), indent)) {
                    out.println(start + " ".repeat(indent - start.length()) + line);
                    start = "";
                }
            }
        }

        @Override
        public void append(Page page) {
            page.raw("<dl>");
            for (int i = 0; i < names.size(); i++) {
                page.raw("<dt>").text(names.get(i)).raw("<dd>").value(values.get(i));
            }
            page.raw("</dl>\n");
        }
    }
}
