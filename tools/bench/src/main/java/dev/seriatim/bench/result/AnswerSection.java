// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import dev.seriatim.report.Page;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The first section of the page: recommendations, findings, and the result of the checks. */
final class AnswerSection {

    private static final Pattern QUOTED = Pattern.compile("[Pp]ublished(?: figures?)?");

    private static final int LONGEST_WORD = 20;

    private final Page page;

    private AnswerSection(Page page) {
        this.page = page;
    }

    static void write(Measurements measurements, Page page) {
        page.raw("<section class=\"answer\">").element("h2", "What do I use?");
        AnswerSection answer = new AnswerSection(page);
        List<Recommendations> tables = Recommendations.of(measurements);
        if (!tables.isEmpty()) {
            answer.table(tables);
        }
        answer.findings(SummaryInWords.findings(measurements));
        if (!measurements.runs().isEmpty()) {
            boolean clean = measurements.runs().stream().noneMatch(run -> Checks.broken(run) || run.errors() > 0);
            page.raw("<p class=\"" + (clean ? "checks" : "checks failed") + "\"><b>"
                            + (clean ? "✓ Checked." : "✗ Checked.") + "</b> ")
                    .text(Checks.inOneLine(measurements))
                    .raw("</p>");
        }
        page.raw("</section>\n");
    }

    private void table(List<Recommendations> tables) {
        page.raw("<table class=\"uses\"><thead><tr><th>What you need<th>Take this<th>What it costs here");
        for (Recommendations table : tables) {
            page.raw("<tbody><tr><th colspan=\"3\" class=\"work\">").text("With " + table.work());
            table.rows().forEach(this::row);
            table.notMeasured().ifPresent(missing -> {
                page.raw("<tr class=\"rest\"><td colspan=\"3\">Not measured: ")
                        .text(String.join(", ", missing.modes()))
                        .raw(". Measure them:");
                command(missing.command());
            });
        }
        page.raw("</table>\n");
    }

    private void row(Recommendation row) {
        String need = SummaryInWords.begun(row.need());
        page.raw("<tr><td><b>").text(need).raw("</b><small>").text(row.detail()).raw("</small><td>");
        if (row.found()) {
            page.raw("<b>").text(row.take()).raw("</b>");
        } else {
            page.text(row.take());
        }
        page.raw("<td>").text(row.cost());
        if (!row.command().isEmpty()) {
            command(row.command());
        }
    }

    /** Breaks lines only between words, unless a word is longer than a line. */
    private void command(String command) {
        page.raw(" <code>");
        for (String word : command.split(" ", -1)) {
            page.raw(word.length() <= LONGEST_WORD ? "<span>" : "<span class=\"long\">")
                    .text(word)
                    .raw("</span> ");
        }
        page.raw("</code>");
    }

    private void findings(List<Insight> findings) {
        page.raw("<ul>");
        for (Insight finding : findings) {
            page.raw("<li>");
            Matcher quoted = QUOTED.matcher(finding.text());
            Optional<Publication> source = finding.source();
            if (source.isPresent() && quoted.find()) {
                page.text(finding.text().substring(0, quoted.start()))
                        .raw(source.get().link(quoted.group()))
                        .text(finding.text().substring(quoted.end()));
            } else {
                page.text(finding.text());
            }
            page.raw("</li>\n");
        }
        page.raw("</ul>\n");
    }
}
