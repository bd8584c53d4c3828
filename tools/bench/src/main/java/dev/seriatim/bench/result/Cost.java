// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import java.util.ArrayList;
import java.util.List;

/** Describes the cost of a mode. */
final class Cost {

    private Cost() {}

    /** Returns throughput, latency, and values reserved per value used. */
    static String of(Figures run) {
        List<String> costs = new ArrayList<>();
        costs.add(NumberFormats.threeDigits(run.valuesPerSecond())
                + (run.rowsPerTransaction() > 0 ? " rows/s" : " numbers/s"));
        if (run.p50Ms() > 0) {
            costs.add("p50 " + NumberFormats.time(run.p50Ms()) + ", p99 " + NumberFormats.time(run.p99Ms()));
        }
        Double reserved = run.reservedPerUsed();
        if (reserved != null) {
            costs.add("reserves " + NumberFormats.ratio(reserved) + " per number used");
        }
        if (run.label().startsWith(run.mode() + ", ")) {
            costs.add(run.label().substring(run.mode().length() + 2));
        }
        return String.join(", ", costs);
    }
}
