// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs every benchmark once per round, and prints medians over the rounds, so that disturbances on the machine affect
 * all of them equally and ratios are meaningful. With arguments, it is JMH's own command line.
 *
 * <p>{@code -Drounds=5 -Dthreads=1,2,16 -Dinclude=regex -Dmillis=0,10 -Dseconds=1} change what is run.
 */
public final class Rounds {

    private static final String ALLOCATED = "gc.alloc.rate.norm";

    private Rounds() {}

    private record Key(int threads, String millis, String benchmark) {}

    private static final Comparator<Key> ORDER =
            Comparator.comparing(Key::millis).thenComparing(Key::threads).thenComparing(Key::benchmark);

    private record Score(double millionsPerSecond, double bytes) {}

    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0) {
            org.openjdk.jmh.Main.main(arguments);
            return;
        }
        int rounds = Integer.parseInt(System.getProperty("rounds", "5"));
        if (rounds < 1) {
            throw new IllegalArgumentException("rounds must be an integer above 0, not " + rounds);
        }
        int[] threads = Arrays.stream(System.getProperty("threads", "1,2,16").split(",", -1))
                .mapToInt(Integer::parseInt)
                .toArray();
        Map<Key, List<Score>> scores = new TreeMap<>(ORDER);
        for (int round = 1; round <= rounds; round++) {
            for (int count : threads) {
                System.err.printf("round %d of %d, %d threads%n", round, rounds, count);
                run(count).forEach(result -> add(scores, count, result));
            }
        }
        print(scores);
    }

    private static Collection<RunResult> run(int threads) throws RunnerException, CommandLineOptionException {
        TimeValue time = TimeValue.milliseconds((long) (1000 * Double.parseDouble(System.getProperty("seconds", "1"))));
        return new Runner(new OptionsBuilder()
                        .parent(new CommandLineOptions())
                        .include(System.getProperty("include", ".*"))
                        .param(
                                "reservationMillis",
                                System.getProperty("millis", "0,10").split(",", -1))
                        .threads(threads)
                        .forks(1)
                        .warmupTime(time)
                        .measurementTime(time)
                        .measurementIterations(2)
                        .addProfiler(GCProfiler.class)
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .run();
    }

    @SuppressWarnings("rawtypes") // JMH's own map uses raw types
    private static void add(Map<Key, List<Score>> scores, int threads, RunResult result) {
        String name = result.getPrimaryResult().getLabel();
        String millis = result.getParams().getParam("reservationMillis");
        double bytes = result.getSecondaryResults().entrySet().stream()
                .filter(entry -> entry.getKey().endsWith(ALLOCATED))
                .mapToDouble(entry -> entry.getValue().getScore())
                .findFirst()
                .orElse(Double.NaN);
        scores.computeIfAbsent(new Key(threads, millis == null ? "-" : millis, name), key -> new ArrayList<>())
                .add(new Score(result.getPrimaryResult().getScore(), bytes));
    }

    private static void print(Map<Key, List<Score>> scores) {
        System.out.printf(
                "%-20s %12s %8s %10s %10s %10s %10s %10s%n",
                "benchmark", "reservation", "threads", "M/s", "min", "max", "x atomic", "B/op");
        scores.forEach((key, list) -> {
            double[] speeds =
                    list.stream().mapToDouble(Score::millionsPerSecond).sorted().toArray();
            double[] bytes = list.stream().mapToDouble(Score::bytes).sorted().toArray();
            double[] ratios = ratios(list, scores.getOrDefault(new Key(key.threads(), "-", "atomicLong"), List.of()));
            System.out.printf(
                    "%-20s %12s %8d %10.3f %10.3f %10.3f %10.2f %10.2f%n",
                    key.benchmark(),
                    key.millis().equals("-") ? "-" : key.millis() + " ms",
                    key.threads(),
                    median(speeds),
                    speeds[0],
                    speeds[speeds.length - 1],
                    median(ratios),
                    median(bytes));
        });
    }

    /** The ratio to the atomic increment, round by round. */
    private static double[] ratios(List<Score> list, List<Score> atomic) {
        return IntStream.range(0, atomic.size())
                .mapToDouble(
                        i -> list.get(i).millionsPerSecond() / atomic.get(i).millionsPerSecond())
                .sorted()
                .toArray();
    }

    private static double median(double[] sorted) {
        return sorted.length == 0 ? Double.NaN : sorted[sorted.length / 2];
    }
}
