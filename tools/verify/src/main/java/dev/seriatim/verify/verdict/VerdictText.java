// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.verdict;

import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.cli.terminal.WrappedText;
import java.io.PrintWriter;
import java.util.Locale;

/** Prints a verdict for a person. Stateless. */
public final class VerdictText {

    private static final int INDENT = 2;

    /** The others are in the JSON. */
    private static final int FAILURES = 3;

    private VerdictText() {}

    /** Prints it; the last line sums it up. */
    public static void print(Verdict verdict, PrintWriter out) {
        out.println(OneLine.of(verdict.store()));
        out.println(VerdictWords.crew(verdict) + " drew for " + VerdictWords.time(verdict.took()) + "; seed "
                + verdict.seed());
        out.println();
        out.println(String.format(
                Locale.ROOT,
                "%-12s %-25s %15s %12s %9s %8s  %s",
                "mode",
                "promises",
                "numbers",
                "committed",
                "unknown",
                "failed",
                "broken"));
        for (ModeVerdict mode : verdict.modes()) {
            out.println(String.format(
                    Locale.ROOT,
                    "%-12s %-25s %15s %12s %9s %8s  %s",
                    mode.mode(),
                    VerdictWords.promise(mode.mode().promise()),
                    VerdictWords.count(mode.numbers()),
                    VerdictWords.committed(mode),
                    VerdictWords.count(mode.unsure()),
                    VerdictWords.count(mode.failed()),
                    mode.broken() == 0 ? "-" : VerdictWords.count(mode.broken())));
        }
        for (ModeVerdict mode : verdict.modes()) {
            for (Violation violation : mode.violations()) {
                out.println();
                out.println(mode.mode() + ": " + violation.kind().words() + ", "
                        + VerdictWords.counted(violation.count(), "time", "times"));
                violation.examples().forEach(example -> wrapped(OneLine.of(example), out));
            }
        }
        harms(verdict, out);
        failures(verdict, out);
        controls(verdict, out);
        leftOut(verdict, out);
        out.println();
        WrappedText.lines(VerdictWords.headline(verdict), 0).forEach(out::println);
        out.flush();
    }

    private static void harms(Verdict verdict, PrintWriter out) {
        out.println();
        out.println("Meanwhile");
        if (VerdictWords.harms(verdict).isEmpty()) {
            out.println("  nothing was done to those who drew");
        }
        VerdictWords.harms(verdict).forEach(harm -> out.println("  " + harm));
    }

    private static void failures(Verdict verdict, PrintWriter out) {
        if (!verdict.failures().isEmpty()) {
            out.println();
            out.println("Why draws failed, most often");
            verdict.failures()
                    .subList(0, Math.min(FAILURES, verdict.failures().size()))
                    .forEach(failure ->
                            wrapped(VerdictWords.count(failure.count()) + " × " + OneLine.of(failure.what()), out));
        }
    }

    private static void controls(Verdict verdict, PrintWriter out) {
        if (verdict.controls().isEmpty()) {
            return;
        }
        out.println();
        out.println("Controls: generators that are wrong, which the same checks must find");
        for (ControlVerdict control : verdict.controls()) {
            out.println("  " + control.name() + " (" + control.what() + "): "
                    + (control.red() ? "found" : "NOT found in " + VerdictWords.count(control.numbers()) + " numbers")
                    + " after " + VerdictWords.time(control.took()));
            if (control.red()) {
                wrapped(OneLine.of(control.found()), out);
            }
        }
    }

    private static void leftOut(Verdict verdict, PrintWriter out) {
        if (verdict.leftOut().isEmpty()) {
            return;
        }
        out.println();
        out.println("Not done");
        for (LeftOut each : verdict.leftOut()) {
            WrappedText.lines(each.what() + ": " + OneLine.of(each.why()), INDENT)
                    .forEach(line -> out.println("  " + line.strip()));
        }
    }

    private static void wrapped(String text, PrintWriter out) {
        WrappedText.lines(text, INDENT + 2).forEach(line -> out.println("    " + line.strip()));
    }
}
