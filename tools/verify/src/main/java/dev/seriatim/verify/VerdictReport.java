// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import dev.seriatim.cli.draw.Promise;
import dev.seriatim.report.Document;
import dev.seriatim.report.Finding;
import dev.seriatim.report.Section;
import dev.seriatim.report.Table;
import dev.seriatim.report.Value;
import dev.seriatim.verify.Verdict.Control;
import dev.seriatim.verify.Verdict.Count;
import dev.seriatim.verify.Verdict.End;
import dev.seriatim.verify.Verdict.Mode;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes verdicts for readers and programs. Stateless. */
final class VerdictReport {

    /** The JSON has all. */
    private static final int MOST_FAILURES = 5;

    private VerdictReport() {}

    static Document of(Verdict verdict) {
        Verdict.Run run = verdict.run();
        Document document = new Document("verify", title(verdict))
                .line(run.store())
                .line(Value.counted(run.processes(), "process", "processes") + " with "
                        + Value.counted(run.threads(), "thread") + " for each mode drew for " + Value.time(run.took())
                        + "; seed " + run.seed())
                .data("verdict", headline(verdict))
                .data("broken", verdict.broken())
                .data("controlled", verdict.controlled())
                .data("end", verdict.end().name().toLowerCase(Locale.ROOT))
                .data("problem", orNull(verdict.problem()))
                .data("left", orNull(verdict.left()))
                .data("command", run.command())
                .data("store", run.store())
                .data("began", run.began())
                .data("seconds", run.took())
                .data("seed", Long.toString(run.seed()))
                .data("processes", run.processes())
                .data("threads", run.threads());
        if (verdict.broken() > 0 || verdict.isUnproven()) {
            document.warning(headline(verdict));
        }
        document.section("")
                .lead(
                        "Every number is compared with all others, and in gapless modes with the committed rows. Draws may"
                                + " fail during a fault; numbers may not repeat, overtake or vanish.")
                .table(modes(verdict));
        document.section("Broken promises")
                .findings(verdict.modes().stream()
                        .flatMap(VerdictReport::findings)
                        .toList());
        faults(document.section("Meanwhile"), verdict);
        document.data("controls", verdict.controls())
                .section("Controls: wrong generators")
                .lead("The same checks must find each, or they prove nothing.")
                .findings(
                        verdict.controls().stream().map(VerdictReport::finding).toList());
        document.data("faults", verdict.faults()).data("failures", verdict.failures());
        document.data("not_done", verdict.leftOut())
                .section("Not done")
                .list(verdict.leftOut().stream()
                        .map(each -> each.what() + ": " + each.why())
                        .toList());
        document.section("Again")
                .pageOnly()
                .fact("", "Began", run.began())
                .paragraph("The same faults in the same order, on the same machine:")
                .command(run.command());
        return document.outcome(headline(verdict));
    }

    private static @Nullable String orNull(String text) {
        return text.isEmpty() ? null : text;
    }

    private static Table<Mode> modes(Verdict verdict) {
        return new Table<>("modes", "Modes", verdict.modes())
                .column("mode", "mode", mode -> mode.mode().name())
                .column("promise", "promises", mode -> promise(mode.mode().promise()))
                .column("numbers", "numbers", Mode::numbers)
                .column("committed", "committed", Mode::committed)
                .column("unknown", "unknown", Mode::unsure)
                .column("failed", "failed", Mode::failed)
                .column("broken", mode -> mode.broken() == 0 ? null : mode.broken())
                .column("looks", "", Mode::looks)
                .column(
                        "next_value",
                        "",
                        mode -> mode.next() == null ? null : mode.next().toString())
                .column("violations", "", Mode::violations);
    }

    private static Stream<Finding> findings(Mode mode) {
        return mode.violations().stream()
                .map(violation -> new Finding(
                        Finding.Level.ERROR,
                        mode.mode() + ": " + violation.kind().title + ", " + Value.counted(violation.count(), "time"),
                        violation.examples()));
    }

    private static Finding finding(Control control) {
        String after = " after " + Value.time(control.took());
        return new Finding(
                control.red() ? Finding.Level.NOTE : Finding.Level.ERROR,
                control.name() + ": " + control.what(),
                List.of(
                        control.red()
                                ? "found" + after + ": " + control.found()
                                : "NOT found in " + Value.counted(control.numbers(), "number") + after));
    }

    private static void faults(Section section, Verdict verdict) {
        List<Count> faults =
                verdict.faults().stream().filter(fault -> fault.count() > 0).toList();
        section.list(faults.isEmpty() ? List.of("no faults") : lines(faults));
        List<Count> failures = verdict.failures();
        if (!failures.isEmpty()) {
            section.heading("Why draws failed, most often")
                    .list(lines(failures.subList(0, Math.min(MOST_FAILURES, failures.size()))));
        }
    }

    private static List<String> lines(List<Count> counts) {
        return counts.stream()
                .map(each -> Value.text(each.count()) + " × " + each.what())
                .toList();
    }

    private static String title(Verdict verdict) {
        return verdict.broken() > 0
                ? "A promise was broken"
                : verdict.isUnproven()
                        ? "Nothing was proven"
                        : "No violation in " + Value.counted(verdict.numbers(), "number");
    }

    /** Returns the verdict in one line. */
    static String headline(Verdict verdict) {
        if (verdict.broken() > 0) {
            String early = verdict.problem().isEmpty() ? "" : "; it ended early: " + verdict.problem();
            return "broken: " + kinds(verdict) + early;
        }
        if (verdict.end() == End.FAILED) {
            return "not proven: " + verdict.problem();
        }
        List<String> missed = verdict.controls().stream()
                .filter(control -> !control.red())
                .map(Control::name)
                .toList();
        if (!missed.isEmpty()) {
            return "not proven: the checks found nothing wrong with " + String.join(", ", missed)
                    + ", which is wrong; run verify again when this machine is less busy"
                    + (missed.contains("NATIVE") ? ", and with the server's data on a disk, not in memory" : "");
        }
        String early = verdict.end() == End.STOPPED ? ", until it was stopped" : "";
        return "no violation in " + Value.counted(verdict.numbers(), "number") + early;
    }

    private static String kinds(Verdict verdict) {
        return verdict.modes().stream()
                .filter(mode -> mode.broken() > 0)
                .map(mode -> mode.mode() + " "
                        + mode.violations().stream()
                                .map(violation -> violation.kind().title)
                                .distinct()
                                .collect(Collectors.joining(", ")))
                .collect(Collectors.joining("; "));
    }

    private static String promise(Promise promise) {
        return switch (promise) {
            case UNIQUE -> "unique";
            case ORDERED -> "unique, ordered";
            case GAPLESS -> "unique, ordered, gapless";
            case GAPLESS_UNORDERED -> "unique, gapless";
        };
    }
}
