// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.report.Document;
import dev.seriatim.report.LinePlot;
import dev.seriatim.report.Link;
import dev.seriatim.report.Picture;
import dev.seriatim.report.Section;
import dev.seriatim.report.Table;
import dev.seriatim.report.Value;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The report of a benchmark: recommendations, then a section per scenario with plots and all figures. Not thread-safe. */
public final class BenchDocument {

    /** Maximum size of a page, in bytes. */
    public static final int LARGEST = 220_000;

    /** Maximum rows in all tables of figures together; fewer if the page would become too large. */
    private static final List<Integer> ROWS = List.of(2000, 300, 100, 0);

    private static final Map<String, String> TITLES = Map.of(
            "spanner", "Modes, as in Spanner’s experiment",
            "mariadb", "Rows inserted, as in MariaDB’s experiment",
            "dsql", "Blocks against UUIDs, as in Aurora DSQL’s experiments",
            "couchbase", "One counter, as in Couchbase’s experiment",
            "modes", "Modes",
            "open-loop", "Arrivals at a fixed rate");

    /** The publications that the systems of {@link Published} are from. */
    static final Map<String, Link> SOURCES = Map.of(
            "Spanner",
            new Link(
                    "Sequence generation in Spanner",
                    "https://cloud.google.com/solutions/sequence-generation-in-cloud-spanner"),
            "Aurora DSQL",
            new Link(
                    "How DSQL makes sure sequences scale",
                    "https://blog.benjscho.dev/technical/2026/02/13/dsql-sequences.html"),
            "MariaDB",
            new Link(
                    "Performance of Emulated Sequences",
                    "https://mariadb.com/resources/blog/performance-of-emulated-sequences/"),
            "Couchbase",
            new Link(
                    "Generating Sequentials IDs with Couchbase",
                    "http://codehardblog.azurewebsites.net/generating-sequentials-ids-with-couchbase/"));

    /** The mode that the others of a scenario are compared with. */
    private static final Map<String, String> BASES =
            Map.of("mariadb", "AUTO_INCREMENT", "dsql", "UUID", "couchbase", "ASYNC");

    /** Maximum thread counts with plots. */
    private static final int MOST_PLOTS = 3;

    private final Measurements measurements;
    private final Document document;
    private int rowsLeft;

    private BenchDocument(Measurements measurements, int rows) {
        this.measurements = measurements;
        this.document = new Document(
                "benchmark of sequences",
                measurements.engine().isEmpty() ? measurements.store() : measurements.engine());
        this.rowsLeft = rows;
    }

    /** Returns a self-contained page of at most {@value #LARGEST} bytes in UTF-8. */
    public static String html(Measurements measurements) {
        String page = "";
        for (int rows : ROWS) {
            page = whole(measurements, rows).html();
            if (page.getBytes(StandardCharsets.UTF_8).length <= LARGEST) {
                return page;
            }
        }
        return page;
    }

    /** Returns the text that follows the figures of the runs: recommendations, comparisons, checks and sources. */
    public static Document summary(Measurements measurements, boolean recommending) {
        BenchDocument summary = new BenchDocument(measurements, 0);
        summary.answer(summary.document.section(""), recommending);
        List<String> sources = published(measurements.runs())
                .map(system -> summary.whose(system) + ": " + link(system).text() + ", "
                        + link(system).address())
                .toList();
        summary.document.section("Published figures").list(sources);
        return summary.document;
    }

    /**
     * Returns the main chart as a self-contained SVG file: throughput over threads in the last experiment with published figures, or in
     * the last experiment; otherwise the first plot. Empty if there is none.
     */
    public static Optional<String> svg(Measurements measurements) {
        List<Experiment> experiments = Experiment.of(measurements);
        List<Experiment> published = experiments.stream()
                .filter(experiment -> experiment.runs().stream().anyMatch(run -> run.published() != null))
                .toList();
        BenchDocument report = new BenchDocument(measurements, 0);
        report.scenarios(published.isEmpty() ? experiments : published);
        List<Picture> pictures = report.document.pictures();
        return pictures.stream()
                .filter(picture -> picture.plot() instanceof LinePlot lines
                        && !lines.upwards().startsWith("ratio"))
                .reduce((earlier, later) -> later)
                .or(() -> pictures.stream().findFirst())
                .map(Picture::asFile);
    }

