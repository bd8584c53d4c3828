// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.conservation;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Rounds of one mode over one kind of ground, one seed after another. System properties say how many:
 *
 * <ul>
 *   <li>{@code seriatim.conservation.seconds}: all modes and grounds together, 60 unless set;
 *   <li>{@code seriatim.conservation.rounds}: so many of each mode on each ground instead, however long it takes;
 *   <li>{@code seriatim.conservation.mode}: this mode alone;
 *   <li>{@code seriatim.conservation.seed}: beginning with this seed; this one round alone, unless rounds are given;
 *   <li>{@code seriatim.conservation.repeat}: each round so often, since its threads are real.
 * </ul>
 */
public final class Rounds {

    private static final int MOST_FAULTS = 3;
    private static final double SECONDS = Double.parseDouble(System.getProperty("seriatim.conservation.seconds", "60"));
    private static final @Nullable Long SEED = Long.getLong("seriatim.conservation.seed");
    private static final @Nullable Integer ROUNDS = SEED != null
            ? Integer.getInteger("seriatim.conservation.rounds", 1)
            : Integer.getInteger("seriatim.conservation.rounds");
    private static final int REPEAT = Integer.getInteger("seriatim.conservation.repeat", 1);
    private static final String MODE = System.getProperty("seriatim.conservation.mode", "");

    private Rounds() {}

    /** Makes the place of one round. */
    @FunctionalInterface
    public interface Grounds {
        /** A new one, or one that the rounds before have left clean. */
        Ground<?> fresh(Chance chance) throws Exception;
    }

    /** Whether this mode is played at all. */
    public static boolean plays(Mode mode) {
        return MODE.isEmpty() || MODE.equals(mode.name());
    }

    /**
     * Plays, and returns what went wrong, each with its seed and the command that plays it again.
     *
     * @param place the ground, in words
     * @param share the part of the seconds that is for this mode on this ground
     * @param command what runs this test alone
     */
    public static List<String> faults(Mode mode, String place, double share, String command, Grounds grounds)
            throws Exception {
        long began = System.nanoTime();
        long first = SEED == null ? began & 0xFFFF_FFFFFL : SEED;
        long nanos = (long) (SECONDS * share * TimeUnit.SECONDS.toNanos(1));
        List<String> faults = new ArrayList<>();
        int rounds = 0;
        int red = 0;
        while (faults.size() < MOST_FAULTS
                && (ROUNDS == null ? rounds == 0 || System.nanoTime() - began < nanos : rounds < ROUNDS)) {
            long seed = first + rounds++;
            String fault = "";
            for (int time = 0; time < REPEAT; time++) {
                Chance chance = new Chance(seed);
                String found = mode.fault(grounds.fresh(chance), chance);
                red += found.isEmpty() ? 0 : 1;
                fault = found.isEmpty() ? fault : found;
            }
            if (!fault.isEmpty()) {
                faults.add(
                        "%s on %s, seed %d: %s%nto play it again: %s -Dseriatim.conservation.mode=%s -Dseriatim.conservation.seed=%d"
                                .formatted(mode, place, seed, fault, command, mode, seed));
            }
        }
        System.out.printf(
                "conservation: %s on %s, %d rounds in %.1f s, seeds %d … %d, red %d times%n",
                mode, place, rounds * REPEAT, (System.nanoTime() - began) / 1e9, first, first + rounds - 1, red);
        return faults;
    }
}
