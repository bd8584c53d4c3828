// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** Measurements as they may come out: the published figures, and plausible multiples of them as measured. */
final class Samples {

    private static final Map<String, Double> OF_AUTO_INCREMENT = new LinkedHashMap<>();

    static {
        OF_AUTO_INCREMENT.put("EMULATED", 0.3);
        OF_AUTO_INCREMENT.put("COMBINED", 0.52);
        OF_AUTO_INCREMENT.put("CONFIRMED", 0.93);
        OF_AUTO_INCREMENT.put("BATCH", 1.008);
        OF_AUTO_INCREMENT.put("ADAPTIVE", 1.02);
        OF_AUTO_INCREMENT.put("GROUPED", 0.71);
        OF_AUTO_INCREMENT.put("POOLED", 0.45);
        OF_AUTO_INCREMENT.put("AUTO_INCREMENT", 1.0);
        OF_AUTO_INCREMENT.put("NATIVE", 0.97);
        OF_AUTO_INCREMENT.put("UUID_V4", 0.88);
        OF_AUTO_INCREMENT.put("UUID_V7", 0.99);
    }

    private Samples() {}

    /** Every sample by its name. */
    static Map<String, Measurements> all() {
        Map<String, Measurements> samples = new LinkedHashMap<>();
        samples.put("all", of("MariaDB 11.8.6", everything()));
        samples.put("spanner", of("SQLite 3.50.4", spanner()));
        samples.put("mariadb", of("MariaDB 11.8.6", mariadb(8)));
        samples.put("one-thread-count", of("MariaDB 11.8.6", mariadb(1)));
        samples.put("nearly-the-same", of("H2 2.4.240", nearlyTheSame()));
        samples.put("long-names", longNames());
        samples.put("missing-figures", of("in memory", missing()));
        samples.put("interrupted", interrupted());
        samples.put("empty", with("in memory", List.of(), true, List.of()));
        samples.put("arrivals", of("in memory", arrivals()));
        samples.put("many", of("H2 2.4.240", many()));
        return samples;
    }

    static Measurements of(String engine, List<Figures> runs) {
        return with(
                engine,
                runs,
                false,
                List.of(new NotOffered("spanner", "", "POOLED", "POOLED", 10, "it has no rows to lay numbers out in")));
    }

    static Measurements of(Figures... runs) {
        return with("H2 2.4.240", List.of(runs), false, List.of());
    }

