// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.conservation;

import static dev.seriatim.conservation.TestProperties.Property.CONSERVATION_MODE;
import static dev.seriatim.conservation.TestProperties.Property.CONSERVATION_REPEAT;
import static dev.seriatim.conservation.TestProperties.Property.CONSERVATION_ROUNDS;
import static dev.seriatim.conservation.TestProperties.Property.CONSERVATION_SECONDS;
import static dev.seriatim.conservation.TestProperties.Property.CONSERVATION_SEED;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Rounds of one mode over one kind of ground, seed by seed, with several at a time because rounds mostly wait.
 * {@link TestProperties} configure them:
 *
 * <ul>
 *   <li>{@code seriatim.conservation.seconds}: total time of all modes and grounds, by default 60;
 *   <li>{@code seriatim.conservation.rounds}: number of rounds of each mode on each ground instead, however long they
 *       take;
 *   <li>{@code seriatim.conservation.mode}: only these modes;
 *   <li>{@code seriatim.conservation.seed}: the first seed, or the only one unless a number of rounds is set;
 *   <li>{@code seriatim.conservation.repeat}: how often to play each round, because its threads are real.
 * </ul>
 */
public final class ConservationRounds {

    /** Number of rounds played at a time. */
    public static final int LANES = 2;

    private static final int MOST_FAULTS = 3;

    /** Creates the ground of a round. */
    @FunctionalInterface
    public interface Grounds {
        /** Returns a new ground, or one that earlier rounds in this lane have left clean. */
        Ground<?> fresh(int lane, RandomChoices chance) throws Exception;
    }

    private record Red(long seed, String fault) {}

    private final ConservationMode mode;
    private final Grounds grounds;
    private final long began = System.nanoTime();
    private final long first;
    private final long nanos;
    private final int limit;
    private final int repeat;
    private final AtomicInteger rounds = new AtomicInteger();
    private final AtomicInteger red = new AtomicInteger();
    private final Queue<Red> faults = new ConcurrentLinkedQueue<>();

    private ConservationRounds(ConservationMode mode, double share, Grounds grounds) {
        this.mode = mode;
        this.grounds = grounds;
        TestProperties asked = TestProperties.ofThisJvm();
        boolean counted = asked.has(CONSERVATION_ROUNDS) || asked.has(CONSERVATION_SEED);
        first = asked.number(CONSERVATION_SEED, began & 0xFF_FFFF_FFFFL);
        limit = counted ? asked.count(CONSERVATION_ROUNDS, 1) : Integer.MAX_VALUE;
        nanos = counted
                ? Long.MAX_VALUE
                : (long) (asked.seconds(CONSERVATION_SECONDS, 60) * share * TimeUnit.SECONDS.toNanos(1));
        repeat = asked.count(CONSERVATION_REPEAT, 1);
    }

    /** Returns the modes to play. */
    public static Stream<ConservationMode> modes() {
        return TestProperties.ofThisJvm().named(CONSERVATION_MODE, ConservationMode.class).stream();
    }

    /**
     * Plays rounds and returns their faults, each with its seed and the command that plays it again.
     *
     * @param place the ground, for messages
     * @param share the fraction of the time for this mode on this ground
     * @param command the command that runs only this test
     */
    public static List<String> faults(
            ConservationMode mode, String place, double share, String command, Grounds grounds)
            throws InterruptedException {
        ConservationRounds all = new ConservationRounds(mode, share, grounds);
        List<Thread> lanes = new ArrayList<>();
        for (int i = 0; i < LANES; i++) {
            int lane = i;
            Thread thread = new Thread(() -> all.play(lane), "lane-" + lane);
            thread.setDaemon(true);
            thread.start();
            lanes.add(thread);
        }
        for (Thread lane : lanes) {
            lane.join();
        }
        System.out.printf(
                "conservation: %s on %s, %d rounds in %.1f s, seeds %d … %d, red %d times%n",
                mode,
                place,
                (long) all.rounds.get() * all.repeat,
                (System.nanoTime() - all.began) / 1e9,
                all.first,
                all.first + all.rounds.get() - 1,
                all.red.get());
        return all.faults.stream()
                .map(fault ->
                        "%s on %s, seed %d: %s%nto play it again:  %s -Dseriatim.conservation.mode=%s -Dseriatim.conservation.seed=%d"
                                .formatted(mode, place, fault.seed(), fault.fault(), command, mode, fault.seed()))
                .toList();
    }

    private void play(int lane) {
        int round = next();
        while (round >= 0) {
            long seed = first + round;
            String fault = "";
            for (int time = 0; time < repeat; time++) {
                String found = fault(lane, seed);
                red.addAndGet(found.isEmpty() ? 0 : 1);
                fault = found.isEmpty() ? fault : found;
            }
            if (!fault.isEmpty()) {
                faults.add(new Red(seed, fault));
            }
            round = next();
        }
    }

    /** Returns the number of the next round; negative if there is none. */
    private int next() {
        boolean inTime = rounds.get() == 0 || System.nanoTime() - began < nanos;
        int round = inTime && faults.size() < MOST_FAULTS
                ? rounds.getAndUpdate(played -> Math.min(played + 1, limit))
                : limit;
        return round < limit ? round : -1;
    }

    private String fault(int lane, long seed) {
        try {
            RandomChoices chance = new RandomChoices(seed);
            return mode.fault(grounds.fresh(lane, chance), chance);
        } catch (Throwable e) {
            return e + " at " + Arrays.toString(e.getStackTrace());
        }
    }
}
