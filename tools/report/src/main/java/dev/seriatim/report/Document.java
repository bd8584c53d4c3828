// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.report;

import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.cli.terminal.OutputFormat;
import dev.seriatim.cli.terminal.WrappedText;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A report, built once and written as text for a terminal, as JSON for programs, or as a page of HTML. Not thread-safe.
 *
 * <ol>
 *   <li>The text has the {@link #line lines}, the sections and the {@link #outcome}.
 *   <li>The page has the title, the lines, the warnings and the sections, with their leads and plots.
 *   <li>The JSON object has the {@link #data}, and the facts and tables that have a key.
 * </ol>
 *
 * Values are formatted by type in each format: see {@link Value}.
 */
public final class Document {

    private final String tool;
    private final String title;
    private final List<String> lines = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private final List<Section> sections = new ArrayList<>();
    private final Map<String, @Nullable Object> data = new LinkedHashMap<>();
    private String outcome = "";

    /** Creates an empty report of a tool such as {@code "doctor"}; the title is the heading of the page. */
    public Document(String tool, String title) {
        this.tool = tool;
        this.title = title;
    }

    /** Appends a line below the title, unless it is empty. */
    public Document line(String text) {
        if (!text.isEmpty()) {
            lines.add(text);
        }
        return this;
    }

    /** Appends a warning, which the page shows above its sections. */
    public Document warning(String text) {
        warnings.add(text);
        return this;
    }

    /** Adds a property to the JSON object: a value, a record, or a list of those. */
    public Document data(String key, @Nullable Object value) {
        data.put(key, value);
        return this;
    }

    /** Appends a section. It is left out while it has no parts. */
    public Section section(String title) {
        Section section = new Section(title, data);
        sections.add(section);
        return section;
    }

    public Document outcome(String text) {
        outcome = text;
        return this;
    }

    public void print(OutputFormat format, PrintWriter out) {
        if (format == OutputFormat.JSON) {
            out.println(json());
            out.flush();
        } else {
            print(out);
        }
    }

    public void print(PrintWriter out) {
        lines.forEach(line -> wrapped(line, out));
        boolean separated = !lines.isEmpty();
        for (Section section : sections) {
            separated |= section.print(separated, out);
        }
        if (!outcome.isEmpty()) {
            out.println();
            wrapped(outcome, out);
        }
        out.flush();
    }

    private static void wrapped(String text, PrintWriter out) {
        WrappedText.lines(OneLine.of(text), 2).forEach(out::println);
    }

    /** Returns the JSON object, with keys in the order in which they were added. */
    public String json() {
        return Json.write(data);
    }

    /** Returns a self-contained page without scripts or external resources. */
    public String html() {
        Page page = new Page(title);
        page.raw("<header>").element("p class=\"kind\"", "Seriatim · " + tool);
        page.element("h1", title);
        lines.forEach(line -> page.element("p class=\"facts\"", line));
        page.raw("</header>\n");
        warnings.forEach(warning -> page.element("p class=\"warning\"", warning));
        sections.forEach(section -> section.append(page));
        return page.written();
    }

    /** Returns the plots that have points. */
    public List<Picture> pictures() {
        return sections.stream().flatMap(section -> section.pictures().stream()).toList();
    }
}
