// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.DoubleSummaryStatistics;
import java.util.List;

/** A logarithmic axis, which maps numbers to positions; its end may be at a smaller position than its start. Immutable. */
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
        DoubleSummaryStatistics shown = shown(numbers);
        List<Double> ticks = new LogScale(shown.getMin() / 10, shown.getMax() * 10, from, to).ticks(STEPS.get(0), 1);
        double low = ticks.get(0);
        for (double tick : ticks) {
            low = tick <= shown.getMin() ? tick : low;
            if (tick >= shown.getMax()) {
                return low < tick ? new LogScale(low, tick, from, to) : new LogScale(low / 2, tick * 2, from, to);
            }
        }
        throw new IllegalStateException("no tick above " + shown.getMax());
    }

    /** Returns an axis from the smallest to the largest number, with some margin. */
    static LogScale along(Collection<Double> numbers, double from, double to) {
        DoubleSummaryStatistics shown = shown(numbers);
        double ratio = shown.getMax() / shown.getMin();
        double room = ratio > 1 ? Math.pow(ratio, 0.04) : 2;
        return new LogScale(shown.getMin() / room, shown.getMax() * room, from, to);
    }

    private static DoubleSummaryStatistics shown(Collection<Double> numbers) {
        return numbers.stream()
                .filter(LogScale::shows)
                .mapToDouble(number -> number)
                .summaryStatistics();
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
                // Not Math.pow, with which 5 × 1e-3 is about 0.0050000001.
                double tick = Double.parseDouble(step + "e" + power);
                if (tick >= low * 0.9999 && tick <= high * 1.0001) {
                    ticks.add(tick);
                }
            }
        }
        return ticks;
    }
}
