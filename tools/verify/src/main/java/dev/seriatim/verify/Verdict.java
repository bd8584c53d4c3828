// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import com.google.gson.annotations.SerializedName;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.cli.draw.Promise;
import dev.seriatim.report.Document;
import dev.seriatim.report.Finding;
import dev.seriatim.report.Section;
import dev.seriatim.report.Table;
import dev.seriatim.report.Value;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The result of a verification. Immutable.
 *
 * @param store the store, without secrets
 * @param took the time for which processes worked
 * @param failures why draws failed, the most frequent reasons first; those of killed processes are missing
 * @param problem the reason of an early end, in one line, or empty
 * @param left what could not be removed, and how to remove it, in one line, or empty
 */
record Verdict(
        TrialPlan plan,
        String store,
        Instant began,
        Duration took,
        Checked checked,
        List<Control> controls,
        List<Count> faults,
        List<Count> failures,
        List<LeftOut> leftOut,
        End end,
        String problem,
        String left) {

    /** The failures in the text; the JSON has all. */
    private static final int MOST_FAILURES = 5;

    /** What was checked: what processes did, how it was checked, and the numbers with their noun. */
    record Checked(String work, String lead, String count, List<Subject> subjects, Table<?> table) {

        long broken() {
            return subjects.stream().mapToLong(Subject::broken).sum();
        }
    }

    /** Something that makes promises. */
    record Subject(String name, List<Violation> violations) {

        long broken() {
            return violations.stream().mapToLong(Violation::count).sum();
        }

        private Stream<Finding> findings() {
            return violations.stream()
                    .map(violation -> new Finding(
                            Finding.Level.ERROR,
                            name + ": " + violation.kind().title + ", " + Value.counted(violation.count(), "time"),
                            violation.examples()));
        }
    }

    /**
     * The result for one mode.
     *
     * @param unsure the numbers of transactions whose commit has an unknown outcome
     * @param failed draws that failed, as they may during a fault
     * @param committed rows in the mode's ledger; null if it has none, or they were not counted
     * @param next the next number of the store; null if it was not read
     */
    record Mode(
            DrawMode mode,
            long numbers,
            long unsure,
            long failed,
            @Nullable Long committed,
            @Nullable Long next,
            List<Violation> violations) {

        private Subject subject() {
            return new Subject(mode.name(), violations);
        }

        static Checked checked(TrialPlan.Load load, List<Mode> modes) {
            Table<Mode> table = new Table<>("modes", "Modes", modes)
                    .column("mode", "mode", mode -> mode.mode.name())
                    .column("promise", "promises", mode -> promise(mode.mode.promise()))
                    .column("numbers", "numbers", Mode::numbers)
                    .column("committed", "committed", Mode::committed)
                    .column("unknown", "unknown", Mode::unsure)
                    .column("failed", "failed", Mode::failed)
                    .column(
                            "broken",
                            mode -> mode.violations.isEmpty()
                                    ? null
                                    : mode.subject().broken())
                    .column("next_value", "", mode -> mode.next == null ? null : mode.next.toString())
                    .column("violations", "", Mode::violations);
            return new Checked(
                    Value.counted(load.processes(), "process", "processes") + " with "
                            + Value.counted(load.threads(), "thread") + " for each mode drew for ",
                    "Every number is compared with all others, and in gapless modes with the committed rows. Draws may"
                            + " fail during a fault; numbers may not repeat, vanish or come out of order.",
                    Value.counted(modes.stream().mapToLong(Mode::numbers).sum(), "number"),
                    modes.stream().map(Mode::subject).toList(),
                    table);
        }
    }

    /** The result for a generator that breaks its promise, with the first violation in words; null if none was found. */
    record Control(
            String name,
            String what,
            boolean red,
            @Nullable String found,
            long numbers,
            @SerializedName("seconds") Duration took) {

        private Finding finding() {
            String after = " after " + Value.time(took);
            return new Finding(
                    red ? Finding.Level.NOTE : Finding.Level.ERROR,
                    name + ": " + what,
                    List.of(
                            red
                                    ? "found" + after + ": " + found
                                    : "NOT found in " + Value.counted(numbers, "number") + after));
        }
    }

    record Count(String what, long count) {}

    /** A mode, a kind of fault, a goal or a control that could not be run here, and why. */
    record LeftOut(String what, String why) {}

    enum End {
        TIME,
        GOALS,
        VIOLATION,
        /** It was interrupted. */
        STOPPED,
        FAILED
    }

    Verdict withLeft(String what) {
        return new Verdict(plan, store, began, took, checked, controls, faults, failures, leftOut, end, problem, what);
    }

    long broken() {
        return checked.broken();
    }

    private List<String> missed() {
        return controls.stream()
                .filter(control -> !control.red())
                .map(Control::name)
                .toList();
    }

    /** Returns whether nothing is broken, but nothing is proven either. */
    boolean isUnproven() {
        return broken() == 0 && (end == End.FAILED || !missed().isEmpty());
    }

    String headline() {
        if (broken() > 0) {
            return "broken: " + kinds() + (problem.isEmpty() ? "" : "; it ended early: " + problem);
        }
        if (end == End.FAILED) {
            return "not proven: " + problem;
        }
        if (!missed().isEmpty()) {
            return "not proven: the checks did not find " + String.join(", ", missed())
                    + "; run verify again when this machine is less busy"
                    + (missed().contains("NATIVE") ? ", and with the server's data on a disk, not in memory" : "");
        }
        return "no violation in " + checked.count + (end == End.STOPPED ? ", until it was stopped" : "");
    }

    private String kinds() {
        return checked.subjects.stream()
                .filter(subject -> subject.broken() > 0)
                .map(subject -> subject.name() + " "
                        + subject.violations().stream()
                                .map(violation -> violation.kind().title)
                                .distinct()
                                .collect(Collectors.joining(", ")))
                .collect(Collectors.joining("; "));
    }

    Document document() {
        String title = broken() > 0
                ? "A promise was broken"
                : isUnproven() ? "Nothing was proven" : "No violation in " + checked.count;
        TrialPlan.Load load = plan.load();
        long seed = plan.faults().seed();
        Document document = new Document("verify", title)
                .line(store)
                .line(checked.work + Value.time(took) + "; seed " + seed)
                .data("verdict", headline())
                .data("broken", broken())
                .data("controlled", missed().isEmpty())
                .data("end", end.name().toLowerCase(Locale.ROOT))
                .data("problem", problem.isEmpty() ? null : problem)
                .data("left", left.isEmpty() ? null : left)
                .data("command", plan.command())
                .data("store", store)
                .data("began", began)
                .data("seconds", took)
                .data("seed", Long.toString(seed))
                .data("processes", load.processes())
                .data("threads", load.threads());
        if (broken() > 0 || isUnproven()) {
            document.warning(headline());
        }
        document.section("").lead(checked.lead).table(checked.table);
        document.section("Broken promises")
                .findings(checked.subjects.stream().flatMap(Subject::findings).toList());
        meanwhile(document.section("Meanwhile"));
        document.data("controls", controls)
                .section("Controls: faulty generators")
                .lead("The same checks must catch each, or they prove nothing.")
                .findings(controls.stream().map(Control::finding).toList());
        document.data("faults", faults)
                .data("failures", failures)
                .data("not_done", leftOut)
                .section("Not done")
                .list(leftOut.stream()
                        .map(each -> each.what() + ": " + each.why())
                        .toList());
        document.section("Again")
                .pageOnly()
                .fact("", "Began", began)
                .paragraph("The same faults in the same order, on the same machine:")
                .command(plan.command());
        return document.outcome(headline());
    }

    private static String promise(Promise promise) {
        return "unique" + (promise.ordered() ? ", ordered" : "") + (promise.gapless() ? ", gapless" : "");
    }

    private void meanwhile(Section section) {
        List<Count> happened =
                faults.stream().filter(fault -> fault.count() > 0).toList();
        section.list(happened.isEmpty() ? List.of("no faults") : lines(happened));
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
}
