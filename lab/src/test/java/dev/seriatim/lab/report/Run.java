// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.report;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes runs for tests: what is not said is as in a run of one thread that went well. */
final class Run {

    private static final Set<String> ORDERED = Set.of("SYNC", "GROUPED", "ASYNC", "COMBINED", "EMULATED");
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
    private long errors;
    private long duplicates;
    private @Nullable Double arrivals;
    private @Nullable Published published;

    private Run(String scenario, String experiment, String mode) {
        this.scenario = scenario;
        this.experiment = experiment;
        this.mode = mode;
        this.label = mode;
    }

    static Run of(String scenario, String experiment, String mode) {
        return new Run(scenario, experiment, mode);
    }

    Run label(String label) {
        this.label = label;
        return this;
    }

    Run threads(int threads) {
        this.threads = threads;
        return this;
    }

    Run processes(int processes) {
        this.processes = processes;
        return this;
    }

    Run batchSize(long size) {
        this.batchSize = size;
        return this;
    }

    Run rows(int perTransaction) {
        this.rows = perTransaction;
        return this;
    }

    Run perSecond(double figure) {
        this.perSecond = figure;
        return this;
    }

    Run limit(double figure) {
        this.limit = figure;
        return this;
    }

    Run p50(double millis) {
        this.p50 = millis;
        return this;
    }

    Run totalMs(double millis) {
        this.totalMs = millis;
        return this;
    }

    Run errors(long count) {
        this.errors = count;
        return this;
    }

    Run duplicates(long count) {
        this.duplicates = count;
        return this;
    }

    Run arrivals(double perSecond) {
        this.arrivals = perSecond;
        return this;
    }

    Run published(String name, double perSecond) {
        this.published = new Published("elsewhere", name, perSecond, null, null, null, null, null, null, null);
        return this;
    }

    Run published(Published theirs) {
        this.published = theirs;
        return this;
    }

    Run publishedTotal(String name, double millis) {
        this.published = new Published("elsewhere", name, null, null, null, null, null, null, null, millis);
        return this;
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
                scenario.equals("spanner") ? 10 : 0,
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
