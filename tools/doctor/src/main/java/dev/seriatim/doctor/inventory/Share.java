// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;

/** The share of a range that is used, exactly: at least 0 of at least 1 value. */
public record Share(BigInteger used, BigInteger total) {

    static final Share ALL = new Share(BigInteger.ONE, BigInteger.ONE);

    private static final BigInteger MOST_PERCENT = BigInteger.valueOf(80);
    private static final BigInteger PERCENT = BigInteger.valueOf(100);
    private static final BigDecimal TINY = new BigDecimal("0.01");
    private static final MathContext TWO_DIGITS = new MathContext(2, RoundingMode.DOWN);

    /** Returns the share of the values from {@code first} to {@code last}, in either direction, that lie before {@code next}. */
    public static Share before(BigInteger next, BigInteger first, BigInteger last) {
        BigInteger total = last.subtract(first).abs().add(BigInteger.ONE);
        BigInteger direction = BigInteger.valueOf(last.compareTo(first) >= 0 ? 1 : -1);
        BigInteger used = next.subtract(first).multiply(direction);
        return new Share(used.max(BigInteger.ZERO).min(total), total);
    }

    /** Returns whether the share is worth a warning. */
    public boolean isMost() {
        return used.multiply(PERCENT).compareTo(total.multiply(MOST_PERCENT)) >= 0;
    }

    /** Returns the percentage as a number with two significant digits, rounded down, so that only all of it is 100. */
    public BigDecimal percent() {
        return new BigDecimal(used.multiply(PERCENT))
                .divide(new BigDecimal(total), TWO_DIGITS)
                .stripTrailingZeros();
    }

    /** Returns the percentage, such as {@code 83 %}, or {@code < 0.01 %}. */
    @Override
    public String toString() {
        BigDecimal percent = percent();
        boolean tiny = percent.signum() > 0 && percent.compareTo(TINY) < 0;
        return (tiny ? "< " + TINY : percent.toPlainString()) + " %";
    }
}
