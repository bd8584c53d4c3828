// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.bench.result.Publication;
import dev.seriatim.bench.result.Published;
import dev.seriatim.cli.draw.DrawMode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The published figures of the four systems whose experiments the scenarios rerun. Immutable. */
final class PublishedFigures {

    private static final Duration APP_LATENCY = Duration.ofMillis(10);

    private static final Map<List<String>, Published> FIGURES = load();

    private PublishedFigures() {}

    /** Returns the published figures of the same experiment. */
    static Optional<Published> of(RunPlan plan) {
        String mode = plan.mode().name();
        String experiment = plan.setting().experiment();
        return Optional.ofNullable(FIGURES.get(
                switch (plan.scenario()) {
                    case "spanner", "modes" ->
                        plan.appLatency().equals(APP_LATENCY)
                                ? key(
                                        "spanner",
                                        mode,
                                        Objects.toString(plan.batchSizeUsed(), ""),
                                        Objects.toString(plan.lowWaterMarkUsed(), ""),
                                        plan.threads())
                                : List.of();
                    case "mariadb" -> key("mariadb", experiment, mode, plan.threads());
                    case "dsql" -> key("dsql", experiment, variant(plan));
                    case "couchbase" -> key("couchbase", mode, plan.setting().processes());
                    default -> List.of();
                }));
    }

    /** Returns the name in the publication on DSQL. */
    private static String variant(RunPlan plan) {
        if (plan.mode().hasBatchSize()) {
            return "CACHE=" + plan.batchSize();
        }
        return plan.mode().equals(Contender.of(DrawMode.ASYNC))
                ? "CACHE=1"
                : plan.mode().name();
    }

    private static Map<List<String>, Published> load() {
        Map<List<String>, Published> figures = new HashMap<>();
        for (Map<String, String> row : rows("spanner")) {
            String mode = text(row, "mode");
            figures.put(
                    key("spanner", mode, text(row, "batch_size"), text(row, "low_water_mark"), text(row, "threads")),
                    published(Publication.SPANNER, mode, row, number(row, "values_per_second")));
        }
        for (Map<String, String> row : rows("mariadb")) {
            Map.of("row by row", "row_by_row", "10 rows per transaction", "ten_rows")
                    .forEach((experiment, column) -> {
                        figures.put(
                                key("mariadb", experiment, Contender.EMULATED.name(), text(row, "threads")),
                                published(
                                        Publication.MARIADB,
                                        "emulated sequence",
                                        row,
                                        number(row, column + "_sequence")));
                        figures.put(
                                key("mariadb", experiment, Contender.AUTO_INCREMENT.name(), text(row, "threads")),
                                published(
                                        Publication.MARIADB,
                                        "AUTO_INCREMENT",
                                        row,
                                        number(row, column + "_auto_increment")));
                    });
        }
        Map<String, String> experiments = Map.of(
                "individual", "100 single draws",
                "bulk-insert-1000", "bulk insert of 1000 rows",
                "conflict", "100 workers × 100 draws");
        for (Map<String, String> row : rows("dsql")) {
            String variant = text(row, "variant");
            String experiment = text(experiments, text(row, "experiment"));
            double numbers = experiment.startsWith("bulk") ? 1000 : Double.parseDouble(text(row, "calls"));
            double perSecond = numbers * 1000 / Double.parseDouble(text(row, "total_ms"));
            figures.put(key("dsql", experiment, variant), published(Publication.DSQL, variant, row, perSecond));
        }
        for (Map<String, String> row : rows("couchbase")) {
            String machines = text(row, "client_machines");
            figures.put(
                    key("couchbase", DrawMode.ASYNC.name(), machines),
                    published(
                            Publication.COUCHBASE,
                            "increments from " + machines + " client machines",
                            row,
                            number(row, "increments_per_second")));
        }
        return figures;
    }

    private static Published published(
            Publication source, String name, Map<String, String> row, @Nullable Double valuesPerSecond) {
        return new Published(
                source.system(),
                name,
                valuesPerSecond,
                number(row, "mean_ms"),
                number(row, "min_ms"),
                number(row, "p50_ms"),
                number(row, "p90_ms"),
                number(row, "p99_ms"),
                number(row, "max_ms"),
                number(row, "total_ms"));
    }

    private static List<String> key(Object... parts) {
        return Arrays.stream(parts).map(String::valueOf).toList();
    }

    private static String text(Map<String, String> row, String column) {
        return Objects.requireNonNull(row.get(column), column);
    }

    /** Returns null for an empty cell, and in a table without such a column. */
    private static @Nullable Double number(Map<String, String> row, String column) {
        String text = row.getOrDefault(column, "");
        return text.isEmpty() ? null : Double.valueOf(text);
    }

    private static List<Map<String, String>> rows(String source) {
        String name = "published/" + source + "-article.csv";
        InputStream resource = Objects.requireNonNull(PublishedFigures.class.getResourceAsStream(name), name);
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(resource, StandardCharsets.UTF_8))) {
            String[] columns = lines.readLine().split(",", -1);
            return lines.lines().map(line -> row(columns, line.split(",", -1))).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, String> row(String[] columns, String[] cells) {
        Map<String, String> row = new HashMap<>();
        for (int i = 0; i < columns.length; i++) {
            row.put(columns[i], cells[i]);
        }
        return row;
    }
}
