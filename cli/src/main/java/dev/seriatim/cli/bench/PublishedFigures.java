// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The figures that were published for the same experiment on Spanner: modes × 10 and 50 threads, with application
 * transactions of 10 ms. Immutable and thread-safe.
 */
final class PublishedFigures {

    private static final String RESOURCE = "published/spanner-article.csv";
    private static final Duration APP_LATENCY = Duration.ofMillis(10);

    private final Map<List<String>, Double> valuesPerSecond = new HashMap<>();

    private PublishedFigures() {}

    static PublishedFigures load() {
        InputStream resource = Objects.requireNonNull(PublishedFigures.class.getResourceAsStream(RESOURCE), RESOURCE);
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(resource, StandardCharsets.UTF_8))) {
            PublishedFigures figures = new PublishedFigures();
            lines.lines().skip(1).forEach(figures::add);
            return figures;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Columns: mode, batch_size, low_water_mark, threads, values_per_second, and latencies. */
    private void add(String line) {
        List<String> cells = List.of(line.split(",", -1));
        valuesPerSecond.put(cells.subList(0, 4), Double.valueOf(cells.get(4)));
    }

    /** Values per second, if this very experiment was published. */
    OptionalDouble valuesPerSecond(RunPlan plan) {
        if (!(plan.workload() instanceof ClosedLoop) || !plan.appLatency().equals(APP_LATENCY)) {
            return OptionalDouble.empty();
        }
        List<String> key = List.of(
                plan.mode().name(), text(plan.batchSizeUsed()), text(plan.lowWaterMarkUsed()), "" + plan.threads());
        return Optional.ofNullable(valuesPerSecond.get(key))
                .map(OptionalDouble::of)
                .orElse(OptionalDouble.empty());
    }

    private static String text(OptionalLong number) {
        return number.isPresent() ? Long.toString(number.getAsLong()) : "";
    }
}
