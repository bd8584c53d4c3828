// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.verdict;

import dev.seriatim.cli.draw.Promise;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A verdict in words, the same in every format. Stateless. */
public final class VerdictWords {

    private VerdictWords() {}

    /** Returns the verdict in one line. */
    public static String headline(Verdict verdict) {
        if (verdict.broken() > 0) {
            String early = verdict.problem().isEmpty() ? "" : "; it ended early: " + verdict.problem();
            return "broken: " + kinds(verdict) + early;
        }
        if (verdict.end() == Verdict.End.FAILED) {
            return "not proven: " + verdict.problem();
        }
        List<ControlVerdict> green =
                verdict.controls().stream().filter(control -> !control.red()).toList();
        if (!green.isEmpty()) {
            return "not proven: nothing was found wrong, not even with "
                    + green.stream().map(ControlVerdict::name).collect(Collectors.joining(", "))
                    + ", which is wrong; run it again when this machine has less else to do"
                    + (green.stream().anyMatch(control -> control.name().equals("NATIVE"))
                            ? ", and with the server's data on a disk, not in memory"
                            : "");
        }
        String early = verdict.end() == Verdict.End.STOPPED ? ", until it was stopped" : "";
        return "no violation in " + count(verdict.numbers()) + " numbers" + early;
    }

    private static String kinds(Verdict verdict) {
        return verdict.modes().stream()
                .filter(mode -> mode.broken() > 0)
                .map(mode -> mode.mode() + " "
                        + mode.violations().stream()
                                .map(violation -> violation.kind().words())
                                .distinct()
                                .collect(Collectors.joining(", ")))
                .collect(Collectors.joining("; "));
    }

    /** Returns what a mode promises. */
    static String promise(Promise promise) {
        return switch (promise) {
            case UNIQUE -> "unique";
            case ORDERED -> "unique, ordered";
            case GAPLESS -> "unique, ordered, gapless";
            case GAPLESS_UNORDERED -> "unique, gapless";
        };
    }

    /** Returns what was done, such as {@code 12 × process killed}. */
    static List<String> harms(Verdict verdict) {
        return verdict.harms().stream()
                .filter(harm -> harm.count() > 0)
                .map(harm -> count(harm.count()) + " × " + harm.what())
                .toList();
    }

    /** Returns how many there are of a thing, such as {@code 1 process} or {@code 2 processes}. */
    static String counted(long number, String one, String several) {
        return count(number) + " " + (number == 1 ? one : several);
    }

    /** Returns how many drew at a time. */
    static String crew(Verdict verdict) {
        return counted(verdict.processes(), "process", "processes") + " with "
                + counted(verdict.threads(), "thread", "threads") + " for each mode";
    }

    /** Returns how many rows are committed, or a dash. */
    static String committed(ModeVerdict mode) {
        Long rows = mode.committed();
        return rows == null ? "-" : count(rows);
    }

    /** Returns a number with commas. */
    static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** Returns a duration such as {@code 10 min 3 s}. */
    public static String time(Duration duration) {
        long seconds = (duration.toMillis() + 500) / 1000;
        long hours = seconds / 3600;
        long minutes = seconds / 60 % 60;
        String rest = seconds % 60 + " s";
        return hours > 0 ? hours + " h " + minutes + " min" : minutes > 0 ? minutes + " min " + rest : rest;
    }
}
