// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import java.math.BigInteger;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The types whose columns can have generated numbers. */
final class MySqlTypes {

    private static final Map<String, Integer> BITS =
            Map.of("tinyint", 8, "smallint", 16, "mediumint", 24, "int", 32, "integer", 32, "bigint", 64);

    /** The power of two up to which each whole number has a floating-point number of its own. */
    private static final Map<String, Integer> EXACT = Map.of("float", 24, "double", 53);

    private MySqlTypes() {}

    /**
     * Returns what a type holds; empty if it does not hold whole numbers.
     *
     * @param name such as {@code int}
     * @param full such as {@code int(10) unsigned}
     */
    static Optional<ValueRange> range(String name, String full, int precision, int scale) {
        String type = name.toLowerCase(Locale.ROOT);
        boolean unsigned = full.toLowerCase(Locale.ROOT).contains("unsigned");
        Integer bits = BITS.get(type);
        if (bits != null) {
            BigInteger beyond = BigInteger.ONE.shiftLeft(unsigned ? bits : bits - 1);
            return Optional.of(
                    new ValueRange(unsigned ? BigInteger.ZERO : beyond.negate(), beyond.subtract(BigInteger.ONE)));
        }
        Integer exact = EXACT.get(type);
        if (exact == null && !type.equals("decimal")) {
            return Optional.empty();
        }
        BigInteger most = exact == null
                ? BigInteger.TEN.pow(Math.max(0, precision - scale)).subtract(BigInteger.ONE)
                : BigInteger.ONE.shiftLeft(exact);
        return Optional.of(new ValueRange(unsigned ? BigInteger.ZERO : most.negate(), most));
    }

    /** Returns the type without the width of its display, which means nothing. */
    static String shown(String full) {
        return full.startsWith("decimal") ? full : full.replaceFirst("\\(\\d+\\)", "");
    }

    /** Returns the widest type that holds a column's numbers; empty if it has that type. */
    static Optional<String> widest(String type, boolean negative) {
        boolean unsigned = type.contains("unsigned");
        boolean widest = type.startsWith("bigint");
        if (type.startsWith("decimal") || (widest && (unsigned || negative))) {
            return Optional.empty();
        }
        return Optional.of(unsigned || widest ? "BIGINT UNSIGNED" : "BIGINT");
    }
}
