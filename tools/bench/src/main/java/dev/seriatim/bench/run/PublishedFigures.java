// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.bench.result.Published;
import dev.seriatim.report.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Published figures of an experiment that a scenario reruns. A setting that is null may have any value. Immutable. */
record PublishedFigures(
        String scenario,
        @Nullable String experiment,
        String mode,
        @Nullable Long batchSize,
        @Nullable Long lowWaterMark,
        @Nullable Integer threads,
        Published figures) {

    private static final Duration APP_LATENCY_OF_SPANNER = Duration.ofMillis(10);

    private static final PublishedFigures[] ALL = load();

    static Optional<Published> of(RunPlan plan) {
        return Arrays.stream(ALL)
                .filter(each -> each.isOf(plan))
                .map(PublishedFigures::figures)
                .findFirst();
    }

    private boolean isOf(RunPlan plan) {
        boolean same = scenario.equals("spanner")
                ? plan.appLatency().equals(APP_LATENCY_OF_SPANNER)
                        && plan.setting().processes() == 1
                        && (plan.scenario().equals("modes") || plan.scenario().equals(scenario))
                : plan.scenario().equals(scenario);
        return same
                && mode.equals(plan.mode().name())
                && matches(experiment, plan.setting().experiment())
                && matches(batchSize, plan.batchSizeUsed())
                && matches(lowWaterMark, plan.lowWaterMarkUsed())
                && matches(threads, plan.threads());
    }

    private static boolean matches(@Nullable Object published, @Nullable Object planned) {
        return published == null || published.equals(planned);
    }

    private static PublishedFigures[] load() {
        InputStream resource = Objects.requireNonNull(PublishedFigures.class.getResourceAsStream("published.json"));
        try (InputStreamReader json = new InputStreamReader(resource, StandardCharsets.UTF_8)) {
            return Json.GSON.fromJson(json, PublishedFigures[].class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
