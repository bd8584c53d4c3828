// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.bench.load.Site;
import dev.seriatim.cli.terminal.Progress;
import dev.seriatim.report.Document;
import dev.seriatim.report.Table;
import dev.seriatim.report.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Measures ways to number rows for a poller that remembers the last number: what they cost writers, what the poller loses, and
 * how late it reads. The ways take turns. Used by one thread.
 *
 * @param clients the writers
 * @param duration of each measurement
 * @param backlog the rows that wait for a stamper
 * @param command the command line, without secrets
 */
public record FeedBench(
        Site site, int clients, Duration duration, int rounds, int backlog, String command, AtomicBoolean stop) {

    private static final int ROWS_AT_A_PACE = 10;
    private static final double PACE = 5_000;

    /** The figures of a round; not a number where there is none. */
    private record Round(double perSecond, long rows, long lost, double p50, double p99, double backlog) {}

    private record Line(FeedWay way, List<Round> rounds, double plain) {

        private @Nullable Double median(ToDoubleFunction<Round> figure) {
            double median = FeedBench.median(rounds, figure);
            return Double.isNaN(median) ? null : (Double) median;
        }

        private long sum(ToDoubleFunction<Round> figure) {
            return (long) rounds.stream().mapToDouble(figure).sum();
        }
    }

    private static double median(List<Round> rounds, ToDoubleFunction<Round> figure) {
        double[] sorted = rounds.stream().mapToDouble(figure).sorted().toArray();
        return sorted.length == 0 ? Double.NaN : sorted[(sorted.length - 1) / 2];
    }

    /**
     * Runs all rounds, or those until stopped.
     *
     * @throws Misconfigured if the store has no feeds
     * @throws Unavailable if a statement fails
     */
    @SuppressWarnings("try") // the progress shows itself
    public Document run() {
        if (!site.hasTables()) {
            throw new Misconfigured(site.store() + " has no tables, which feeds need; name an SQL database");
        }
        List<FeedWay> ways = new ArrayList<>(Arrays.stream(FeedWay.values())
                .filter(way -> way.isOffered(site))
                .toList());
        Map<FeedWay, List<Round>> measured = new EnumMap<>(FeedWay.class);
        ways.forEach(way -> measured.put(way, new ArrayList<>()));
        for (int round = 0; round < rounds; round++) {
            for (FeedWay way : ways) {
                try (Progress watched = Progress.start(way.name(), () -> 0, 0)) {
                    if (!stop.get()) {
                        measured.getOrDefault(way, new ArrayList<>()).add(round(way));
                    }
                }
            }
            Collections.reverse(ways);
        }
        return document(measured);
    }

    private Round round(FeedWay way) {
        FeedRun.Result closed = FeedRun.of(site, way, stop).measure(clients, duration, 1, 0);
        FeedRun.Result paced =
                FeedRun.of(site, way, stop).measure(clients, duration, ROWS_AT_A_PACE, PACE / ROWS_AT_A_PACE);
        double stamped = way == FeedWay.FEED ? FeedRun.of(site, way, stop).backlog(backlog) : Double.NaN;
        return new Round(closed.perSecond(), closed.rows(), closed.lost(), paced.p50(), paced.p99(), stamped);
    }

    private Document document(Map<FeedWay, List<Round>> measured) {
        double plain = median(measured.getOrDefault(FeedWay.IDENTITY, List.of()), Round::perSecond);
        List<Line> lines = measured.entrySet().stream()
                .filter(way -> !way.getValue().isEmpty())
                .map(way -> new Line(way.getKey(), way.getValue(), plain))
                .toList();
        Document document = new Document("bench", "Ways to number rows for a poller")
                .line(site.product() + "; medians of " + Value.counted(rounds, "round"))
                .line(Value.counted(clients, "writer") + " with a row in a transaction, then " + Value.text(PACE)
                        + " rows/s in transactions of " + ROWS_AT_A_PACE + ", then a backlog of "
                        + Value.counted(backlog, "row"))
                .data("command", command)
                .data("store", site.store().toString())
                .data("product", site.product())
                .data("settings", site.settings())
                .data("stopped", stop.get());
        document.section("")
                .table(new Table<>("ways", "Ways", lines)
                        .column("way", "way", line -> line.way().name())
                        .column("rows_per_second", "rows/s", line -> line.median(Round::perSecond))
                        .column("ratio", "ratio", 2, line -> line.median(round -> round.perSecond() / plain))
                        .column("rows", "rows", line -> line.sum(Round::rows))
                        .column("lost", "lost", line -> line.sum(Round::lost))
                        .column("p50_ms", "p50 ms", Table.THREE_DIGITS, line -> line.median(Round::p50))
                        .column("p99_ms", "p99 ms", Table.THREE_DIGITS, line -> line.median(Round::p99))
                        .column("stamped_per_second", "backlog/s", line -> line.median(Round::backlog))
                        .column("is", "a number", line -> line.way().title));
        return document;
    }
}
