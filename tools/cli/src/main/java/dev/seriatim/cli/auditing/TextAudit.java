// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.auditing;

import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.store.ColumnName;
import dev.seriatim.store.NumberColumn;
import java.io.PrintWriter;
import java.util.Optional;

/** Prints an audit as text: a line for each finding, then a line for each check. Not thread-safe. */
final class TextAudit implements AuditReport {

    private final PrintWriter out;
    private String sequence = "";
    private String column = "";
    private String time = "";
    private boolean foundAny;

    TextAudit(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void begin(String name, NumberColumn audited, Dealt dealt) {
        sequence = OneLine.quoted(name);
        column = OneLine.of(audited.numbers().toString());
        time = audited.time().map(ColumnName::column).map(OneLine::of).orElse("");
    }

    @Override
    public void found(AuditFinding finding) {
        foundAny = true;
        line(finding.kind().toString(), finding.toString());
    }

    @Override
    public void end(AuditResult outcome) {
        if (foundAny) {
            out.println();
        }
        FindingTally tally = outcome.tally();
        line("sequence", sequence + ", " + dealt(outcome.dealt()));
        line("column", column + ", " + rows(outcome));
        line("duplicates", words(tally, Kind.DUPLICATE, "number in several rows", "numbers in several rows"));
        line("gaps", words(tally, Kind.GAP, "gap", "gaps") + missing(tally));
        line("strays", strays(tally) + counterStrays(outcome));
        line("undealt", words(outcome.undealt(), "that the sequence has yet to deal; raise it with 'sync'"));
        if (!time.isEmpty()) {
            line("order", words(tally, Kind.OUT_OF_ORDER, "number goes back", "numbers go back") + by(outcome));
        }
        outcome.inPool().ifPresent(range -> line("in the pool", range.toString()));
        line("at the end", words(outcome.atEnd(), "dealt or reserved, but not in the table"));
    }

    private static String dealt(Dealt dealt) {
        return dealt.numbers()
                .map(numbers -> "which has dealt " + numbers)
                .orElse("which has dealt nothing from " + dealt.grid().from() + " on");
    }

    private static String rows(AuditResult outcome) {
        return Plural.of(outcome.rows(), "row with a number", "rows with a number")
                + outcome.all()
                        .map(all -> ", " + all.first() + " … " + all.last())
                        .orElse("")
                + "; " + outcome.withoutNumber() + " without";
    }

    private static String missing(FindingTally tally) {
        return tally.count(Kind.GAP) == 0
                ? ""
                : ", " + Plural.of(tally.amount(Kind.GAP), "number missing", "numbers missing");
    }

    private String by(AuditResult outcome) {
        long without = outcome.withoutTime().orElse(0);
        return ", by " + time + (without == 0 ? "" : "; " + without + " without a time");
    }

    private static String strays(FindingTally tally) {
        return tally.count(Kind.STRAY) == 0
                ? "none"
                : Plural.of(tally.amount(Kind.STRAY), "number", "numbers")
                        + " before the start or off the step of the sequence" + withheld(tally, Kind.STRAY);
    }

    private static String counterStrays(AuditResult outcome) {
        Dealt dealt = outcome.dealt();
        return outcome.tally().count(Kind.STRAY) == 0 || dealt.grid().holds(dealt.counter())
                ? ""
                : "; its counter " + dealt.counter() + " is off that step as well, see --first";
    }

    private static String words(FindingTally tally, Kind kind, String one, String many) {
        return tally.count(kind) == 0 ? "none" : Plural.of(tally.count(kind), one, many) + withheld(tally, kind);
    }

    private static String words(Optional<NumberRange> range, String what) {
        return range.map(numbers -> numbers + " " + what).orElse("none");
    }

    private static String withheld(FindingTally tally, Kind kind) {
        return tally.withheld(kind) ? " (not all are shown; see --limit)" : "";
    }

    private void line(String what, String how) {
        out.println(what + " ".repeat(14 - what.length()) + how);
    }
}
