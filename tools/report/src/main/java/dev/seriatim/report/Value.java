// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.report;

import dev.seriatim.cli.terminal.OneLine;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Formats values for readers, by their type. Thread-safe. */
public final class Value {

    static final String NONE = "-";

    private static final List<String> THOUSANDS = List.of("", "k", "M", "G", "T");
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "d MMMM yyyy, HH:mm 'UTC'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private Value() {}

    public static String text(@Nullable Object value) {
        return text(value, Table.THREE_DIGITS);
    }

    /** Returns one line of text, with this number of decimals if the value has any. */
    static String text(@Nullable Object value, int decimals) {
        if (value == null || (value instanceof Double number && !Double.isFinite(number))) {
            return NONE;
        }
        if (value instanceof Double number) {
            return decimals == Table.THREE_DIGITS ? threeDigits(number) : grouped(number, decimals);
        }
        if (value instanceof Number count) {
            return String.format(Locale.ROOT, "%,d", count.longValue());
        }
        if (value instanceof Duration time) {
            return time(time);
        }
        if (value instanceof Instant time) {
            return TIME.format(time);
        }
        return value instanceof Collection<?> several
                ? several.stream().map(Value::text).collect(Collectors.joining(", "))
                : OneLine.of(value.toString());
    }

    /** Returns a duration in whole seconds, such as {@code 10 min 3 s}. */
    public static String time(Duration duration) {
        long seconds = (duration.toMillis() + 500) / 1000;
        long hours = seconds / 3600;
        long minutes = seconds / 60 % 60;
        String rest = seconds % 60 + " s";
        return hours > 0 ? hours + " h " + minutes + " min" : minutes > 0 ? minutes + " min " + rest : rest;
    }

    /** Returns milliseconds with their unit, or seconds or nanoseconds if those are easier to read. */
    public static String millis(double millis) {
        if (millis > 0 && millis < 0.001) {
            return threeDigits(millis * 1e6) + " ns";
        }
        return millis >= 10_000 ? threeDigits(millis / 1000) + " s" : threeDigits(millis) + " ms";
    }

    /** Returns a count with its noun, such as {@code 1 gap} or {@code 2 gaps}. */
    public static String counted(long count, String one) {
        return counted(count, one, one + "s");
    }

    /** Returns a count with its noun, such as {@code 1 process} or {@code 2 processes}. */
    public static String counted(long count, String one, String several) {
        return String.format(Locale.ROOT, "%,d ", count) + (count == 1 ? one : several);
    }

    /** Returns text such as 1,640 and 78.1. */
    public static String threeDigits(double number) {
        if (!Double.isFinite(number)) {
            return NONE;
        }
        BigDecimal rounded = BigDecimal.valueOf(number).round(new MathContext(3));
        return Math.abs(number) >= 1000
                ? grouped(rounded.doubleValue(), 0)
                : rounded.stripTrailingZeros().toPlainString();
    }

    /** Returns three significant digits with k, M, G or T for thousands, such as 0.062 or 1.64k; an en dash if not finite. */
    static String brief(double number) {
        if (!Double.isFinite(number)) {
            return "–";
        }
        BigDecimal rounded = BigDecimal.valueOf(number).round(new MathContext(3));
        int thousands = 0;
        while (rounded.abs().compareTo(BigDecimal.valueOf(1000)) >= 0 && thousands < THOUSANDS.size() - 1) {
            rounded = rounded.movePointLeft(3);
            thousands++;
        }
        return rounded.stripTrailingZeros().toPlainString() + THOUSANDS.get(thousands);
    }

    /** Returns a number with commas between thousands. */
    public static String grouped(double number, int decimals) {
        return String.format(Locale.ROOT, "%,." + decimals + "f", number);
    }

    /** Returns the decimals with which the largest of a column's numbers has about four digits. */
    static int decimals(List<Object> column) {
        double largest = column.stream()
                .mapToDouble(value -> value instanceof Double number && Double.isFinite(number) ? Math.abs(number) : 0)
                .max()
                .orElse(0);
        if (largest >= 10_000 || largest == 0) {
            return 0;
        }
        int before = (int) Math.floor(Math.log10(largest)) + 1;
        return Math.min(6, Math.max(1, 4 - before));
    }
}
