// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.bench;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Says what came out of runs, for programs: one object, with null where a figure does not apply. Not thread-safe. */
final class JsonReport implements Report {

    private static final Gson GSON = new GsonBuilder()
            .serializeNulls()
            .setPrettyPrinting()
            .disableHtmlEscaping()
            .create();

    private final JsonArray runs = new JsonArray();
    private final JsonArray leftOut = new JsonArray();
    private final Consumer<String> written;

    /** Hands the whole text over at the end. */
    JsonReport(Consumer<String> written) {
        this.written = written;
    }

    @Override
    public void run(RunResult result) {
        RunPlan plan = result.plan();
        JsonObject run = new JsonObject();
        run.addProperty("scenario", plan.workload().scenario());
        run.addProperty("mode", plan.mode().name());
        run.addProperty("threads", plan.threads());
        run.addProperty(
                "iterations", result.measured().completed() + result.measured().errors());
        run.add("batch_size", whole(plan.batchSizeUsed()));
        run.add("low_water_mark", whole(plan.lowWaterMarkUsed()));
        run.addProperty("app_latency_ms", millis(plan.appLatencyNanos()));
        if (plan.workload() instanceof OpenLoop arrivals) {
            run.addProperty("arrivals_per_second", arrivals.perSecond());
            run.addProperty("burst", arrivals.burst());
        }
        run.addProperty("values_per_second", rounded(result.valuesPerSecond()));
        run.add("limit_per_second", decimal(result.limitPerSecond()));
        run.addProperty("p50_ms", rounded(result.percentileMillis(50)));
        run.addProperty("p75_ms", rounded(result.percentileMillis(75)));
        run.addProperty("p90_ms", rounded(result.percentileMillis(90)));
        run.addProperty("p99_ms", rounded(result.percentileMillis(99)));
        run.addProperty("max_ms", rounded(result.maxMillis()));
        run.addProperty("errors", result.measured().errors());
        run.addProperty("duplicates", result.check().duplicates());
        run.add("order_violations", whole(result.check().orderViolations()));
        run.add("gaps", whole(result.check().gaps()));
        run.add("reserved_per_used", decimal(result.reservedPerUsed()));
        runs.add(run);
    }

    @Override
    public void leftOut(RunPlan plan, String reason) {
        JsonObject run = new JsonObject();
        run.addProperty("mode", plan.mode().name());
        run.addProperty("threads", plan.threads());
        run.addProperty("reason", reason);
        leftOut.add(run);
    }

    /** The whole, with where it was measured. */
    @Override
    public void end(Laboratory laboratory, boolean interrupted) {
        JsonObject report = new JsonObject();
        report.addProperty("store", laboratory.store().toString());
        report.addProperty("reservation_ms", millis(laboratory.reservationNanos()));
        report.addProperty("jdk", Runtime.version().toString());
        report.addProperty("cores", Runtime.getRuntime().availableProcessors());
        report.addProperty("interrupted", interrupted);
        report.add("runs", runs);
        report.add("not_offered", leftOut);
        written.accept(GSON.toJson(report));
    }

    private static JsonElement whole(OptionalLong number) {
        return number.isPresent() ? new JsonPrimitive(number.getAsLong()) : JsonNull.INSTANCE;
    }

    private static JsonElement decimal(OptionalDouble number) {
        return number.isPresent() ? new JsonPrimitive(rounded(number.getAsDouble())) : JsonNull.INSTANCE;
    }

    private static double millis(long nanos) {
        return nanos / (double) TimeUnit.MILLISECONDS.toNanos(1);
    }

    /** Six digits behind the point, as many as a nanosecond in milliseconds has. */
    private static double rounded(double number) {
        return Math.round(number * 1e6) / 1e6;
    }
}