    private static Stream<String> published(List<Figures> runs) {
        return runs.stream()
                .map(Figures::published)
                .filter(Objects::nonNull)
                .map(Published::system)
                .filter(SOURCES::containsKey)
                .distinct();
    }

    private static Link link(String system) {
        return Objects.requireNonNull(SOURCES.get(system), system);
    }

    /** Says whose figures are published, and that they are of another engine, if they are. */
    private String whose(String system) {
        String store = measurements.store();
        return "of " + system + (store.startsWith(system) ? "" : ", not of " + store.split(",", 2)[0]);
    }

    private static Document whole(Measurements measurements, int rows) {
        BenchDocument report = new BenchDocument(measurements, rows);
        report.head();
        report.answer(report.document.section("What do I use?").framed(), true);
        report.scenarios(Experiment.of(measurements));
        report.document
                .section("Left out")
                .list(measurements.notOffered().stream()
                        .map(left -> left.label() + ": " + left.reason())
                        .distinct()
                        .toList());
        report.environment();
        return report.document;
    }

    private void head() {
        document.line(Stream.of(
                        Value.text(Instant.parse(measurements.measuredAt())),
                        Value.counted(measurements.cores(), "core"),
                        "Java " + measurements.jdk(),
                        "a single reservation takes " + Value.millis(measurements.reservationMs()),
                        measurements.readMs() == null ? "" : "a read " + Value.millis(measurements.readMs()))
                .filter(fact -> !fact.isEmpty())
                .collect(Collectors.joining(" · ")));
        if (measurements.interrupted()) {
            document.warning(
                    "Interrupted after " + Value.counted(measurements.runs().size(), "run") + "; more were planned.");
        }
    }

    private void answer(Section section, boolean recommending) {
        if (measurements.runs().isEmpty()) {
            section.paragraph("Nothing was measured.");
            return;
        }
        if (recommending) {
            Recommendations.of(measurements).forEach(table -> recommend(table, section));
        }
        ratios(section);
        boolean passed = measurements.runs().stream().noneMatch(run -> run.broken() || run.errors() > 0);
        section.check(passed, checks());
    }

    private static void recommend(Recommendations recommendations, Section section) {
        section.heading("With " + recommendations.work());
        section.table(new Table<>("", "What do I use?", recommendations.rows())
                .column("what you need", Recommendations.Row::words)
                .column("what you use", Recommendations.Row::use)
                .column("block", row -> row.best() == null ? null : row.best().block())
                .column("values/s", Table.THREE_DIGITS, row -> of(row, Figures::valuesPerSecond))
                .column("p50 ms", Table.THREE_DIGITS, row -> of(row, run -> known(run.p50Ms())))
                .column("p99 ms", Table.THREE_DIGITS, row -> of(row, run -> known(run.p99Ms())))
                .column("of limit", 2, row -> of(row, Figures::limitRatio))
                .column("reserved/used", 2, row -> of(row, Figures::reservedPerUsed))
                .column("reason", Recommendations.Row::reason)
                .withoutEmptyColumns());
        if (!recommendations.notMeasured().isEmpty()) {
            String modes =
                    recommendations.notMeasured().stream().map(DrawMode::name).collect(Collectors.joining(","));
            section.paragraph("Not measured; add to the command:").command("--mode " + modes);
        }
    }

    private static @Nullable Double of(Recommendations.Row row, Function<Figures, @Nullable Double> figure) {
        return row.best() == null ? null : figure.apply(row.best());
    }

    private record Compared(Experiment experiment, Figures run, String base) {
        @Nullable
        Double ratio(Function<Figures, @Nullable Double> figure) {
            return experiment.ratio(run, base, figure);
        }
    }

