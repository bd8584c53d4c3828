// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import java.util.List;

/** Describes the work of the clients of an experiment. */
final class WorkInWords {

    private WorkInWords() {}

    /** Returns a sentence. */
    static String of(Experiment experiment) {
        return "Each thread draws a number for " + transaction(experiment) + ", repeatedly.";
    }

    /** Returns a phrase with the number of clients. */
    static String inShort(Experiment experiment) {
        Figures first = experiment.runs().get(0);
        Double rate = first.arrivalsPerSecond();
        if (rate != null) {
            return NumberFormats.threeDigits(rate) + " arrivals/s";
        }
        String threads = NumberFormats.counted(first.threads(), "thread");
        boolean counted = first.rowsPerTransaction() > 0 || experiment.name().isEmpty();
        return counted ? threads + ", a number for " + transaction(experiment) : experiment.name() + ", " + threads;
    }

    private static String transaction(Experiment experiment) {
        List<Double> latencies =
                experiment.runs().stream().map(Figures::appLatencyMs).distinct().toList();
        boolean alike = latencies.size() == 1;
        int rows = experiment.runs().get(0).rowsPerTransaction();
        return rows > 0
                ? "a transaction that inserts " + NumberFormats.counted(rows, "row")
                : !alike
                        ? "a transaction"
                        : latencies.get(0) > 0
                                ? "a transaction of " + NumberFormats.time(latencies.get(0))
                                : "a transaction that does nothing";
    }
}
