// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import dev.seriatim.report.LinePlot;
import dev.seriatim.report.Page;
import dev.seriatim.report.Picture;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A chapter per scenario: its plots, then its figures. Not thread-safe. */
final class Chapters {

    private static final Map<String, String> TITLES = Map.of(
            "spanner", "Modes, as in Spanner’s experiment",
            "mariadb", "Rows inserted, as in MariaDB’s experiment",
            "dsql", "Blocks against UUIDs, as in Aurora DSQL’s experiments",
            "couchbase", "One counter, as in Couchbase’s experiment",
            "modes", "Modes",
            "open-loop", "Arrivals at a fixed rate");

    /** Maximum rows of a plot, and maximum thread counts with plots. */
    private static final int MOST_ROWS = 16;

    private static final int MOST_PLOTS = 3;

    private final Page page;
    private int rowsLeft;

    private Chapters(Page page, int rows) {
        this.page = page;
        this.rowsLeft = rows;
    }

    /** Writes all scenarios, with at most this number of rows in all tables together. */
    static void write(Measurements measurements, Page page, int rows) {
        Chapters chapters = new Chapters(page, rows);
        Map<String, List<Experiment>> scenarios = Experiment.of(measurements).stream()
                .collect(Collectors.groupingBy(Experiment::scenario, LinkedHashMap::new, Collectors.toList()));
        scenarios.forEach(chapters::write);
    }

    private void write(String scenario, List<Experiment> experiments) {
        page.raw("<section>").element("h2", TITLES.getOrDefault(scenario, scenario));
        experiments.stream()
                .flatMap(experiment -> Publication.of(experiment).stream())
                .findFirst()
                .ifPresent(this::source);
        switch (scenario) {
            case "mariadb" -> inserts(experiments);
            case "dsql" -> experiments.forEach(this::times);
            case "couchbase" -> counters(experiments);
            case "open-loop" -> experiments.forEach(this::arrivals);
            default -> experiments.forEach(this::modes);
        }
        page.raw("</section>\n");
    }

    private void source(Publication source) {
        page.raw("<p class=\"lead\">Published figures: ")
                .raw(source.link(source.title()))
                .raw(". They come from other machines: compare the shapes and the ratios.</p>\n");
    }

    private void modes(Experiment experiment) {
        heading(experiment);
        lead(WorkInWords.of(experiment)
                + " The limit is the maximum of a mode at the shortest latencies observed here.");
        if (experiment.threads().size() > 2) {
            lines(experiment, "Numbers drawn, over threads", "numbers per second");
        }
        for (int threads : few(experiment.threads())) {
            List<Figures> runs = first(experiment.at(threads));
            String at = " with " + NumberFormats.counted(threads, "thread");
            page.figure(new Picture(
                    "Numbers drawn" + at,
                    "Measured and published figures, and the limit.",
                    RowPlots.throughput(runs, "numbers per second", Figures::label)));
            page.figure(new Picture("Latency" + at, "p50, p90 and p99 in milliseconds.", RowPlots.latencies(runs)));
        }
        table(experiment);
    }

    private void arrivals(Experiment experiment) {
        heading(experiment);
        lead("Requests arrive at a fixed rate, whether or not earlier ones have ended.");
        page.figure(new Picture(
                "Latency of arrivals",
                "p50, p90 and p99 in milliseconds.",
                RowPlots.latencies(first(experiment.runs()))));
        table(experiment);
    }

    private void inserts(List<Experiment> experiments) {
        lead("Each thread draws numbers and inserts rows with them as primary key; compared with rows that the"
                + " database numbers itself.");
        experiments.forEach(this::inserts);
    }

    private void inserts(Experiment experiment) {
        heading(experiment);
        if (experiment.threads().size() < 2) {
            page.figure(new Picture(
                    "Rows inserted with " + NumberFormats.counted(experiment.mostThreads(), "thread"),
                    "Measured and published figures.",
                    RowPlots.throughput(first(experiment.runs()), "rows per second", Figures::label)));
        } else {
            lines(experiment, "Rows inserted, " + experiment.name(), "rows per second");
            page.figure(new Picture(
                    "The same over AUTO_INCREMENT, " + experiment.name(),
                    "1 is as fast as the database’s own numbers; published ratios are of published figures.",
                    new LinePlot(
                            "threads",
                            "ratio to AUTO_INCREMENT",
                            ThreadLines.ratios(experiment, "AUTO_INCREMENT"),
                            230)));
            page.box("Rows per second by threads, " + experiment.name(), ThreadsTable.of(experiment));
        }
        table(experiment);
    }

    private void lines(Experiment experiment, String title, String upwards) {
        page.figure(new Picture(
                title,
                "Solid lines were measured here; dashed ones were published. Both axes are logarithmic.",
                new LinePlot("threads", upwards, ThreadLines.throughput(experiment), 330)));
    }

    private void times(Experiment experiment) {
        heading(experiment);
        page.figure(new Picture(
                "Time for " + experiment.name(),
                "Total time, measured and published; less is better.",
                RowPlots.times(first(experiment.runs()))));
        table(experiment);
    }

    private void counters(List<Experiment> experiments) {
        lead("A tight loop of increments of one document’s counter; then spread over four counters; then ADAPTIVE.");
        List<Figures> runs = experiments.stream()
                .flatMap(experiment -> experiment.runs().stream())
                .toList();
        page.figure(new Picture(
                "Numbers drawn, by number of processes",
                "Measured, and published for one client machine and for two.",
                RowPlots.throughput(first(runs), "numbers per second", run -> run.label() + ", " + run.experiment())));
        experiments.forEach(experiment -> {
            heading(experiment);
            table(experiment);
        });
    }

    private void heading(Experiment experiment) {
        if (!experiment.name().isEmpty()) {
            page.element("h3", SummaryInWords.begun(experiment.name()));
        }
    }

    private void lead(String text) {
        page.element("p class=\"lead\"", text);
    }

    private void table(Experiment experiment) {
        int shown = Math.min(rowsLeft, experiment.runs().size());
        rowsLeft -= shown;
        if (shown > 0) {
            page.box(
                    "All figures" + (experiment.name().isEmpty() ? "" : ", " + experiment.name()),
                    FiguresTable.of(experiment.runs(), shown));
        }
        if (shown < experiment.runs().size()) {
            page.element(
                    "p class=\"note\"",
                    NumberFormats.counted(experiment.runs().size() - shown, "more run")
                            + " left out to keep this page small; --json and --csv have all of them.");
        }
    }

    private static List<Figures> first(List<Figures> runs) {
        return runs.subList(0, Math.min(MOST_ROWS, runs.size()));
    }

    private static List<Integer> few(List<Integer> threads) {
        return threads.size() <= MOST_PLOTS
                ? threads
                : Stream.of(threads.get(0), threads.get(threads.size() - 1)).toList();
    }
}
