// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;

/** Formats numbers for plots: three significant digits, with k, M and G for thousands. Thread-safe. */
public final class Figure {

    private static final MathContext THREE_DIGITS = new MathContext(3);
    private static final List<String> THOUSANDS = List.of("", "k", "M", "G", "T");

    private Figure() {}

    /** Returns text such as 0.062, 64 or 1.64k; an en dash if the number is not finite. */
    public static String of(double number) {
        if (!Double.isFinite(number)) {
            return "–";
        }
        BigDecimal rounded = BigDecimal.valueOf(number).round(THREE_DIGITS);
        int thousands = 0;
        while (rounded.abs().compareTo(BigDecimal.valueOf(1000)) >= 0 && thousands < THOUSANDS.size() - 1) {
            rounded = rounded.movePointLeft(3);
            thousands++;
        }
        return rounded.stripTrailingZeros().toPlainString() + THOUSANDS.get(thousands);
    }
}
