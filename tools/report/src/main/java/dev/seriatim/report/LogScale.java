// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * A logarithmic axis, which maps numbers to positions. Immutable.
 *
 * @param low the number at its start
 * @param high the number at its end
 * @param from the position of its start
 * @param to the position of its end, which may be smaller
 */
record LogScale(double low, double high, double from, double to) {

    /** The ticks within a decade, from many to few. */
    private static final List<List<Integer>> STEPS = List.of(List.of(1, 2, 5), List.of(1, 3), List.of(1));

    LogScale {
        if (!(low > 0) || !(high > low) || Double.isInfinite(high)) {
            throw new IllegalArgumentException(
                    "a logarithmic axis cannot go from " + low + " to " + high + "; both must be above 0, and differ");
        }
    }

    /** Returns whether a logarithmic axis can show a number. */
    static boolean shows(double number) {
        return Double.isFinite(number) && number > 0;
    }

    /** Returns an axis from tick to tick that includes all numbers that can be shown, at least one. */
    static LogScale around(Collection<Double> numbers, double from, double to) {
        List<Double> shown = numbers.stream().filter(LogScale::shows).sorted().toList();
        double low = tickBelow(shown.get(0));
        double high = tickAbove(shown.get(shown.size() - 1));
        return low < high ? new LogScale(low, high, from, to) : new LogScale(low / 2, high * 2, from, to);
    }

    /** Returns an axis from the smallest to the largest number, with some margin. */
    static LogScale along(Collection<Double> numbers, double from, double to) {
        List<Double> shown = numbers.stream().filter(LogScale::shows).sorted().toList();
        double low = shown.get(0);
        double high = shown.get(shown.size() - 1);
        double room = low < high ? Math.pow(high / low, 0.04) : 2;
        return new LogScale(low / room, high * room, from, to);
    }

    double at(double number) {
        double share = Math.log(number / low) / Math.log(high / low);
        return from + share * (to - from);
    }

    /** Returns ticks at 1 2 5 10, 1 3 10, or 1 10 100: as many as fit. */
    List<Double> ticks(int atMost) {
        for (List<Integer> steps : STEPS) {
            List<Double> ticks = ticks(steps, 1);
            if (ticks.size() <= atMost) {
                return ticks;
            }
        }
        int decades = 2;
        while (ticks(List.of(1), decades).size() > Math.max(2, atMost)) {
            decades++;
        }
        return ticks(List.of(1), decades);
    }

    private List<Double> ticks(List<Integer> steps, int decades) {
        List<Double> ticks = new ArrayList<>();
        int first = (int) Math.floor(Math.log10(low));
        for (int power = Math.floorDiv(first, decades) * decades; power <= Math.log10(high); power += decades) {
            for (int step : steps) {
                double tick = power(step, power);
                if (tick >= low * 0.9999 && tick <= high * 1.0001) {
                    ticks.add(tick);
                }
            }
        }
        return ticks;
    }

    private static double tickBelow(double number) {
        int power = (int) Math.floor(Math.log10(number)) - 1;
        double below = power(1, power);
        for (double tick : steps(power)) {
            below = tick <= number ? tick : below;
        }
        return below;
    }

    private static double tickAbove(double number) {
        int power = (int) Math.floor(Math.log10(number)) - 1;
        return steps(power).stream().filter(tick -> tick >= number).findFirst().orElse(number * 2);
    }

    private static List<Double> steps(int power) {
        List<Double> steps = new ArrayList<>();
        for (int each = power; each <= power + 3; each++) {
            for (int step : STEPS.get(0)) {
                steps.add(power(step, each));
            }
        }
        return steps;
    }

    /** Avoids Math.pow, with which 5 × 1e-3 is about 0.0050000001. */
    private static double power(int step, int power) {
        return Double.parseDouble(step + "e" + power);
    }
}
