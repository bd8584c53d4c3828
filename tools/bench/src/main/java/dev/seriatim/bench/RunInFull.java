// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench;

import dev.seriatim.bench.load.Measured;
import dev.seriatim.bench.result.Figures;
import dev.seriatim.bench.session.RunResult;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Prints a single run in the format of the tool behind the published Spanner figures. */
final class RunInFull {

    private static final List<Integer> PERCENTILES = List.of(50, 75, 90, 99);

    private RunInFull() {}

    static void print(RunResult result, Figures figures, PrintWriter out) {
        Measured measured = result.measured();
        out.println(result.plan().title());
        out.println(String.format(
                Locale.ROOT,
                "%d iterations (%d parallel threads) in %d milliseconds: %s values/s",
                measured.completed() + measured.errors(),
                result.plan().threads(),
                TimeUnit.NANOSECONDS.toMillis(measured.nanos()),
                plain(result.valuesPerSecond())));
        for (int percent : PERCENTILES) {
            out.println("Latency: " + percent + "%ile " + plain(result.percentileMillis(percent)) + " ms");
        }
        out.println("Latency: longest " + plain(result.maxMillis()) + " ms");
        Optional.ofNullable(figures.limitPerSecond())
                .ifPresent(limit -> out.println("Limit: " + plain(limit) + " values/s, of which "
                        + TableNumber.ratio(figures.limitRatio()) + " was reached"));
        Optional.ofNullable(figures.reservedPerUsed())
                .ifPresent(ratio -> out.println("Reserved: " + TableNumber.ratio(ratio) + " for each value used"));
    }

    /** Formats without commas, for programs that read that format. */
    private static String plain(double number) {
        return TableNumber.of(number).replace(",", "");
    }
}
