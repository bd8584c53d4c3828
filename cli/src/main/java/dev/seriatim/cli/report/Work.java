// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.report;

import java.util.List;

/** What the clients of a trial do, in words. */
final class Work {

    private Work() {}

    /** One sentence. */
    static String of(Trial trial) {
        List<Double> latencies =
                trial.runs().stream().map(Figures::appLatencyMs).distinct().toList();
        boolean alike = latencies.size() == 1;
        int rows = trial.runs().get(0).rowsPerTransaction();
        String transaction = rows > 0
                ? "a transaction that inserts " + Numbers.counted(rows, "row")
                : !alike
                        ? "a transaction"
                        : latencies.get(0) > 0
                                ? "a transaction of " + Numbers.time(latencies.get(0))
                                : "a transaction that does nothing";
        return "Each thread draws a number for " + transaction + ", again and again.";
    }
}
