// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.auditing;

import dev.seriatim.cli.auditing.AuditFinding.Kind;
import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.store.ColumnName;
import dev.seriatim.store.NumberColumn;
import java.io.PrintWriter;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Prints an audit as text: a line for each finding, then a line for each check. Not thread-safe. */
final class TextAudit implements Audit.Report {

    private final String sequence;
    private final NumberColumn column;
    private final PrintWriter out;
    private boolean foundAny;

    TextAudit(String sequence, NumberColumn column, PrintWriter out) {
        this.sequence = sequence;
        this.column = column;
        this.out = out;
    }

    @Override
    public void found(AuditFinding finding) {
        foundAny = true;
        line(finding.kind().name().toLowerCase(Locale.ROOT).replace('_', ' '), finding.text());
    }

    @Override
    public void end(Audit audit) {
        if (foundAny) {
            out.println();
        }
        Dealt dealt = audit.dealt;
        String all = audit.all
                .range()
                .map(range -> ", " + range.first() + " … " + range.last())
                .orElse("");
        line(
                "sequence",
                OneLine.quoted(sequence) + ", which has dealt "
                        + dealt.numbers().map(NumberRange::toString).orElse("nothing from " + dealt.from() + " on"));
        line(
                "column",
                OneLine.of(column.numbers().toString()) + ", "
                        + counted(audit.rows, "row with a number", "rows with a number") + all + "; "
                        + audit.withoutNumber + " without");
        line("duplicates", found(audit, Kind.DUPLICATE, "number in several rows", "numbers in several rows"));
        BigInteger missing = audit.amount(Kind.GAP);
        line(
                "gaps",
                found(audit, Kind.GAP, "gap", "gaps")
                        + (missing.signum() == 0 ? "" : ", " + counted(missing, "number missing", "numbers missing")));
        line("strays", strays(audit));
        line("undealt", numbers(audit.undealt.range(), "that the sequence has yet to deal; raise it with 'sync'"));
        column.time().map(ColumnName::column).map(OneLine::of).ifPresent(by -> {
            long without = audit.rows - audit.rowsInTime;
            line(
                    "order",
                    found(audit, Kind.OUT_OF_ORDER, "number goes back", "numbers go back") + ", by " + by
                            + (without == 0 ? "" : "; " + without + " without a time"));
        });
        audit.pool.all().ifPresent(range -> line("in the pool", range.toString()));
        line("at the end", numbers(audit.missingAtEnd(), "dealt or reserved, but not in the table"));
    }

    private static String strays(Audit audit) {
        if (audit.count(Kind.STRAY) == 0) {
            return "none";
        }
        Dealt dealt = audit.dealt;
        return counted(audit.amount(Kind.STRAY), "number", "numbers")
                + " before the start or off the step of the sequence" + withheld(audit, Kind.STRAY)
                + (dealt.holds(dealt.counter())
                        ? ""
                        : "; its counter " + dealt.counter() + " is off that step as well, see --first");
    }

    private static String found(Audit audit, Kind kind, String one, String many) {
        return audit.count(kind) == 0 ? "none" : counted(audit.count(kind), one, many) + withheld(audit, kind);
    }

    private static String withheld(Audit audit, Kind kind) {
        return audit.withheld(kind) ? " (not all are shown; see --limit)" : "";
    }

    private static String numbers(Optional<NumberRange> range, String what) {
        return range.map(numbers -> numbers + " " + what).orElse("none");
    }

    private void line(String what, String how) {
        out.println(what + " ".repeat(14 - what.length()) + how);
    }

    /** Returns all faults as a list; if {@code gapless}, also the numbers missing at the end. */
    static String faults(Audit audit, boolean gapless) {
        List<String> faults = new ArrayList<>();
        faults.add(counted(audit.count(Kind.DUPLICATE), "duplicate", "duplicates"));
        faults.add(counted(audit.count(Kind.GAP), "gap", "gaps"));
        faults.add(counted(audit.amount(Kind.STRAY), "stray", "strays"));
        faults.add(counted(count(audit.undealt.range()), "number yet to deal", "numbers yet to deal"));
        faults.add(counted(audit.count(Kind.OUT_OF_ORDER), "number out of order", "numbers out of order"));
        if (gapless) {
            BigInteger atEnd = count(audit.missingAtEnd());
            faults.add(counted(atEnd, "number missing at the end", "numbers missing at the end"));
        }
        faults.removeIf(fault -> fault.startsWith("0 "));
        return String.join(", ", faults);
    }

    private static BigInteger count(Optional<NumberRange> range) {
        return range.map(NumberRange::count).orElse(BigInteger.ZERO);
    }

    private static String counted(Number count, String one, String many) {
        return count + " " + (count.toString().equals("1") ? one : many);
    }
}
