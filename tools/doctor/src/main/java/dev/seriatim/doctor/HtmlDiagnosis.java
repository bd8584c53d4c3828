// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor;

import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.doctor.inventory.InspectionFault.Level;
import dev.seriatim.doctor.inventory.InspectionFinding;
import dev.seriatim.doctor.rule.Diagnosis;
import dev.seriatim.doctor.rule.Share;
import dev.seriatim.report.Markup;
import dev.seriatim.report.Page;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** A diagnosis as a page. Stateless. */
public final class HtmlDiagnosis {

    /** Maximum findings of each level, notes and lines on a page. */
    private static final int SHOWN = 300;

    /** Maximum rows of the table. */
    private static final int ROWS = 50;

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("d MMMM yyyy, HH:mm 'UTC'", Locale.ENGLISH);

    private HtmlDiagnosis() {}

    /** Returns a self-contained page without scripts or external resources. */
    public static String of(Diagnosis diagnosis) {
        String place = OneLine.of(Summary.place(diagnosis.inventory()));
        Page page = new Page("Doctor: " + place);
        page.raw("<header>").element("p class=\"kind\"", "Seriatim · doctor");
        page.element("h1", Summary.headline(diagnosis));
        page.element("p class=\"facts\"", place);
        page.element(
                "p class=\"facts\"",
                TIME.format(diagnosis.at().atZone(ZoneOffset.UTC)) + " · " + Summary.seconds(diagnosis));
        page.element("p class=\"facts\"", Summary.extent(diagnosis.inventory()));
        page.raw("</header>\n");
        if (!diagnosis.inventory().skipped().isEmpty()) {
            page.raw(
                    "<p class=\"warning\">Not everything was examined: <a href=\"#skipped\">what was left out</a>.</p>\n");
        }
        findings(page, "Errors", "Inserts fail, numbers repeat, or commits are lost.", Level.ERROR, diagnosis);
        findings(page, "Warnings", "It will go wrong, or surprises.", Level.WARNING, diagnosis);
        notes(page, diagnosis);
        generators(page, diagnosis);
        skipped(page, diagnosis);
        return page.written();
    }

    private static void findings(Page page, String title, String lead, Level level, Diagnosis diagnosis) {
        List<InspectionFinding> findings = diagnosis.findings().stream()
                .filter(finding -> finding.fault().level() == level)
                .toList();
        if (!findings.isEmpty()) {
            page.raw("<section>").element("h2", title);
            page.element("p class=\"lead\"", lead);
            list(page, findings, level == Level.ERROR ? "error" : "warn");
            page.raw("</section>\n");
        }
    }

    private static void notes(Page page, Diagnosis diagnosis) {
        if (!diagnosis.notes().isEmpty()) {
            page.raw("<section>").element("h2", "Notes");
            page.element("p class=\"lead\"", "Worth knowing; nothing is wrong.");
            list(page, diagnosis.notes(), "");
            page.raw("</section>\n");
        }
    }

    private static void list(Page page, List<InspectionFinding> findings, String look) {
        for (InspectionFinding finding : findings.subList(0, Math.min(SHOWN, findings.size()))) {
            page.raw("<article class=\"finding " + look + "\"><h3>" + shown(finding.subject()));
            if (!look.isEmpty()) {
                page.raw(" <small>" + Markup.escaped(finding.fault().code()) + "</small>");
            }
            page.raw("</h3><p>" + shown(finding.what()) + "</p>");
            finding.remedy().ifPresent(remedy -> {
                switch (remedy.kind()) {
                    case RAISES, CHANGES, COMMAND ->
                        page.raw("<pre>").code(OneLine.of(remedy.text())).raw("</pre>");
                    case ADVICE -> page.raw("<p class=\"advice\">" + shown(remedy.text()) + "</p>");
                }
            });
            page.raw("</article>\n");
        }
        more(page, findings.size(), SHOWN);
    }

    private static void generators(Page page, Diagnosis diagnosis) {
        List<Diagnosis.Outlook> known = diagnosis.outlooks().stream()
                .filter(outlook -> outlook.used().isPresent())
                .sorted(Comparator.comparing((Diagnosis.Outlook outlook) ->
                                outlook.used().map(Share::percent).orElseThrow())
                        .reversed())
                .toList();
        if (known.isEmpty()) {
            return;
        }
        boolean dated = known.stream().anyMatch(outlook -> outlook.end().isPresent());
        StringBuilder table =
                new StringBuilder("<table class=\"reach\"><thead><tr><th scope=\"col\">generator<th scope=\"col\">used"
                        + (dated ? "<th scope=\"col\">used up on" : "")
                        + "<th scope=\"col\">next<th scope=\"col\">ends at</tr></thead><tbody>");
        for (Diagnosis.Outlook outlook : known.subList(0, Math.min(ROWS, known.size()))) {
            String next = outlook.source().usedUp()
                    ? "none"
                    : outlook.source().next().map(Object::toString).orElse("");
            table.append("<tr><th scope=\"row\">").append(shown(outlook.source().subject()));
            table.append("<td>")
                    .append(Markup.escaped(outlook.used().map(Share::toString).orElse("")));
            if (dated) {
                table.append("<td>").append(outlook.end().map(Object::toString).orElse(""));
            }
            table.append("<td>")
                    .append(next)
                    .append("<td>")
                    .append(outlook.source().nearestEnd())
                    .append("</tr>");
        }
        page.raw("<section>").element("h2", "Shares used");
        page.element("p class=\"lead\"", "The largest share first.");
        page.box("Shares used", table.append("</tbody></table>").toString());
        more(page, known.size(), ROWS);
        page.raw("</section>\n");
    }

    private static void skipped(Page page, Diagnosis diagnosis) {
        List<String> skipped = Summary.skipped(diagnosis.inventory());
        if (!skipped.isEmpty()) {
            page.raw("<section id=\"skipped\">").element("h2", "Not examined").raw("<ul>");
            skipped.subList(0, Math.min(SHOWN, skipped.size()))
                    .forEach(line -> page.raw("<li>" + shown(line) + "</li>\n"));
            page.raw("</ul>");
            more(page, skipped.size(), SHOWN);
            page.raw("</section>\n");
        }
    }

    private static void more(Page page, int count, int shown) {
        if (count > shown) {
            page.element("p class=\"note\"", (count - shown) + " more are in the JSON.");
        }
    }

    /** A name may hold anything; what would not show is written as its number. */
    private static String shown(String text) {
        return Markup.escaped(OneLine.of(text));
    }
}
