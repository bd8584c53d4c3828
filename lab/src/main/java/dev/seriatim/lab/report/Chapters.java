// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.report;

import dev.seriatim.lab.plot.LinePlot;
import dev.seriatim.lab.plot.Picture;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A scenario each: its plots, and under them its figures. Not thread-safe. */
final class Chapters {

    private static final Map<String, String> TITLES = Map.of(
            "spanner", "Modes, as in Spanner’s experiment",
            "mariadb", "Rows inserted, as in MariaDB’s experiment",
            "dsql", "Blocks against UUIDs, as in Aurora DSQL’s experiments",
            "couchbase", "One counter, as in Couchbase’s experiment",
            "modes", "Modes",
            "open-loop", "Arrivals at a fixed rate");

    /** How many rows a plot may have, and of how many numbers of threads there are plots. */
    private static final int MOST_ROWS = 16;

    private static final int MOST_PLOTS = 3;

    private final Page page;
    private int rowsLeft;

    private Chapters(Page page, int rows) {
        this.page = page;
        this.rowsLeft = rows;
    }

    /** All scenarios there are, with so many rows in all tables together. */
    static void write(Measurements measurements, Page page, int rows) {
        Chapters chapters = new Chapters(page, rows);
        Map<String, List<Trial>> scenarios = Trial.of(measurements).stream()
                .collect(Collectors.groupingBy(Trial::scenario, LinkedHashMap::new, Collectors.toList()));
        scenarios.forEach(chapters::write);
    }

    private void write(String scenario, List<Trial> trials) {
        page.raw("<section>").element("h2", TITLES.getOrDefault(scenario, scenario));
        trials.stream()
                .flatMap(trial -> Publication.of(trial).stream())
                .findFirst()
                .ifPresent(this::source);
        switch (scenario) {
            case "mariadb" -> inserts(trials);
            case "dsql" -> trials.forEach(this::times);
            case "couchbase" -> counters(trials);
            case "open-loop" -> trials.forEach(this::arrivals);
            default -> trials.forEach(this::modes);
        }
        page.raw("</section>\n");
    }

    private void source(Publication source) {
        page.raw("<p class=\"lead\">Published figures: ")
                .link(source, source.title())
                .raw(". They come from other machines: compare the shapes and the ratios.</p>\n");
    }

    private void modes(Trial trial) {
        heading(trial);
        lead(Work.of(trial) + " The limit is what a mode could reach at best with the latencies measured here.");
        if (trial.threads().size() > 2) {
            lines(trial, "Numbers drawn, over threads", "numbers per second");
        }
        for (int threads : few(trial.threads())) {
            List<Figures> runs = first(trial.at(threads));
            String at = " with " + Numbers.counted(threads, "thread");
            page.figure(new Picture(
                    "Numbers drawn" + at,
                    "Measured, beside what was published and what is possible at best.",
                    RowPlots.throughput(runs, "numbers per second", Figures::label)));
            page.figure(
                    new Picture("Latency" + at, "What half, 90 % and 99 % did not exceed.", RowPlots.latencies(runs)));
        }
        table(trial);
    }

    private void arrivals(Trial trial) {
        heading(trial);
        lead("Requests come at a fixed rate, whether or not others have been served.");
        page.figure(new Picture(
                "Latency of arrivals",
                "What half, 90 % and 99 % did not exceed.",
                RowPlots.latencies(first(trial.runs()))));
        table(trial);
    }

    private void inserts(List<Trial> trials) {
        lead("Each thread draws numbers and inserts rows with them as primary key, against rows that the database"
                + " numbers itself.");
        trials.forEach(this::inserts);
    }

    private void inserts(Trial trial) {
        heading(trial);
        if (trial.threads().size() < 2) {
            page.figure(new Picture(
                    "Rows inserted with " + Numbers.counted(trial.mostThreads(), "thread"),
                    "Measured, beside what was published.",
                    RowPlots.throughput(first(trial.runs()), "rows per second", Figures::label)));
        } else {
            lines(trial, "Rows inserted, " + trial.experiment(), "rows per second");
            page.figure(new Picture(
                    "The same over AUTO_INCREMENT, " + trial.experiment(),
                    "1 is as fast as the database’s own numbers; published against published.",
                    new LinePlot(
                            "threads", "ratio to AUTO_INCREMENT", ThreadLines.ratios(trial, "AUTO_INCREMENT"), 230)));
            page.box("Rows per second by threads, " + trial.experiment(), ThreadsTable.of(trial));
        }
        table(trial);
    }

    private void lines(Trial trial, String title, String upwards) {
        page.figure(new Picture(
                title,
                "Solid lines were measured here; dashed ones were published. Both axes are logarithmic.",
                new LinePlot("threads", upwards, ThreadLines.throughput(trial), 330)));
    }

    private void times(Trial trial) {
        heading(trial);
        page.figure(new Picture(
                "Time for " + trial.experiment(),
                "How long all of it took, measured and published; less is better.",
                RowPlots.times(first(trial.runs()))));
        table(trial);
    }

    private void counters(List<Trial> trials) {
        lead("A tight loop of increments of one document’s counter; then spread over four counters; then ADAPTIVE.");
        List<Figures> runs =
                trials.stream().flatMap(trial -> trial.runs().stream()).toList();
        page.figure(new Picture(
                "Numbers drawn, by number of processes",
                "Measured, beside what was published for one client machine and for two.",
                RowPlots.throughput(first(runs), "numbers per second", run -> run.label() + ", " + run.experiment())));
        trials.forEach(trial -> {
            heading(trial);
            table(trial);
        });
    }

    private void heading(Trial trial) {
        if (!trial.experiment().isEmpty()) {
            page.element("h3", SummaryInWords.begun(trial.experiment()));
        }
    }

    private void lead(String text) {
        page.element("p class=\"lead\"", text);
    }

    private void table(Trial trial) {
        int shown = Math.min(rowsLeft, trial.runs().size());
        rowsLeft -= shown;
        if (shown > 0) {
            page.box(
                    "All figures" + (trial.experiment().isEmpty() ? "" : ", " + trial.experiment()),
                    FiguresTable.of(trial.runs(), shown));
        }
        if (shown < trial.runs().size()) {
            page.element(
                    "p class=\"note\"",
                    Numbers.counted(trial.runs().size() - shown, "more run")
                            + " would make this page too large; --json and --csv have them all.");
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
