// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import dev.seriatim.report.Page;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** The numbers of a line plot: a row per line, a column per number of threads. */
final class ThreadsTable {

    private static final int MOST_COLUMNS = 16;

    private ThreadsTable() {}

    /** Returns a table of values per second, measured and published. */
    static String of(Experiment experiment) {
        List<Integer> all = experiment.threads();
        List<Integer> threads = all.subList(0, Math.min(MOST_COLUMNS, all.size()));
        StringBuilder table = new StringBuilder("<table><thead><tr><th>rows/s at threads");
        threads.forEach(count -> table.append("<th>").append(count));
        table.append("<tbody>");
        rows(experiment, Figures::valuesPerSecond)
                .forEach((name, row) -> row(table, "", FiguresTable.shortened(name), row, threads));
        published(experiment)
                .forEach((name, row) -> row(table, " class=\"theirs\"", linked(name, experiment), row, threads));
        return table.append("</table>").toString();
    }

    private static String linked(String name, Experiment experiment) {
        return Publication.of(experiment).map(to -> to.link(name)).orElse(FiguresTable.shortened(name));
    }

    private static void row(
            StringBuilder table, String look, String name, Map<Integer, Double> row, List<Integer> threads) {
        int digits = Math.min(1, NumberFormats.digits(row.values().stream().mapToDouble(Double::doubleValue)));
        table.append("<tr").append(look).append("><th>").append(name);
        for (int count : threads) {
            Double figure = row.get(count);
            table.append("<td>").append(figure == null ? "–" : Page.thin(NumberFormats.grouped(figure, digits)));
        }
    }

    private static Map<String, Map<Integer, Double>> rows(Experiment experiment, ToDoubleFunction<Figures> figure) {
        Map<String, Map<Integer, Double>> rows = new LinkedHashMap<>();
        experiment
                .runs()
                .forEach(run -> rows.computeIfAbsent(run.label(), name -> new TreeMap<>())
                        .put(run.threads(), figure.applyAsDouble(run)));
        return rows;
    }

    private static Map<String, Map<Integer, Double>> published(Experiment experiment) {
        Map<String, Map<Integer, Double>> rows = new LinkedHashMap<>();
        for (Figures run : experiment.runs()) {
            Published published = run.published();
            Double theirs = published == null ? null : published.valuesPerSecond();
            if (published != null && theirs != null) {
                rows.computeIfAbsent(ThreadLines.published(published), name -> new TreeMap<>())
                        .put(run.threads(), theirs);
            }
        }
        return rows;
    }
}
