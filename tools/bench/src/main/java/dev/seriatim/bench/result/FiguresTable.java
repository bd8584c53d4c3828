// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import dev.seriatim.report.Markup;
import dev.seriatim.report.Page;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/** A table of all figures of runs, without empty columns. */
final class FiguresTable {

    private static final String NOTHING = "–";
    private static final String THREADS = "threads";
    private static final int LONGEST_LABEL = 80;
    private static final int LONGEST_WORD = 18;

    /** Returns a figure of a run, or null. */
    private interface Cell {
        @Nullable
        Double of(Figures run);
    }

    /** Columns that are left out on paper, which does not scroll: derived or less important ones. */
    private static final Set<String> SCREEN_ONLY = Set.of(
            "of limit", "times published", "mean ms", "min", "p75", "iterations", "reserved/used", "rounds, values/s");

    private final List<Figures> runs;
    private final List<String> headings = new ArrayList<>();
    private final List<Function<Figures, String>> columns = new ArrayList<>();

    private FiguresTable(List<Figures> runs) {
        this.runs = runs;
    }

    /** Returns a table of the first runs, up to a number. */
    static String of(List<Figures> runs, int rows) {
        FiguresTable table = new FiguresTable(runs);
        table.measured();
        table.limits();
        table.latencies();
        table.published();
        table.checks();
        return table.written(rows);
    }

    /** The first columns, up to p99, are visible without scrolling. */
    private void measured() {
        whole(THREADS, run -> (double) run.threads());
        decimal("values/s", Figures::valuesPerSecond);
        decimal("p50 ms", run -> known(run.p50Ms()));
        decimal("p99 ms", run -> known(run.p99Ms()));
    }

    private void limits() {
        if (runs.stream().anyMatch(run -> run.processes() > 1)) {
            whole("processes", run -> (double) run.processes());
        }
        decimal("total ms", run -> known(run.totalMs()));
        decimal("limit/s", Figures::limitPerSecond);
        add("of limit", Figures::limitRatio, 2);
    }

    private void latencies() {
        decimal("mean ms", run -> known(run.meanMs()));
        decimal("min", run -> known(run.minMs()));
        decimal("p75", run -> known(run.p75Ms()));
        decimal("p90", run -> known(run.p90Ms()));
        decimal("max", run -> known(run.maxMs()));
    }

    private void published() {
        decimal("published/s", ofPublished(Published::valuesPerSecond));
        add("times published", Figures::publishedRatio, 2);
        decimal("published total", ofPublished(Published::totalMs));
        decimal("published mean", ofPublished(Published::meanMs));
        decimal("published p50", ofPublished(Published::p50Ms));
        decimal("published p90", ofPublished(Published::p90Ms));
        decimal("published p99", ofPublished(Published::p99Ms));
    }

    private void checks() {
        whole("iterations", run -> (double) run.iterations());
        whole("errors", run -> (double) run.errors());
        whole("duplicates", run -> (double) run.duplicates());
        whole("order violations", run -> number(run.orderViolations()));
        whole("gaps", run -> number(run.gaps()));
        add("reserved/used", Figures::reservedPerUsed, 2);
        if (runs.stream().anyMatch(run -> run.rounds().size() > 1)) {
            column("rounds, values/s", FiguresTable::rounds);
        }
    }

    private static String rounds(Figures run) {
        DoubleStream rounds = run.rounds().stream().mapToDouble(Double::doubleValue);
        int digits = NumberFormats.digits(run.rounds().stream().mapToDouble(Double::doubleValue));
        return String.join(
                " · ",
                rounds.mapToObj(round -> NumberFormats.grouped(round, digits)).toList());
    }

    private interface TheirCell {
        @Nullable
        Double of(Published published);
    }

    private static Cell ofPublished(TheirCell figure) {
        return run -> {
            Published published = run.published();
            return published == null ? null : figure.of(published);
        };
    }

    /** Files of older versions have 0 for figures that were not measured. */
    private static @Nullable Double known(double figure) {
        return figure > 0 ? figure : null;
    }

    private static @Nullable Double number(@Nullable Long count) {
        return count == null ? null : (double) count;
    }

    private void whole(String heading, Cell cell) {
        add(heading, cell, 0);
    }

    private void decimal(String heading, Cell cell) {
        add(
                heading,
                cell,
                NumberFormats.digits(runs.stream()
                        .map(cell::of)
                        .filter(Objects::nonNull)
                        .mapToDouble(Double::doubleValue)
                        .filter(Double::isFinite)));
    }

    private void add(String heading, Cell cell, int digits) {
        if (runs.stream().anyMatch(run -> cell.of(run) != null)) {
            column(heading, run -> {
                Double figure = cell.of(run);
                return figure == null || !Double.isFinite(figure) ? NOTHING : NumberFormats.grouped(figure, digits);
            });
        }
    }

    private void column(String heading, Function<Figures, String> text) {
        headings.add(heading);
        columns.add(text);
    }

    /** Returns the classes that hide columns on paper. */
    private String screenOnly() {
        StringBuilder places = new StringBuilder("figures");
        for (int i = 0; i < headings.size(); i++) {
            if (SCREEN_ONLY.contains(headings.get(i))) {
                places.append(" x").append(i + 2);
            }
        }
        return places.toString();
    }

    private String linked(String heading) {
        return heading.startsWith("published")
                ? runs.stream()
                        .flatMap(run -> Publication.of(run).stream())
                        .findFirst()
                        .map(source -> source.link(heading))
                        .orElse(heading)
                : heading;
    }

    /** Omits optional end tags, which would be a third of a large page. */
    private String written(int rows) {
        StringBuilder table = new StringBuilder("<table class=\"" + screenOnly() + "\"><thead><tr><th>what");
        headings.forEach(heading -> table.append(heading.equals(THREADS) ? "<th class=\"n\">" : "<th>")
                .append(linked(heading)));
        table.append("<tbody>");
        for (Figures run : runs.subList(0, Math.min(rows, runs.size()))) {
            table.append("<tr><th>").append(shortened(run.label()));
            table.append("<small>")
                    .append(run.threads())
                    .append(run.threads() == 1 ? " thread" : " threads")
                    .append("</small>");
            for (Function<Figures, String> column : columns) {
                table.append("<td>").append(Page.thin(column.apply(run)));
            }
        }
        return table.append("</table>").toString();
    }

    /** Returns a label as markup: at most one line, with break opportunities for narrow screens. */
    static String shortened(String label) {
        String shown = label.codePointCount(0, label.length()) <= LONGEST_LABEL
                ? label
                : label.substring(0, label.offsetByCodePoints(0, LONGEST_LABEL - 1)) + "…";
        StringBuilder markup = new StringBuilder();
        int inWord = 0;
        for (int character : shown.codePoints().toArray()) {
            inWord = Character.isWhitespace(character) ? 0 : inWord + 1;
            markup.append(inWord % LONGEST_WORD == LONGEST_WORD - 1 ? "<wbr>" : "");
            markup.append(Markup.escaped(Character.toString(character)));
        }
        return markup.toString();
    }
}
