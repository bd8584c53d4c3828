// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import com.google.gson.FieldNamingPolicy;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import dev.seriatim.cli.terminal.JsonText;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes a comparison as JSON. Thread-safe. */
final class ComparisonJson {

    private static final Gson GSON = new GsonBuilder()
            .setFieldNamingPolicy(FieldNamingPolicy.LOWER_CASE_WITH_UNDERSCORES)
            .serializeNulls()
            .setPrettyPrinting()
            .disableHtmlEscaping()
            .create();

    private record Both(
            String scenario,
            String experiment,
            String label,
            int threads,
            int processes,
            double valuesPerSecondA,
            double valuesPerSecondB,
            @Nullable Double valuesRatio,
            double p99MsA,
            double p99MsB,
            @Nullable Double p99Ratio) {}

    private record One(String scenario, String experiment, String label, int threads, int processes) {}

    private record Whole(
            List<String> differences,
            List<Both> runs,
            List<One> onlyA,
            List<One> onlyB,
            @Nullable Double geometricMeanRatio) {}

    private ComparisonJson() {}

    static String write(Comparison comparison) {
        return JsonText.escaped(GSON.toJson(new Whole(
                comparison.differences(),
                comparison.pairs().stream().map(ComparisonJson::both).toList(),
                comparison.onlyFirst().stream().map(ComparisonJson::one).toList(),
                comparison.onlySecond().stream().map(ComparisonJson::one).toList(),
                comparison.meanRatio())));
    }

    private static Both both(Comparison.Pair pair) {
        Figures a = pair.first();
        Figures b = pair.second();
        return new Both(
                a.scenario(),
                a.experiment(),
                a.label(),
                a.threads(),
                a.processes(),
                a.valuesPerSecond(),
                b.valuesPerSecond(),
                pair.valuesRatio(),
                a.p99Ms(),
                b.p99Ms(),
                pair.p99Ratio());
    }

    private static One one(Figures run) {
        return new One(run.scenario(), run.experiment(), run.label(), run.threads(), run.processes());
    }
}
