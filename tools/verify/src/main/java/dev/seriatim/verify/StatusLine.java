// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import dev.seriatim.report.Value;
import dev.seriatim.verify.Verdict.Count;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Prints the progress on standard error: each minute, and more often on a terminal. Not thread-safe. */
final class StatusLine {

    private static final String ERASE = "\r\u001b[K";
    private static final Duration PACE_ON_TERMINAL = Duration.ofMillis(500);
    private static final Duration PACE = Duration.ofMinutes(1);

    private final PrintWriter err;
    private final boolean terminal;
    private final Map<Goal, Long> goals;
    private long last = System.nanoTime();
    private boolean shown;

    StatusLine(PrintWriter err, boolean terminal, Map<Goal, Long> goals) {
        this.err = err;
        this.terminal = terminal;
        this.goals = goals;
    }

    void show(Trial.Status status) {
        long now = System.nanoTime();
        if (now - last < (terminal ? PACE_ON_TERMINAL : PACE).toNanos()) {
            return;
        }
        last = now;
        if (terminal) {
            err.print(ERASE + text(status));
            err.flush();
            shown = true;
        } else {
            err.println("seriatim: " + text(status));
        }
    }

    /** Removes the line from a terminal. */
    void erase() {
        if (shown) {
            err.print(ERASE);
            err.flush();
            shown = false;
        }
    }

    private String text(Trial.Status status) {
        StringBuilder text = new StringBuilder(status.step() + " " + Value.time(status.since()));
        if (goals.isEmpty() && !status.longest().isZero()) {
            text.append(" of ").append(Value.time(status.longest()));
        }
        if (status.numbers() > 0) {
            long faults = status.faults().stream().mapToLong(Count::count).sum();
            text.append(String.format(Locale.ROOT, ", %,d numbers, %,d faults", status.numbers(), faults));
        }
        if (!goals.isEmpty() && !status.reached().isEmpty()) {
            text.append("; ")
                    .append(goals.entrySet().stream()
                            .sorted(Comparator.comparingLong(goal -> percent(status, goal)))
                            .limit(terminal ? 1 : goals.size()) // a line that a terminal wraps cannot be replaced
                            .map(goal -> goal.getKey().word() + " " + percent(status, goal) + " %")
                            .collect(Collectors.joining(", ")));
        }
        return text.toString();
    }

    private static long percent(Trial.Status status, Map.Entry<Goal, Long> goal) {
        long reached = status.reached().getOrDefault(goal.getKey(), 0L);
        return Math.min(100, (long) (100.0 * reached / goal.getValue()));
    }
}
