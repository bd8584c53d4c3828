// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import dev.seriatim.cli.terminal.OutputFormat;
import dev.seriatim.report.Document;
import dev.seriatim.report.Table;
import dev.seriatim.report.Value;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Compares two measurements, run by run. Not thread-safe. */
@Command(name = "compare", description = """
                Compares two files that 'bench --json' wrote, run by run: numbers per second, and p99 latency.
                Ratios are the second divided by the first.""", footer = """

                Example: seriatim bench compare before.json after.json""")
public final class CompareCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli's to set
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "A.json", description = "The first measurement.")
    @SuppressWarnings("NullAway.Init") // picocli's to set
    private Path first;

    @Parameters(index = "1", paramLabel = "B.json", description = "The second measurement.")
    @SuppressWarnings("NullAway.Init") // picocli's to set
    private Path second;

    @Option(names = "--format", description = OutputFormat.CHOICES)
    private OutputFormat format = OutputFormat.TEXT;

    private record Key(String scenario, String experiment, String label, int threads, int processes) {
        static Key of(Figures run) {
            return new Key(run.scenario(), run.experiment(), run.label(), run.threads(), run.processes());
        }

        String name() {
            return Stream.of(scenario, experiment, label)
                    .filter(word -> !word.isEmpty())
                    .collect(Collectors.joining(" / "));
        }

        String place() {
            return name() + ", " + Value.counted(threads, "thread")
                    + (processes > 1 ? ", " + processes + " processes" : "");
        }
    }

    private record Pair(Key key, Figures a, Figures b) {
        @Nullable
        Double ratio(ToDoubleFunction<Figures> figure) {
            double before = figure.applyAsDouble(a);
            double after = figure.applyAsDouble(b);
            return before > 0 && after > 0 ? after / before : null;
        }
    }

    private record Difference(
            String what, @Nullable String a, @Nullable String b) {}

    @Override
    public Integer call() {
        Document document = compared(MeasurementsJson.read(first), MeasurementsJson.read(second));
        document.print(format, spec.commandLine().getOut());
        return 0;
    }

    private Document compared(Measurements a, Measurements b) {
        List<Figures> others = new ArrayList<>(b.runs());
        List<Pair> pairs = new ArrayList<>();
        List<Key> onlyA = new ArrayList<>();
        for (Figures run : a.runs()) {
            Key key = Key.of(run);
            Optional<Figures> other =
                    others.stream().filter(each -> Key.of(each).equals(key)).findFirst();
            other.ifPresentOrElse(each -> pairs.add(new Pair(key, run, each)), () -> onlyA.add(key));
            other.ifPresent(others::remove);
        }
        Document document =
                new Document("bench compare", "").line("A: " + first).line("B: " + second);
        document.section("Measured under different conditions")
                .table(new Table<>("differences", "", differences(a, b))
                        .column("what", "what", Difference::what)
                        .column("a", "A", Difference::a)
                        .column("b", "B", Difference::b));
        document.section("").table(runs(pairs));
        document.section("").list(pairs.isEmpty() ? List.of("the files have no run in common") : List.of());
        only("A", onlyA, document);
        only("B", others.stream().map(Key::of).toList(), document);
        OptionalDouble logs = pairs.stream()
                .map(pair -> pair.ratio(Figures::valuesPerSecond))
                .filter(Objects::nonNull)
                .mapToDouble(Math::log)
                .average();
        if (logs.isEmpty()) {
            return document.data("geometric_mean_ratio", null);
        }
        double mean = Math.exp(logs.getAsDouble());
        return document.data("geometric_mean_ratio", mean)
                .outcome("geometric mean of B/A over " + Value.counted(pairs.size(), "run") + ": "
                        + Value.grouped(mean, 3));
    }

    private static void only(String file, List<Key> runs, Document document) {
        document.data("only_" + file.toLowerCase(Locale.ROOT), runs)
                .section("Only in " + file)
                .list(runs.stream().map(Key::place).toList());
    }

    private static Table<Pair> runs(List<Pair> pairs) {
        return new Table<>("runs", "", pairs)
                .column("run", pair -> pair.key.name())
                .column("scenario", "", pair -> pair.key.scenario)
                .column("experiment", "", pair -> pair.key.experiment)
                .column("label", "", pair -> pair.key.label)
                .column("threads", "threads", pair -> pair.key.threads)
                .column("processes", "processes", pair -> pair.key.processes)
                .column("values_per_second_a", "A values/s", 1, pair -> pair.a.valuesPerSecond())
                .column("values_per_second_b", "B values/s", 1, pair -> pair.b.valuesPerSecond())
                .column("values_ratio", "B/A", 3, pair -> pair.ratio(Figures::valuesPerSecond))
                .column("p99_ms_a", "A p99 ms", 3, pair -> pair.a.p99Ms())
                .column("p99_ms_b", "B p99 ms", 3, pair -> pair.b.p99Ms())
                .column("p99_ratio", "B/A", 3, pair -> pair.ratio(Figures::p99Ms));
    }

    private static List<Difference> differences(Measurements a, Measurements b) {
        List<Difference> all = new ArrayList<>();
        all.add(new Difference("engine", a.engine(), b.engine()));
        Set<String> names = new LinkedHashSet<>(a.settings().keySet());
        names.addAll(b.settings().keySet());
        names.forEach(name -> all.add(
                new Difference(name, a.settings().get(name), b.settings().get(name))));
        all.add(new Difference("cores", "" + a.cores(), "" + b.cores()));
        return all.stream().filter(each -> !Objects.equals(each.a, each.b)).toList();
    }
}
