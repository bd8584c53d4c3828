// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.StoreDriver;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What CONFIRMED costs where several processes draw: medians, in rounds that alternate with those that it is compared with. */
@Timeout(600)
@Tag("long")
class ConfirmedSharingTest {

    private static final int ROUNDS = 7;
    private static final int MILLIS = 1500;
    private static final int THREADS = 4;

    private static final class Processes implements AutoCloseable {
        private final List<Process> processes = new ArrayList<>();
        private final List<BufferedReader> answers = new ArrayList<>();

        Processes(String url, int count) throws IOException {
            for (int i = 0; i < count; i++) {
                Process process = new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-XX:+UseSerialGC",
                                "-Xmx128m",
                                "-cp",
                                System.getProperty("java.class.path"),
                                RateProgram.class.getName(),
                                url,
                                "s")
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
                processes.add(process);
                answers.add(process.inputReader(StandardCharsets.UTF_8));
            }
        }

        /** Gives each process an order, and returns their numbers of draws. */
        long[] draw(String... orders) throws IOException {
            for (int i = 0; i < orders.length; i++) {
                processes
                        .get(i)
                        .outputWriter(StandardCharsets.UTF_8)
                        .append(orders[i] + "\n")
                        .flush();
            }
            long[] draws = new long[orders.length];
            for (int i = 0; i < orders.length; i++) {
                draws[i] = Long.parseLong(answers.get(i).readLine());
            }
            return draws;
        }

        @Override
        public void close() {
            for (Process process : processes) {
                process.destroyForcibly();
                process.onExit().join();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void processes_that_all_draw_get_as_much_as_from_combined(Engine engine) throws Exception {
        for (int count : new int[] {2, 4}) {
            try (Processes processes = processes(engine, count)) {
                double[] combined = new double[ROUNDS];
                double[] confirmed = new double[ROUNDS];
                processes.draw(all(count, "COMBINED"));
                processes.draw(all(count, "CONFIRMED"));
                for (int i = 0; i < ROUNDS; i++) {
                    combined[i] = perSecond(processes.draw(all(count, "COMBINED")));
                    confirmed[i] = perSecond(processes.draw(all(count, "CONFIRMED")));
                }
                double ratio =
                        report(engine + ", " + count + " processes that all draw", "COMBINED", combined, confirmed);
                assertThat(ratio).isGreaterThan(0.9);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void one_that_draws_once_a_second_costs_the_other_little(Engine engine) throws Exception {
        try (Processes processes = processes(engine, 2)) {
            String hot = order("CONFIRMED", THREADS, 0);
            double[] alone = new double[ROUNDS];
            double[] beside = new double[ROUNDS];
            processes.draw(hot, order("CONFIRMED", 1, 1000));
            for (int i = 0; i < ROUNDS; i++) {
                alone[i] = perSecond(processes.draw(hot));
                beside[i] = perSecond(new long[] {processes.draw(hot, order("CONFIRMED", 1, 1000))[0]});
            }
            double ratio = report(engine + ", beside one that draws once a second", "alone", alone, beside);
            assertThat(ratio).isGreaterThan(0.8);
        }
    }

    private static Processes processes(Engine engine, int count) throws IOException {
        Scale.assumeSoak("ratios need a quiet machine");
        engine.assume();
        String url = engine.freshDatabase().url();
        try (JdbcStore store = (JdbcStore) StoreDriver.open(url)) {
            store.install();
            store.create(SequenceDefinition.of("s"));
        }
        return new Processes(url, count);
    }

    private static String[] all(int count, String mode) {
        String[] orders = new String[count];
        Arrays.fill(orders, order(mode, THREADS, 0));
        return orders;
    }

    private static String order(String mode, int threads, int pauseMillis) {
        return mode + " " + threads + " " + MILLIS + " " + pauseMillis;
    }

    private static double perSecond(long[] draws) {
        return Arrays.stream(draws).sum() * 1000.0 / MILLIS;
    }

    private static double report(String what, String base, double[] before, double[] confirmed) {
        double[] ratios = new double[ROUNDS];
        Arrays.setAll(ratios, i -> confirmed[i] / before[i]);
        double ratio = median(ratios);
        System.out.printf(
                Locale.ROOT,
                "%s: CONFIRMED %,.0f values/s, %s %,.0f, ratio %.2f%n",
                what,
                median(confirmed),
                base,
                median(before),
                ratio);
        return ratio;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
