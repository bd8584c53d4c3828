// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.advise;

import dev.seriatim.bench.simulation.Demand;
import dev.seriatim.bench.simulation.SimulationPlan;
import dev.seriatim.bench.simulation.StoreTimes;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.cli.draw.ModeNames;
import dev.seriatim.cli.terminal.Closest;
import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.store.StoreUrl;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The keys and values of {@code --simulate}. Exceptions name the key. Immutable. */
final class SimulationKeys {

    private static final String INSTANCES = "instances";
    private static final String REGIONS = "regions";
    private static final String ROUND_TRIP = "rtt";
    private static final String THREADS = "threads";
    private static final String WORK = "work";
    private static final String BATCH = "batch";
    private static final String MARK = "mark";
    private static final String ROW = "row";
    private static final String DURATION = "duration";
    private static final List<String> KNOWN =
            List.of(INSTANCES, REGIONS, ROUND_TRIP, THREADS, WORK, ROW, BATCH, MARK, DURATION);

    private static final long MOST_CALLERS = 2_000_000;
    private static final Duration WORK_OF_THREADS = Duration.ofMillis(10);
    private static final Duration LONGEST = Duration.ofHours(1);
    private static final Duration LONGEST_DURATION = Duration.ofDays(30);

    private final Map<String, String> given;

    private SimulationKeys(Map<String, String> given) {
        this.given = given;
    }

    /**
     * Parses keys and values.
     *
     * @throws IllegalArgumentException if the text has another form, or a key is unknown or given twice
     */
    static SimulationKeys parse(String text) {
        Map<String, String> given = new LinkedHashMap<>();
        for (String part : text.split(",", -1)) {
            String[] pair = part.strip().split("=", 2);
            if (pair.length < 2 || pair[1].isBlank()) {
                throw wrong("takes settings such as instances=10000,regions=3,rtt=80ms, not " + OneLine.quoted(part));
            }
            if (!KNOWN.contains(pair[0])) {
                String meant = Closest.to(pair[0], KNOWN)
                        .map(word -> ", did you mean '" + word + "'?")
                        .orElse("");
                throw wrong("its keys are " + String.join(", ", KNOWN) + ", not " + OneLine.quoted(pair[0]) + meant);
            }
            if (given.putIfAbsent(pair[0], pair[1]) != null) {
                throw wrong(pair[0] + "= is given twice; leave one out");
            }
        }
        return new SimulationKeys(given);
    }

    /** Returns whether a number of threads is given, which replaces the rate. */
    boolean hasThreads() {
        return given.containsKey(THREADS);
    }

    /**
     * Returns the plan to simulate.
     *
     * @param advised the blocks to use if none are given
     * @throws IllegalArgumentException if a value is wrong, or contradicts another
     */
    SimulationPlan plan(
            DrawMode mode,
            double perSecond,
            Duration latency,
            Duration read,
            Advice.@Nullable Blocks advised,
            long seed) {
        SimulationPlan.Fleet fleet = fleet();
        Demand demand = demand(perSecond, fleet);
        StoreTimes store = new StoreTimes(seconds(latency), seconds(row(latency)), seconds(read));
        Duration usual = SimulationPlan.usualDuration(mode, fleet, demand, store);
        Duration counted = time(DURATION, usual, LONGEST_DURATION);
        try {
            return new SimulationPlan(mode, blocks(mode, advised), fleet, demand, store, work(mode), counted, seed);
        } catch (IllegalArgumentException e) {
            String message = String.valueOf(e.getMessage());
            throw message.startsWith("--simulate") ? e : wrong(message);
        }
    }

    private Duration row(Duration latency) {
        Duration row = time(ROW, latency, LONGEST);
        refuse(
                row.isZero() || row.compareTo(latency) > 0,
                "row= is the part of --latency for which a reservation keeps the row from others; make it longer than 0"
                        + " and at most that");
        return row;
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    private SimulationPlan.Fleet fleet() {
        int instances = (int) number(INSTANCES, 1, 1, 100_000);
        int regions = (int) number(REGIONS, 1, 1, 1000);
        Duration roundTrip = time(ROUND_TRIP, Duration.ZERO, LONGEST);
        refuse(
                regions > instances,
                "regions=" + regions + " is more than instances=" + instances
                        + "; use more instances or fewer regions");
        refuse(
                regions == 1 && !roundTrip.isZero(),
                "rtt= is the time between regions; add regions=, such as regions=3");
        refuse(regions > 1 && !given.containsKey(ROUND_TRIP), "regions= needs the time between them, such as rtt=80ms");
        return new SimulationPlan.Fleet(instances, regions, roundTrip);
    }

    private Demand demand(double perSecond, SimulationPlan.Fleet fleet) {
        if (!hasThreads()) {
            return new Demand.Rate(perSecond);
        }
        int threads = (int) number(THREADS, 1, 1, 10_000);
        refuse(
                (long) threads * fleet.instances() > MOST_CALLERS,
                "threads= × instances= must be at most " + MOST_CALLERS + ", not "
                        + (long) threads * fleet.instances());
        return new Demand.Threads(threads);
    }

    private Duration work(DrawMode mode) {
        refuse(
                given.containsKey(WORK) && !hasThreads() && !mode.drawsInTransaction(),
                "work= is how long a thread works between draws; add threads=, such as threads=50");
        return time(WORK, hasThreads() ? WORK_OF_THREADS : Duration.ZERO, LONGEST);
    }

    private SimulationPlan.Blocks blocks(DrawMode mode, Advice.@Nullable Blocks advised) {
        refuse(
                given.containsKey(BATCH) && !mode.hasBatchSize(),
                "batch= applies to --mode " + ModeNames.or(DrawMode::hasBatchSize) + ", not to " + mode
                        + "; leave it out");
        refuse(
                given.containsKey(MARK) && !mode.hasLowWaterMark(),
                "mark= applies to --mode " + ModeNames.or(DrawMode::hasLowWaterMark) + ", not to " + mode
                        + "; leave it out");
        long size = number(BATCH, advised == null ? 200 : advised.size(), 1, 1_000_000_000);
        long mark = number(MARK, Math.min(size, advised == null ? 50 : advised.lowWaterMark()), 1, 1_000_000_000);
        refuse(
                mark > size,
                "mark=" + mark + " is more than batch=" + size + "; the mark must be at most the block size");
        return new SimulationPlan.Blocks(size, mark);
    }

    private long number(String key, long otherwise, long least, long most) {
        String text = given.get(key);
        if (text == null) {
            return otherwise;
        }
        boolean whole = text.matches("\\d{1,18}");
        long number = whole ? Long.parseLong(text) : 0;
        refuse(
                !whole || number < least || number > most,
                key + "= takes a whole number from " + least + " to " + most + ", such as " + key + "=10, not "
                        + OneLine.quoted(text));
        return number;
    }

    private Duration time(String key, Duration otherwise, Duration longest) {
        String text = given.get(key);
        if (text == null) {
            return otherwise;
        }
        return StoreUrl.parseDuration(text)
                .filter(time -> time.compareTo(longest) <= 0)
                .orElseThrow(() -> wrong(key + "= takes a duration of up to " + longest.toHours() + "h, such as " + key
                        + "=80ms, not " + OneLine.quoted(text)));
    }

    private static void refuse(boolean refused, String what) {
        if (refused) {
            throw wrong(what);
        }
    }

    private static IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException("--simulate: " + what);
    }
}
