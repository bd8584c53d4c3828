// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.report;

import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.cli.terminal.WrappedText;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A finding about one thing; its code is a short name of the fault, or empty, and each line a paragraph. Immutable. */
public record Finding(
        Level level,
        String subject,
        String code,
        List<String> lines,
        @Nullable Remedy remedy) {

    public enum Level {
        ERROR,
        WARNING,
        NOTE
    }

    /**
     * What to do about a finding.
     *
     * @param name what the text calls it, such as {@code "mend"}
     * @param text a command, or advice
     * @param copied whether it is a command, which stays on one line
     */
    public record Remedy(String name, String text, boolean copied) {}

    /** Creates a finding without a code or a remedy. */
    public Finding(Level level, String subject, List<String> lines) {
        this(level, subject, "", lines, null);
    }

    void print(PrintWriter out) {
        out.println("  " + OneLine.of(subject) + (code.isEmpty() ? "" : "  [" + code + "]"));
        lines.forEach(line -> WrappedText.lines("    " + OneLine.of(line), 4).forEach(out::println));
        if (remedy != null) {
            out.println("    " + remedy.name + ": " + OneLine.of(remedy.text));
        }
    }

    void append(Page page) {
        String look = switch (level) {
            case ERROR -> " error";
            case WARNING -> " warn";
            case NOTE -> "";
        };
        page.raw("<article class=\"finding" + look + "\"><h3>").text(OneLine.of(subject));
        if (!code.isEmpty()) {
            page.raw(" <small>").text(code).raw("</small>");
        }
        page.raw("</h3>");
        lines.forEach(line -> page.element("p", OneLine.of(line)));
        if (remedy != null && remedy.copied) {
            page.raw("<pre>").code(OneLine.of(remedy.text)).raw("</pre>");
        } else if (remedy != null) {
            page.element("p class=\"advice\"", OneLine.of(remedy.text));
        }
        page.raw("</article>\n");
    }
}
