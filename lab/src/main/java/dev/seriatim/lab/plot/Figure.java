// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.plot;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;

/** Numbers as they stand in a plot: three significant digits, with k, M and G for thousands. Thread-safe. */
public final class Figure {

    private static final MathContext THREE_DIGITS = new MathContext(3);
    private static final List<String> THOUSANDS = List.of("", "k", "M", "G", "T");

    private Figure() {}

    /** Such as 0.062, 64, 1.64k; an en dash for what is no finite number. */
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