    private static Measurements with(String engine, List<Figures> runs, boolean interrupted, List<NotOffered> leftOut) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("innodb_flush_log_at_trx_commit", "1");
        settings.put("sync_binlog", "1");
        settings.put("innodb_doublewrite", "ON");
        return new Measurements(
                "jdbc:mariadb://db.example:3306/app",
                engine,
                settings,
                0.412,
                0.198,
                0.065,
                "21.0.9+10",
                8,
                "2026-11-21T12:00:00Z",
                "seriatim bench --store jdbc:mariadb://db.example:3306/app --scenario all --baselines --html report.html",
                interrupted,
                runs,
                leftOut);
    }

    private static List<Figures> everything() {
        return Stream.of(spanner(), dsql(), mariadb(8), couchbase())
                .flatMap(List::stream)
                .toList();
    }

    static List<Figures> spanner() {
        Map<String, Double> factors = new LinkedHashMap<>();
        factors.put("SYNC", 2.6);
        factors.put("GROUPED", 2.7);
        factors.put("POOLED", 14.0);
        factors.put("ASYNC", 11.0);
        factors.put("COMBINED", 21.0);
        factors.put("CONFIRMED", 34.0);
        factors.put("BATCH", 48.0);
        factors.put("ASYNC_BATCH", 51.0);
        factors.put("ADAPTIVE", 55.0);
        List<Figures> runs = new ArrayList<>();
        for (int threads : List.of(10, 50)) {
            factors.forEach((mode, factor) -> {
                double measured = 34 * factor * (factor > 5 ? Math.sqrt(threads / 10.0) : 1);
                SampleRun run = SampleRun.of("spanner", "", mode)
                        .label(label(mode))
                        .threads(threads)
                        .perSecond(measured)
                        .limit(measured * 1.3)
                        .p50(threads * 1000.0 / measured);
                csv("spanner").stream()
                        .filter(row -> row[0].equals(mode) && row[3].equals("" + threads))
                        .forEach(row -> run.published(spanner(row)));
                runs.add(run.made());
            });
        }
        return runs;
    }

    private static Published spanner(String[] row) {
        return new Published(
                "Spanner",
                row[0],
                Double.valueOf(row[4]),
                null,
                null,
                Double.valueOf(row[5]),
                Double.valueOf(row[6]),
                Double.valueOf(row[7]),
                null,
                null);
    }

    private static String label(String mode) {
        return switch (mode) {
            case "BATCH" -> "BATCH, batch size 200";
            case "ASYNC_BATCH" -> "ASYNC_BATCH, batch size 200, low-water mark 50";
            default -> mode;
        };
    }

    static List<Figures> mariadb(int threadCounts) {
        List<Figures> runs = new ArrayList<>();
        for (int rows : List.of(1, 10)) {
            String experiment = rows == 1 ? "row by row" : "10 rows per transaction";
            for (String[] row : csv("mariadb").subList(0, threadCounts)) {
                int threads = Integer.parseInt(row[0]);
                double emulated = Double.parseDouble(row[rows == 1 ? 1 : 3]);
                double automatic = Double.parseDouble(row[rows == 1 ? 2 : 4]);
                OF_AUTO_INCREMENT.forEach((mode, factor) -> {
                    double measured = mode.equals("EMULATED") ? emulated * 1.4 : automatic * factor * 1.7;
                    SampleRun run = SampleRun.of("mariadb", experiment, mode)
                            .threads(threads)
                            .rows(rows)
                            .perSecond(measured)
                            .p50(threads * rows * 1000 / measured);
                    if (mode.equals("EMULATED")) {
                        run.published("emulated sequence", emulated);
                    } else if (mode.equals("AUTO_INCREMENT")) {
                        run.published("AUTO_INCREMENT", automatic);
                    }
                    runs.add(run.made());
                });
            }
        }
        return runs;
    }

    static List<Figures> dsql() {
        List<Figures> runs = new ArrayList<>();
        Map<String, String> experiments = new LinkedHashMap<>();
        experiments.put("individual", "100 single draws");
        experiments.put("bulk-insert-1000", "bulk insert of 1000 rows");
        experiments.put("conflict", "100 workers × 100 draws");
        experiments.forEach((theirs, ours) -> {
            runs.add(timed(theirs, ours, "ASYNC", "CACHE=1", "one value per reservation"));
            runs.add(timed(theirs, ours, "BATCH", "CACHE=65536", "BATCH, cache 65536"));
            runs.add(timed(theirs, ours, "UUID", "UUID", "UUID of the server"));
            runs.add(SampleRun.of("dsql", ours, "NATIVE")
                    .label("the engine's own sequence, CACHE 1")
                    .batchSize(1)
                    .totalMs(310)
                    .made());
            runs.add(SampleRun.of("dsql", ours, "NATIVE")
                    .label("the engine's own sequence, CACHE 65536")
                    .batchSize(65536)
                    .totalMs(22)
                    .made());
            runs.add(SampleRun.of("dsql", ours, "UUID_V4").totalMs(0.6).made());
            runs.add(SampleRun.of("dsql", ours, "UUID_V7").totalMs(0.5).made());
        });
        return runs;
    }

    private static Figures timed(String theirs, String ours, String mode, String variant, String label) {
        double published = csv("dsql").stream()
                .filter(row -> row[0].equals(theirs) && row[1].equals(variant))
                .mapToDouble(row -> Double.parseDouble(row[7]))
                .findFirst()
                .orElseThrow();
        SampleRun run = SampleRun.of("dsql", ours, mode)
                .label(label)
                .totalMs(published / 21)
                .publishedTotal(variant, published);
        return (mode.equals("BATCH") ? run.batchSize(65536) : run)
                .threads(theirs.equals("conflict") ? 100 : 1)
                .made();
    }

    static List<Figures> couchbase() {
        List<Figures> runs = new ArrayList<>();
        for (int processes : List.of(1, 2)) {
            String experiment = processes == 1 ? "one process" : "two processes";
            double theirs = Double.parseDouble(csv("couchbase").get(processes - 1)[1]);
            for (String mode : List.of("ASYNC", "STRIPED", "ADAPTIVE")) {
                double factor = mode.equals("ASYNC") ? 0.8 : mode.equals("STRIPED") ? 1.3 : 44;
                SampleRun run = SampleRun.of("couchbase", experiment, mode)
                        .label(mode.equals("ASYNC") ? "single increments" : mode)
                        .threads(32)
                        .processes(processes)
                        .perSecond(theirs * factor);
                runs.add(
                        mode.equals("ASYNC")
                                ? run.published("increments", theirs).made()
                                : run.made());
            }
        }
        return runs;
    }

    /** Lines that end at nearly the same height, all of them near the upper edge. */
    private static List<Figures> nearlyTheSame() {
        List<Figures> runs = new ArrayList<>();
        for (int threads : List.of(1, 3, 10, 100)) {
            int place = 0;
            for (String mode :
                    List.of("SYNC", "GROUPED", "ASYNC", "COMBINED", "CONFIRMED", "BATCH", "ASYNC_BATCH", "ADAPTIVE")) {
                runs.add(SampleRun.of("modes", "", mode)
                        .label(label(mode))
                        .threads(threads)
                        .perSecond(1000 * threads + place++)
                        .published(mode.toLowerCase(Locale.ROOT), 990 * threads)
                        .made());
            }
        }
        return runs;
    }

    private static Measurements longNames() {
        String store = "jdbc:postgresql://a-database-with-a-name-that-does-not-end.eu-central-1.compute.example/"
                + "application".repeat(30) + "?<script>alert(1)</script>&x=\"y\"";
        List<Figures> runs = new ArrayList<>();
        for (int threads : List.of(1, 2, 4)) {
            runs.add(SampleRun.of("modes", "an experiment <b>with</b> a \"name\"", "ADAPTIVE")
                    .label("ADAPTIVE over_a_store_whose_name_has_no_place_to_break_it_at_all " + "and more ".repeat(40))
                    .threads(threads)
                    .perSecond(12_345.678 * threads)
                    .limit(23_456)
                    .published("the emulated sequence, as it was published in an article", 4_000)
                    .made());
            runs.add(SampleRun.of("modes", "an experiment <b>with</b> a \"name\"", "WIDEST")
                    .label("W".repeat(60))
                    .threads(threads)
                    .perSecond(1e9)
                    .made());
        }
        Measurements plain =
                with("PostgreSQL 18.1 (Debian 18.1-1.pgdg13+2) on x86_64-pc-linux-gnu", runs, false, List.of());
        return new Measurements(
                store,
                plain.engine(),
                Map.of("a_setting_with_a_name_as_long_as_the_longest_there_are", "v".repeat(200)),
                12345.6,
                12345.6,
                null,
                plain.jdk(),
                1,
                "2026-11-21T12:00:00Z",
                "seriatim bench --store '" + store + "'",
                false,
                runs,
                List.of(new NotOffered("modes", "", "POOLED", "POOLED", 1, "<i>because</i> " + "reason ".repeat(40))));
    }

    private static List<Figures> missing() {
        return List.of(
                SampleRun.of("modes", "", "SYNC")
                        .threads(4)
                        .perSecond(0)
                        .p50(0)
                        .errors(2000)
                        .made(),
                SampleRun.of("modes", "", "BATCH")
                        .threads(4)
                        .limit(Double.POSITIVE_INFINITY)
                        .p50(0.00042)
                        .made(),
                SampleRun.of("modes", "", "ADAPTIVE")
                        .threads(4)
                        .perSecond(5e8)
                        .duplicates(3)
                        .made(),
                SampleRun.of("a scenario of tomorrow", "", "QUANTUM").threads(8).made());
    }

    private static Measurements interrupted() {
        return with("SQLite 3.50.4", List.of(spanner().get(0)), true, List.of());
    }

    private static List<Figures> arrivals() {
        return List.of(
                SampleRun.of("open-loop", "", "ADAPTIVE")
                        .threads(8)
                        .perSecond(3999)
                        .arrivals(4000)
                        .p50(0.0004)
                        .made(),
                SampleRun.of("open-loop", "", "ATOMIC_LONG")
                        .threads(8)
                        .perSecond(4000)
                        .arrivals(4000)
                        .p50(0.0002)
                        .made());
    }

    /** More than a page can hold. */
    private static List<Figures> many() {
        List<Figures> runs = new ArrayList<>();
        for (int threads = 1; threads <= 120; threads++) {
            for (String mode : OF_AUTO_INCREMENT.keySet()) {
                runs.add(SampleRun.of("modes", "", mode)
                        .threads(threads)
                        .perSecond(100.0 * threads * mode.length())
                        .made());
            }
        }
        return runs;
    }

    private static List<String[]> csv(String source) {
        String name = "/dev/seriatim/bench/run/published/" + source + "-article.csv";
        try (InputStream resource = Objects.requireNonNull(Samples.class.getResourceAsStream(name), name)) {
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .skip(1)
                    .map(line -> line.split(",", -1))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
