// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Formats numbers in a table, with their significant digits. */
final class TableNumber {

    private static final String NOTHING = "-";
    private static final MathContext THREE_DIGITS = new MathContext(3);

    private TableNumber() {}

    /** Returns three significant digits below 1000, whole numbers above, and at most five decimals. */
    static String of(@Nullable Double number) {
        if (number == null || !Double.isFinite(number)) {
            return NOTHING;
        }
        if (Math.abs(number) >= 999.5) {
            return String.format(Locale.ROOT, "%,.0f", number);
        }
        BigDecimal rounded = BigDecimal.valueOf(number).round(THREE_DIGITS);
        // The decimal of 10.0 is significant, too.
        int digits = number == 0 ? 0 : Math.max(0, 3 - (rounded.precision() - rounded.scale()));
        return rounded.setScale(Math.min(digits, 5), RoundingMode.HALF_UP).toPlainString();
    }

    /** Returns two decimals. */
    static String ratio(@Nullable Double ratio) {
        return ratio == null || !Double.isFinite(ratio) ? NOTHING : String.format(Locale.ROOT, "%,.2f", ratio);
    }
}
