// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import dev.seriatim.report.Value;
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
    private String step = "";
    private Duration longest = Duration.ZERO;
    private long began;
    private long shownAt = System.nanoTime();
    private boolean shown;

    StatusLine(PrintWriter err, boolean terminal, Map<Goal, Long> goals) {
        this.err = err;
        this.terminal = terminal;
        this.goals = goals;
    }

    /** Begins a step. The longest time that it may take is 0 if that is unknown. */
    void begin(String what, Duration longestTime) {
        step = what;
        longest = longestTime;
        began = System.nanoTime();
        show(0, 0, Map.of());
    }

    void show(long numbers, long faults, Map<Goal, Long> reached) {
        long now = System.nanoTime();
        if (now - shownAt < (terminal ? PACE_ON_TERMINAL : PACE).toNanos()) {
            return;
        }
        shownAt = now;
        shown = true;
        if (terminal) {
            err.print(ERASE + text(now, numbers, faults, reached));
            err.flush();
        } else {
            err.println("seriatim: " + text(now, numbers, faults, reached));
        }
    }

    void erase() {
        if (shown && terminal) {
            err.print(ERASE);
            err.flush();
        }
    }

    private String text(long now, long numbers, long faults, Map<Goal, Long> reached) {
        String text = step + " " + Value.time(Duration.ofNanos(now - began));
        if (goals.isEmpty() && !longest.isZero()) {
            text += " of " + Value.time(longest);
        }
        if (numbers > 0) {
            text += String.format(Locale.ROOT, ", %,d numbers, %,d faults", numbers, faults);
        }
        if (!goals.isEmpty() && !reached.isEmpty()) {
            text += "; "
                    + goals.keySet().stream()
                            .sorted(Comparator.comparingLong(goal -> percent(goal, reached)))
                            .limit(terminal ? 1 : goals.size()) // a line that a terminal wraps cannot be replaced
                            .map(goal -> goal + " " + percent(goal, reached) + " %")
                            .collect(Collectors.joining(", "));
        }
        return text;
    }

    private long percent(Goal goal, Map<Goal, Long> reached) {
        return Math.min(100, 100 * reached.getOrDefault(goal, 0L) / goals.getOrDefault(goal, 1L));
    }
}