    /** Compares the modes of each scenario with its base, at the most threads of each experiment. */
    private void ratios(Section section) {
        Map<String, List<Compared>> scenarios = new LinkedHashMap<>();
        for (Experiment experiment : Experiment.of(measurements)) {
            Experiment most = experiment.atTheMostThreads();
            String base = BASES.getOrDefault(experiment.scenario(), "");
            if (most.runs().stream().anyMatch(run -> run.mode().equals(base))) {
                List<Compared> its = scenarios.computeIfAbsent(experiment.scenario(), key -> new ArrayList<>());
                most.othersThan(base).forEach(run -> its.add(new Compared(most, run, base)));
            }
        }
        scenarios.forEach((scenario, runs) -> {
            boolean timed = scenario.equals("dsql");
            String title = "ompared with " + BASES.get(scenario);
            section.heading((timed ? "Time c" : "C") + title)
                    .table(new Table<>("", "C" + title, runs)
                            .column("mode", row -> row.run.label())
                            .column("experiment", row -> row.experiment.name())
                            .column("threads", row -> row.run.threads())
                            .column("ratio", 2, row -> row.ratio(timed ? Figures::totalMs : Figures::valuesPerSecond))
                            .column(
                                    "published",
                                    2,
                                    row -> row.ratio(timed ? BenchDocument::publishedTotal : Plots::published))
                            .withoutEmptyColumns());
        });
    }

    private static @Nullable Double publishedTotal(Figures run) {
        return run.quoted(Published::totalMs);
    }

