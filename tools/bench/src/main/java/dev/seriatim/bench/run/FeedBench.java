// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.bench.load.ClosedLoop;
import dev.seriatim.bench.load.ClosedLoop.Extent;
import dev.seriatim.bench.load.OpenLoop;
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
 */
public record FeedBench(
        Site site,
        int clients,
        Duration appLatency,
        Duration duration,
        int rounds,
        int backlog,
        String command,
        AtomicBoolean stop) {

    private static final int ROWS_AT_A_PACE = 10;
    private static final double PACE = 5_000;
    private static final Duration WARM_UP = Duration.ofMillis(500);

    /** A run keeps two times of each row. */
    private static final long MOST_ITERATIONS = FeedRun.MOST_ROWS / 2;

    /** The results as fast as possible and at a pace, and the rows per second of one stamper; not a number if there is none. */
    private record Round(FeedRun.Result closed, FeedRun.Result paced, double backlog) {

        double perSecond() {
            return closed.perSecond();
        }
    }

    private record Line(FeedRun.Way way, List<Round> rounds) {

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

    @SuppressWarnings("try") // the progress shows itself
    public Document run() {
        if (!site.hasTables()) {
            throw new Misconfigured(site.store() + " has no tables, which feeds need; name an SQL database");
        }
        List<FeedRun.Way> ways = new ArrayList<>(Arrays.stream(FeedRun.Way.values())
                .filter(way -> way.isOffered(site))
                .toList());
        Map<FeedRun.Way, List<Round>> measured = new EnumMap<>(FeedRun.Way.class);
        for (int round = 0; round < rounds; round++) {
            for (FeedRun.Way way : ways) {
                try (Progress watched = Progress.start(way.name(), () -> 0, 0)) {
                    if (!stop.get()) {
                        measured.computeIfAbsent(way, none -> new ArrayList<>()).add(round(way));
                    }
                }
            }
            Collections.reverse(ways);
        }
        return document(measured);
    }

    private Round round(FeedRun.Way way) {
        ClosedLoop loop = new ClosedLoop(new Extent(MOST_ITERATIONS, duration), new Extent(MOST_ITERATIONS, WARM_UP));
        FeedRun.Result closed = new FeedRun(site, way).measure(clients, loop, 1, 0, appLatency, stop);
        double perSecond = PACE / ROWS_AT_A_PACE;
        long warmUp = Math.round(perSecond * WARM_UP.toMillis() / 1e3);
        FeedRun.Result paced = new FeedRun(site, way)
                .measure(
                        clients,
                        new OpenLoop(perSecond, 1, duration, warmUp),
                        ROWS_AT_A_PACE,
                        (int) warmUp * ROWS_AT_A_PACE,
                        Duration.ZERO,
                        stop);
        double stamped = way == FeedRun.Way.FEED ? new FeedRun(site, way).backlog(backlog) : Double.NaN;
        return new Round(closed, paced, stamped);
    }

    private Document document(Map<FeedRun.Way, List<Round>> measured) {
        double plain = median(measured.getOrDefault(FeedRun.Way.IDENTITY, List.of()), Round::perSecond);
        List<Line> lines = measured.entrySet().stream()
                .map(way -> new Line(way.getKey(), way.getValue()))
                .toList();
        Document document = new Document("bench", "Ways to number rows for a poller")
                .line(site.product() + "; medians of " + Value.counted(rounds, "round"))
                .line(Value.counted(clients, "writer") + " with a row and " + Value.text(appLatency.toNanos() / 1e6)
                        + " ms of other work in a transaction, then " + Value.text(PACE)
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
                        .column(
                                "rows",
                                "rows",
                                line -> line.sum(round -> round.closed().rows()))
                        .column(
                                "lost",
                                "lost",
                                line -> line.sum(round -> round.closed().lost()))
                        .column(
                                "p50_ms",
                                "p50 ms",
                                Table.THREE_DIGITS,
                                line -> line.median(round -> round.paced().p50()))
                        .column(
                                "p99_ms",
                                "p99 ms",
                                Table.THREE_DIGITS,
                                line -> line.median(round -> round.paced().p99()))
                        .column("stamped_per_second", "backlog/s", line -> line.median(Round::backlog))
                        .column("is", "a number", line -> line.way().title));
        return document;
    }
}
