// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.advise;

import static dev.seriatim.bench.advise.AdviseCommand.refuse;

import dev.seriatim.bench.simulation.Demand;
import dev.seriatim.bench.simulation.SimulationPlan;
import dev.seriatim.bench.simulation.StoreTimes;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.cli.draw.ModeNames;
import dev.seriatim.cli.terminal.Closest;
import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.store.StoreUrl;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The keys and values of {@code --simulate}. Exceptions name the key. Immutable. */
final class SimulationKeys {

    private static final List<String> KNOWN =
            List.of("regions", "rtt", "threads", "work", "row", "batch", "mark", "duration");

    private static final long MOST_CALLERS = 2_000_000;
    private static final Duration WORK_OF_THREADS = Duration.ofMillis(10);
    private static final Duration LONGEST = Duration.ofHours(1);
    private static final Duration LONGEST_DURATION = Duration.ofDays(30);

    private final Map<String, String> given;

    private SimulationKeys(Map<String, String> given) {
        this.given = given;
    }

    /** Parses keys and values; refuses text of another form, and an unknown or repeated key. */
    static SimulationKeys parse(String text) {
        Map<String, String> given = new HashMap<>();
        for (String part : text.split(",", -1)) {
            String[] pair = part.strip().split("=", 2);
            refuse(
                    pair.length < 2 || pair[1].isBlank(),
                    "--simulate takes settings such as regions=3,rtt=80ms, not " + OneLine.quoted(part));
            if (!KNOWN.contains(pair[0])) {
                String meant = Closest.to(pair[0], KNOWN)
                        .map(word -> ", did you mean '" + word + "'?")
                        .orElse("");
                throw new IllegalArgumentException("--simulate: its keys, beside --instances, are "
                        + String.join(", ", KNOWN) + ", not " + OneLine.quoted(pair[0]) + meant);
            }
            refuse(given.put(pair[0], pair[1]) != null, pair[0] + "= is given twice; leave one out");
        }
        return new SimulationKeys(given);
    }

    /** Returns whether a number of threads is given, which replaces the rate. */
    boolean hasThreads() {
        return given.containsKey("threads");
    }

    /** Returns the plan to simulate, with the advised blocks if none are given. */
    SimulationPlan plan(
            DrawMode mode,
            int instances,
            double perSecond,
            Duration latency,
            Duration read,
            SimulationPlan.@Nullable Blocks advised,
            long seed) {
        SimulationPlan.Fleet fleet = fleet(instances);
        Demand demand = hasThreads() ? threads(fleet) : new Demand.Rate(perSecond);
        StoreTimes store = new StoreTimes(seconds(latency), seconds(row(latency)), seconds(read));
        Duration usual = SimulationPlan.usualDuration(mode, fleet, demand, store);
        Duration counted = time("duration", usual, LONGEST_DURATION);
        return new SimulationPlan(mode, blocks(mode, advised), fleet, demand, store, work(), counted, seed);
    }

    private Duration row(Duration latency) {
        Duration row = time("row", latency, LONGEST);
        refuse(
                row.isZero() || row.compareTo(latency) > 0,
                "row= is the part of --latency for which a reservation keeps the row from others; make it longer than 0"
                        + " and at most that");
        return row;
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    private SimulationPlan.Fleet fleet(int instances) {
        int regions = (int) number("regions", 1, 1000);
        Duration roundTrip = roundTrip();
        refuse(
                regions > instances,
                "regions=" + regions + " is more than --instances " + instances
                        + "; use more instances or fewer regions");
        refuse(
                regions == 1 && !roundTrip.isZero(),
                "rtt= is the time between regions; add regions=, such as regions=3");
        refuse(regions > 1 && !given.containsKey("rtt"), "regions= needs the time between them, such as rtt=80ms");
        return new SimulationPlan.Fleet(instances, regions, roundTrip);
    }

    /** Returns the time between two regions; zero if there is one. */
    Duration roundTrip() {
        return time("rtt", Duration.ZERO, LONGEST);
    }

    private Demand threads(SimulationPlan.Fleet fleet) {
        long threads = number("threads", 1, 10_000);
        long all = threads * fleet.instances();
        refuse(all > MOST_CALLERS, "threads= × --instances must be at most " + MOST_CALLERS + ", not " + all);
        return new Demand.Threads((int) threads);
    }

    private Duration work() {
        refuse(
                given.containsKey("work") && !hasThreads(),
                "work= is how long a thread works between draws; add threads=, such as threads=50");
        return time("work", hasThreads() ? WORK_OF_THREADS : Duration.ZERO, LONGEST);
    }

    private SimulationPlan.Blocks blocks(DrawMode mode, SimulationPlan.@Nullable Blocks advised) {
        appliesTo("batch", mode, DrawMode::hasBatchSize);
        appliesTo("mark", mode, DrawMode::hasLowWaterMark);
        long size = number("batch", advised == null ? 200 : advised.size(), 1_000_000_000);
        long mark = number("mark", Math.min(size, advised == null ? 50 : advised.lowWaterMark()), 1_000_000_000);
        refuse(
                mark > size,
                "mark=" + mark + " is more than batch=" + size + "; the mark must be at most the block size");
        return new SimulationPlan.Blocks(size, mark);
    }

    private void appliesTo(String key, DrawMode mode, Predicate<DrawMode> modes) {
        refuse(
                given.containsKey(key) && !modes.test(mode),
                key + "= applies to --mode " + ModeNames.or(modes) + ", not to " + mode + "; leave it out");
    }

    private long number(String key, long otherwise, long most) {
        String text = given.get(key);
        if (text == null) {
            return otherwise;
        }
        long number = text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
        refuse(
                number < 1 || number > most,
                key + "= takes a whole number from 1 to " + most + ", such as " + key + "=10, not "
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
                .orElseThrow(() -> new IllegalArgumentException(key + "= takes a duration of up to " + longest.toHours()
                        + "h, such as " + key + "=80ms, not " + OneLine.quoted(text)));
    }
}
