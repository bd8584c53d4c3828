// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes runs for tests: what is not said is as in a run of one thread that went well. */
public final class SampleRun {

    private static final Set<String> ORDERED = Set.of("SYNC", "GROUPED", "ASYNC", "COMBINED", "CONFIRMED", "EMULATED");
    private static final Set<String> GAPLESS = Set.of("SYNC", "GROUPED", "POOLED", "EMULATED");

    private final String scenario;
    private final String experiment;
    private final String mode;
    private String label;
    private int threads = 1;
    private int processes = 1;
    private @Nullable Long batchSize;
    private int rows;
    private double perSecond = 1000;
    private @Nullable Double limit;
    private double p50 = 1;
    private double totalMs = 1000;
    private double workMs;
    private long errors;
    private long duplicates;
    private @Nullable Double arrivals;
    private @Nullable Published published;

    private SampleRun(String scenario, String experiment, String mode) {
        this.scenario = scenario;
        this.experiment = experiment;
        this.mode = mode;
        this.label = mode;
        this.workMs = scenario.equals("spanner") ? 10 : 0;
    }

    public static SampleRun of(String scenario, String experiment, String mode) {
        return new SampleRun(scenario, experiment, mode);
    }

    SampleRun label(String label) {
        this.label = label;
        return this;
    }

    public SampleRun threads(int threads) {
        this.threads = threads;
        return this;
    }

    SampleRun processes(int processes) {
        this.processes = processes;
        return this;
    }

    public SampleRun batchSize(long size) {
        this.batchSize = size;
        return this;
    }

    SampleRun rows(int perTransaction) {
        this.rows = perTransaction;
        return this;
    }

    public SampleRun perSecond(double figure) {
        this.perSecond = figure;
        return this;
    }

    SampleRun limit(double figure) {
        this.limit = figure;
        return this;
    }

    SampleRun p50(double millis) {
        this.p50 = millis;
        return this;
    }

    SampleRun totalMs(double millis) {
        this.totalMs = millis;
        return this;
    }

    SampleRun errors(long count) {
        this.errors = count;
        return this;
    }

    SampleRun duplicates(long count) {
        this.duplicates = count;
        return this;
    }

    SampleRun arrivals(double perSecond) {
        this.arrivals = perSecond;
        return this;
    }

    SampleRun published(String name, double perSecond) {
        this.published = new Published("elsewhere", name, perSecond, null, null, null, null, null, null, null);
        return this;
    }

    SampleRun published(Published theirs) {
        this.published = theirs;
        return this;
    }

    SampleRun publishedTotal(String name, double millis) {
        this.published = new Published("elsewhere", name, null, null, null, null, null, null, null, millis);
        return this;
    }

    public SampleRun work(double millis) {
        this.workMs = millis;
        return this;
    }

    /** Returns a file of runs on a store with this latency. */
    public static String json(double reservationMs, SampleRun... runs) {
        return MeasurementsJson.write(new Measurements(
                "memory:",
                "in memory",
                Map.of(),
                reservationMs,
                reservationMs,
                null,
                "21",
                2,
                "",
                "",
                false,
                Arrays.stream(runs).map(SampleRun::made).toList(),
                List.of()));
    }

    Figures made() {
        return new Figures(
                scenario,
                experiment,
                mode,
                label,
                threads,
                processes,
                2000,
                batchSize,
                null,
                workMs,
                arrivals,
                arrivals == null ? null : 1,
                rows,
                perSecond,
                limit,
                p50 * 1.12,
                p50 * 0.7,
                p50,
                p50 * 1.21,
                p50 * 1.6,
                p50 * 3.4,
                p50 * 11,
                totalMs,
                errors,
                duplicates,
                ORDERED.contains(mode) ? 0L : null,
                GAPLESS.contains(mode) ? 0L : null,
                mode.equals("ADAPTIVE") ? 1.2 : null,
                List.of(perSecond * 0.97, perSecond, perSecond * 1.02),
                published);
    }
}
