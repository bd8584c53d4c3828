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
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The published figures of the four systems whose experiments the scenarios rerun. Immutable. */
public final class PublishedFigures {

    private static final Duration APP_LATENCY = Duration.ofMillis(10);
    private static final long SCALABLE = 65_536;

    private final Map<List<String>, Published> figures = new HashMap<>();

    private PublishedFigures() {}

    public static PublishedFigures load() {
        PublishedFigures published = new PublishedFigures();
        rows("spanner").forEach(published::addSpanner);
        rows("mariadb").forEach(published::addMariaDb);
        rows("dsql").forEach(published::addDsql);
        rows("couchbase").forEach(published::addCouchbase);
        return published;
    }

    /** Returns the published figures of the same experiment. */
    public Optional<Published> of(RunPlan plan) {
        return Optional.ofNullable(figures.get(
                switch (plan.scenario()) {
                    case "spanner", "modes" -> spannerKey(plan);
                    case "mariadb" ->
                        key("mariadb", plan.setting().experiment(), plan.mode().name(), plan.threads());
                    case "dsql" -> key("dsql", plan.setting().experiment(), variant(plan));
                    case "couchbase" ->
                        key("couchbase", plan.mode().name(), plan.setting().processes());
                    default -> List.of();
                }));
    }

    private static List<String> spannerKey(RunPlan plan) {
        return plan.appLatency().equals(APP_LATENCY)
                ? key(
                        "spanner",
                        plan.mode().name(),
                        text(plan.batchSizeUsed()),
                        text(plan.lowWaterMarkUsed()),
                        plan.threads())
                : List.of();
    }

    private static String variant(RunPlan plan) {
        if (plan.mode() == Baseline.UUID) {
            return "UUID";
        }
        if (plan.mode().name().equals(DrawMode.ASYNC.name())) {
            return "CACHE=1";
        }
        boolean cached = plan.mode().name().equals(DrawMode.BATCH.name()) || plan.mode() == Baseline.NATIVE;
        return cached && (plan.batchSize() == 1 || plan.batchSize() == SCALABLE) ? "CACHE=" + plan.batchSize() : "";
    }

    private void addSpanner(Map<String, String> row) {
        figures.put(
                key(
                        "spanner",
                        text(row, "mode"),
                        text(row, "batch_size"),
                        text(row, "low_water_mark"),
                        text(row, "threads")),
                new Published(
                        Publication.SPANNER.system(),
                        text(row, "mode"),
                        number(row, "values_per_second"),
                        null,
                        null,
                        number(row, "p50_ms"),
                        number(row, "p90_ms"),
                        number(row, "p99_ms"),
                        null,
                        null));
    }

    private void addMariaDb(Map<String, String> row) {
        addMariaDb(row, "row by row", "row_by_row");
        addMariaDb(row, "10 rows per transaction", "ten_rows");
    }

    private void addMariaDb(Map<String, String> row, String experiment, String column) {
        String threads = text(row, "threads");
        figures.put(
                key("mariadb", experiment, Baseline.EMULATED.name(), threads),
                perSecond(Publication.MARIADB, "emulated sequence", number(row, column + "_sequence")));
        figures.put(
                key("mariadb", experiment, Baseline.AUTO_INCREMENT.name(), threads),
                perSecond(Publication.MARIADB, "AUTO_INCREMENT", number(row, column + "_auto_increment")));
    }

    private void addDsql(Map<String, String> row) {
        String experiment = text(DSQL_EXPERIMENTS, text(row, "experiment"));
        Double total = number(row, "total_ms");
        double numbers = experiment.startsWith("bulk") ? 1000 : Double.parseDouble(text(row, "calls"));
        figures.put(
                key("dsql", experiment, text(row, "variant")),
                new Published(
                        Publication.DSQL.system(),
                        text(row, "variant"),
                        total == null ? null : numbers * 1000 / total,
                        number(row, "mean_ms"),
                        number(row, "min_ms"),
                        null,
                        null,
                        null,
                        number(row, "max_ms"),
                        total));
    }

    private static final Map<String, String> DSQL_EXPERIMENTS = Map.of(
            "individual", "100 single draws",
            "bulk-insert-1000", "bulk insert of 1000 rows",
            "conflict", "100 workers × 100 draws");

    private void addCouchbase(Map<String, String> row) {
        figures.put(
                key("couchbase", DrawMode.ASYNC.name(), text(row, "client_machines")),
                perSecond(
                        Publication.COUCHBASE,
                        "increments from " + text(row, "client_machines") + " client machines",
                        number(row, "increments_per_second")));
    }

    private static Published perSecond(Publication source, String name, @Nullable Double valuesPerSecond) {
        return new Published(source.system(), name, valuesPerSecond, null, null, null, null, null, null, null);
    }

    private static List<String> key(Object... parts) {
        return java.util.Arrays.stream(parts).map(String::valueOf).toList();
    }

    private static String text(OptionalLong number) {
        return number.isPresent() ? Long.toString(number.getAsLong()) : "";
    }

    private static String text(Map<String, String> row, String column) {
        return Objects.requireNonNull(row.get(column), column);
    }

    private static @Nullable Double number(Map<String, String> row, String column) {
        String text = text(row, column);
        return text.isEmpty() ? null : Double.valueOf(text);
    }

    private static List<Map<String, String>> rows(String source) {
        String name = "published/" + source + "-article.csv";
        InputStream resource = Objects.requireNonNull(PublishedFigures.class.getResourceAsStream(name), name);
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(resource, StandardCharsets.UTF_8))) {
            List<String> columns = List.of(lines.readLine().split(",", -1));
            return lines.lines().map(line -> row(columns, line.split(",", -1))).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, String> row(List<String> columns, String[] cells) {
        Map<String, String> row = new LinkedHashMap<>();
        for (int i = 0; i < columns.size(); i++) {
            row.put(columns.get(i), cells[i]);
        }
        return row;
    }
}
