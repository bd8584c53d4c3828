// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.DoubleStream;

/** Formats numbers for sentences: three significant digits, with thousands separators. */
final class NumberFormats {

    private NumberFormats() {}

    /** Such as 1,640 and 78.1. */
    static String threeDigits(double number) {
        BigDecimal rounded = BigDecimal.valueOf(number).round(new MathContext(3));
        String plain = rounded.stripTrailingZeros().toPlainString();
        return Math.abs(number) >= 1000 ? grouped(rounded.doubleValue(), 0) : plain;
    }

    /** Such as 21, 4.2, 0.66 and 0.062. */
    static String ratio(double ratio) {
        if (ratio >= 10) {
            return grouped(ratio, 0);
        }
        if (ratio >= 0.095) {
            return String.format(Locale.ROOT, ratio >= 2 ? "%.1f" : "%.2f", ratio);
        }
        return BigDecimal.valueOf(ratio).round(new MathContext(2)).toPlainString();
    }

    /** Formats with thousands separators and a number of decimals. */
    static String grouped(double number, int digits) {
        return String.format(Locale.ROOT, "%,." + digits + "f", number);
    }

    /** Formats a count with its noun: 1 gap, 2 gaps. */
    static String counted(long count, String one) {
        return grouped((double) count, 0) + " " + (count == 1 ? one : one + "s");
    }

    /** Formats milliseconds, as seconds or nanoseconds if those are easier to read. */
    static String time(double millis) {
        if (millis > 0 && millis < 0.001) {
            return threeDigits(millis * 1e6) + " ns";
        }
        return millis >= 10_000 ? threeDigits(millis / 1000) + " s" : threeDigits(millis) + " ms";
    }

    /** Returns the median; of an even count, the mean of the middle two. */
    static double median(DoubleStream numbers) {
        double[] sorted = numbers.sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** Returns the geometric mean. */
    static double geometricMean(double... ratios) {
        return Math.exp(Arrays.stream(ratios).map(Math::log).average().orElse(0));
    }

    /** Returns the decimals for a column, so that its largest number has about four digits. */
    static int digits(DoubleStream column) {
        double largest = column.map(Math::abs).max().orElse(0);
        if (largest >= 10_000 || largest == 0) {
            return 0;
        }
        int before = (int) Math.floor(Math.log10(largest)) + 1;
        return Math.min(6, Math.max(1, 4 - before));
    }
}
