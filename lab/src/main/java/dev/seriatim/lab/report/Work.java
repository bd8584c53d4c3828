// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.report;

import java.util.List;

/** What the clients of a trial do, in words. */
final class Work {

    private Work() {}

    /** One sentence. */
    static String of(Trial trial) {
        return "Each thread draws a number for " + transaction(trial) + ", again and again.";
    }

    /** The same in a line, with how many do it. */
    static String inShort(Trial trial) {
        Figures first = trial.runs().get(0);
        Double rate = first.arrivalsPerSecond();
        if (rate != null) {
            return Numbers.threeDigits(rate) + " arrivals/s";
        }
        String threads = Numbers.counted(first.threads(), "thread");
        boolean counted = first.rowsPerTransaction() > 0 || trial.experiment().isEmpty();
        return counted ? threads + ", a number for " + transaction(trial) : trial.experiment() + ", " + threads;
    }

    private static String transaction(Trial trial) {
        List<Double> latencies =
                trial.runs().stream().map(Figures::appLatencyMs).distinct().toList();
        boolean alike = latencies.size() == 1;
        int rows = trial.runs().get(0).rowsPerTransaction();
        return rows > 0
                ? "a transaction that inserts " + Numbers.counted(rows, "row")
                : !alike
                        ? "a transaction"
                        : latencies.get(0) > 0
                                ? "a transaction of " + Numbers.time(latencies.get(0))
                                : "a transaction that does nothing";
    }
}
