// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.verdict;

import dev.seriatim.report.Markup;
import dev.seriatim.report.Page;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** A verdict as a page: what was promised, what was done, and what was found. Stateless. */
public final class VerdictPage {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("d MMMM yyyy, HH:mm 'UTC'", Locale.ENGLISH);

    private VerdictPage() {}

    /** Returns a self-contained page without scripts or external resources. */
    public static String of(Verdict verdict) {
        Page page = new Page("Verify: " + verdict.store());
        page.raw("<header>").element("p class=\"kind\"", "Seriatim · verify");
        page.element("h1", title(verdict));
        page.element("p class=\"facts\"", verdict.store());
        page.element(
                "p class=\"facts\"",
                TIME.format(verdict.began().atZone(ZoneOffset.UTC)) + " · " + VerdictWords.time(verdict.took()) + " · "
                        + VerdictWords.crew(verdict) + " · seed " + verdict.seed());
        page.raw("</header>\n");
        if (verdict.broken() > 0 || verdict.end() == Verdict.End.FAILED || !verdict.controlled()) {
            page.element("p class=\"warning\"", VerdictWords.headline(verdict));
        }
        modes(page, verdict);
        violations(page, verdict);
        harms(page, verdict);
        controls(page, verdict);
        leftOut(page, verdict);
        page.raw("<section>").element("h2", "Again");
        page.element("p class=\"lead\"", "The same faults in the same order, on the same machine:");
        page.raw("<pre tabindex=\"0\">").code(verdict.command()).raw("</pre></section>\n");
        return page.written();
    }

    private static String title(Verdict verdict) {
        if (verdict.broken() > 0) {
            return "A promise was broken";
        }
        if (verdict.end() == Verdict.End.FAILED || !verdict.controlled()) {
            return "Nothing was proven";
        }
        return "No violation in " + VerdictWords.count(verdict.numbers()) + " numbers";
    }

    private static void modes(Page page, Verdict verdict) {
        StringBuilder table = new StringBuilder("<table><thead><tr><th scope=\"col\">mode<th scope=\"col\">promises"
                + "<th scope=\"col\">numbers<th scope=\"col\">committed<th scope=\"col\">commit unknown"
                + "<th scope=\"col\">failed<th scope=\"col\">broken</tr></thead><tbody>");
        for (ModeVerdict mode : verdict.modes()) {
            table.append("<tr><th scope=\"row\">").append(mode.mode());
            cell(table, VerdictWords.promise(mode.mode().promise()));
            cell(table, VerdictWords.count(mode.numbers()));
            cell(table, VerdictWords.committed(mode));
            cell(table, VerdictWords.count(mode.unsure()));
            cell(table, VerdictWords.count(mode.failed()));
            cell(table, mode.broken() == 0 ? "none" : VerdictWords.count(mode.broken()));
            table.append("</tr>");
        }
        page.raw("<section>").element("h2", "What was promised, and what was found");
        page.element(
                "p class=\"lead\"",
                "Every number that a process got is compared with all others, and in gapless modes with the rows that"
                        + " are committed. Draws may fail while a fault lasts; numbers may not repeat, overtake or"
                        + " vanish.");
        page.box("What was found", Page.thin(table.append("</tbody></table>").toString()));
        page.raw("</section>\n");
    }

    private static void cell(StringBuilder table, String text) {
        table.append("<td>").append(Markup.escaped(text));
    }

    private static void violations(Page page, Verdict verdict) {
        if (verdict.broken() == 0) {
            return;
        }
        page.raw("<section>").element("h2", "What was broken");
        for (ModeVerdict mode : verdict.modes()) {
            for (Violation violation : mode.violations()) {
                page.raw("<article class=\"finding error\">");
                page.element(
                        "h3",
                        mode.mode() + ": " + violation.kind().words() + ", "
                                + VerdictWords.counted(violation.count(), "time", "times"));
                page.raw("<ul>");
                violation.examples().forEach(example -> page.element("li", example));
                page.raw("</ul></article>\n");
            }
        }
        page.raw("</section>\n");
    }

    private static void harms(Page page, Verdict verdict) {
        page.raw("<section>").element("h2", "What was done meanwhile");
        if (VerdictWords.harms(verdict).isEmpty()) {
            page.element("p class=\"lead\"", "Nothing was done to those who drew.");
        } else {
            page.raw("<ul>");
            VerdictWords.harms(verdict).forEach(harm -> page.element("li", harm));
            page.raw("</ul>");
        }
        if (!verdict.failures().isEmpty()) {
            page.element("p class=\"lead\"", "Why draws failed, most often:").raw("<ul>");
            verdict.failures()
                    .forEach(failure ->
                            page.element("li", VerdictWords.count(failure.count()) + " × " + failure.what()));
            page.raw("</ul>");
        }
        page.raw("</section>\n");
    }

    private static void controls(Page page, Verdict verdict) {
        if (verdict.controls().isEmpty()) {
            return;
        }
        page.raw("<section>").element("h2", "Controls");
        page.element(
                "p class=\"lead\"",
                "Generators that are wrong, on the same database and under the same checks. A check that does not find"
                        + " them proves nothing.");
        for (ControlVerdict control : verdict.controls()) {
            page.raw("<article class=\"finding\">");
            page.element("h3", control.name());
            page.element(
                    "p",
                    control.what() + ": "
                            + (control.red()
                                    ? "found after " + VerdictWords.time(control.took()) + "."
                                    : "NOT found in " + VerdictWords.count(control.numbers()) + " numbers."));
            if (control.red()) {
                page.element("p class=\"note\"", control.found());
            }
            page.raw("</article>\n");
        }
        page.raw("</section>\n");
    }

    private static void leftOut(Page page, Verdict verdict) {
        if (verdict.leftOut().isEmpty()) {
            return;
        }
        page.raw("<section>").element("h2", "Not done").raw("<ul>");
        for (LeftOut each : verdict.leftOut()) {
            page.element("li", each.what() + ": " + each.why());
        }
        page.raw("</ul></section>\n");
    }
}