    private String checks() {
        List<Figures> runs = measurements.runs();
        String faults = Stream.of(
                        found(Figures::duplicates, "duplicate"),
                        found(Figures::violations, "order violation"),
                        found(Figures::missing, "gap"),
                        found(Figures::errors, "error"))
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining("; "));
        long rounds =
                runs.stream().mapToInt(run -> Math.max(1, run.rounds().size())).sum();
        return Value.counted(runs.size(), "result")
                + (rounds == runs.size() ? "" : " from " + Value.counted(rounds, "run")) + ", "
                + runs.stream().filter(run -> run.orderViolations() != null).count() + " of them ordered and "
                + runs.stream().filter(run -> run.gaps() != null).count() + " gapless: "
                + (faults.isEmpty() ? "no duplicate, no order violation, no gap, no error." : faults + ".");
    }

    private String found(ToLongFunction<Figures> count, String what) {
        List<Figures> faulty = measurements.runs().stream()
                .filter(run -> count.applyAsLong(run) > 0)
                .toList();
        if (faulty.isEmpty()) {
            return "";
        }
        Figures first = faulty.get(0);
        return Value.counted(faulty.stream().mapToLong(count).sum(), what) + " (" + first.label() + " at "
                + Value.counted(first.threads(), "thread") + (faulty.size() > 1 ? " and others)" : ")");
    }

    private void scenarios(List<Experiment> experiments) {
        experiments.stream()
                .collect(Collectors.groupingBy(Experiment::scenario, LinkedHashMap::new, Collectors.toList()))
                .forEach(this::scenario);
    }

    private void scenario(String scenario, List<Experiment> experiments) {
        Section section = document.section(TITLES.getOrDefault(scenario, scenario));
        List<Figures> runs = experiments.stream()
                .flatMap(experiment -> experiment.runs().stream())
                .toList();
        published(runs)
                .findFirst()
                .ifPresent(system -> section.paragraph(
                        "Published figures " + whose(system) + ": ",
                        link(system),
                        ". They come from other machines: compare the shapes and the ratios."));
        if (scenario.equals("couchbase")) {
            section.plot(
                    "Numbers drawn, by number of processes",
                    "Measured, and published for one client machine and for two.",
                    Plots.throughput(runs, "numbers per second", run -> run.label() + ", " + run.experiment()));
        }
        experiments.forEach(experiment -> experiment(experiment, section));
    }

    private void experiment(Experiment experiment, Section section) {
        String name = experiment.name();
        section.heading(name.isEmpty() ? name : name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1));
        switch (experiment.scenario()) {
            case "mariadb" -> inserts(experiment, section);
            case "dsql" ->
                section.plot(
                        "Time for " + name,
                        "Total time, measured and published; less is better.",
                        Plots.times(experiment.runs()));
            case "couchbase" -> {}
            case "open-loop" -> latencies("Latency of arrivals", experiment.runs(), section);
            default -> modes(experiment, section);
        }
        figures(experiment, section);
    }

    private static void modes(Experiment experiment, Section section) {
        section.paragraph("Each thread repeatedly draws a number for " + experiment.transaction()
                + ". The limit is the maximum of a mode at the shortest latencies observed here.");
        List<Integer> threads = experiment.threads();
        if (threads.size() > 2) {
            lines(experiment, "Numbers drawn, over threads", "numbers per second", section);
        }
        for (int count :
                threads.size() <= MOST_PLOTS ? threads : List.of(threads.get(0), threads.get(threads.size() - 1))) {
            List<Figures> runs = experiment.at(count);
            String at = " with " + Value.counted(count, "thread");
            section.plot(
                    "Numbers drawn" + at,
                    "Measured and published figures, and the limit.",
                    Plots.throughput(runs, "numbers per second", Figures::label));
            latencies("Latency" + at, runs, section);
        }
    }

    private static void latencies(String title, List<Figures> runs, Section section) {
        section.plot(title, "p50, p90 and p99 in milliseconds.", Plots.latencies(runs));
    }

    private static void inserts(Experiment experiment, Section section) {
        if (experiment.threads().size() < 2) {
            section.plot(
                    "Rows inserted with " + Value.counted(experiment.mostThreads(), "thread"),
                    "Measured and published figures.",
                    Plots.throughput(experiment.runs(), "rows per second", Figures::label));
            return;
        }
        lines(experiment, "Rows inserted, " + experiment.name(), "rows per second", section);
        section.plot(
                "The same over AUTO_INCREMENT, " + experiment.name(),
                "1 is as fast as the database’s own numbers; published ratios are of published figures.",
                Plots.ratios(experiment, "AUTO_INCREMENT"));
    }

    private static void lines(Experiment experiment, String title, String upwards, Section section) {
        section.plot(
                title,
                "Solid lines were measured here; dashed ones were published. Both axes are logarithmic.",
                Plots.overThreads(experiment, upwards));
    }

    /** Appends all figures. Paper shows the columns up to the published ones. */
    private void figures(Experiment experiment, Section section) {
        List<Figures> runs = experiment.runs();
        int shown = Math.min(rowsLeft, runs.size());
        rowsLeft -= shown;
        Table<Figures> table = new Table<Figures>(
                        "",
                        "All figures" + (experiment.name().isEmpty() ? "" : ", " + experiment.name()),
                        runs.subList(0, shown))
                .atMost(shown)
                .withoutEmptyColumns();
        table.column("what", run -> run.label() + ", " + Value.counted(run.threads(), "thread"))
                .column("values/s", Figures::valuesPerSecond)
                .column("p50 ms", run -> known(run.p50Ms()))
                .column("p99 ms", run -> known(run.p99Ms()))
                .column("processes", run -> run.processes() > 1 ? run.processes() : null)
                .column("total ms", run -> known(run.totalMs()))
                .column("limit/s", Figures::limitPerSecond)
                .column("p90 ms", run -> known(run.p90Ms()))
                .column("max ms", run -> known(run.maxMs()))
                .column("published/s", Plots::published)
                .column("published total", BenchDocument::publishedTotal)
                .column("published p50", run -> run.quoted(Published::p50Ms))
                .column("published p99", run -> run.quoted(Published::p99Ms))
                .column("errors", Figures::errors)
                .column("duplicates", Figures::duplicates)
                .column("order violations", Figures::orderViolations)
                .column("gaps", Figures::gaps)
                .onPaper();
        table.column("of limit", 2, Figures::limitRatio)
                .column("times published", 2, Figures::publishedRatio)
                .column("mean ms", run -> known(run.meanMs()))
                .column("min ms", run -> known(run.minMs()))
                .column("p75 ms", run -> known(run.p75Ms()))
                .column("published mean", run -> run.quoted(Published::meanMs))
                .column("published p90", run -> run.quoted(Published::p90Ms))
                .column("iterations", Figures::iterations)
                .column("reserved/used", 2, Figures::reservedPerUsed)
                .column("rounds, values/s", run -> run.rounds().size() > 1 ? run.rounds() : null);
        section.table(table);
        if (shown < runs.size()) {
            section.paragraph(Value.counted(runs.size() - shown, "more run")
                    + " left out to keep this page small; --json and --csv have all of them.");
        }
    }

    private static @Nullable Double known(double figure) {
        return figure > 0 ? figure : null;
    }

    /** Appends what the first line leaves out. */
    private void environment() {
        Section section = document.section("Environment");
        section.fact("", "Engine", measurements.engine());
        measurements.settings().forEach((name, value) -> section.fact("", name, value));
        section.fact("", "Store", measurements.store())
                .fact("", "Row held per reservation", Value.millis(measurements.rowMs()))
                .fact("", "Command", measurements.command());
    }
}
