// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.mysql;

import dev.seriatim.jdbc.inspect.ValueRange;
import java.math.BigInteger;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The types whose columns can have generated numbers. */
final class IntegerTypes {

    private static final Map<String, Integer> BITS =
            Map.of("tinyint", 8, "smallint", 16, "mediumint", 24, "int", 32, "integer", 32, "bigint", 64);

    /** Up to which power of two floating-point numbers are whole ones, each a number of its own. */
    private static final Map<String, Integer> EXACT = Map.of("float", 24, "double", 53);

    /** What a column can be widened to. */
    enum Width {
        SIGNED("BIGINT"),
        UNSIGNED("BIGINT UNSIGNED"),
        NONE("");

        private final String sql;

        Width(String sql) {
            this.sql = sql;
        }

        String sql() {
            return sql;
        }
    }

    private IntegerTypes() {}

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
            return Optional.of(
                    unsigned
                            ? new ValueRange(BigInteger.ZERO, power(bits).subtract(BigInteger.ONE))
                            : new ValueRange(
                                    power(bits - 1).negate(), power(bits - 1).subtract(BigInteger.ONE)));
        }
        Integer exact = EXACT.get(type);
        if (exact != null) {
            return Optional.of(
                    new ValueRange(unsigned ? BigInteger.ZERO : power(exact).negate(), power(exact)));
        }
        if (type.equals("decimal")) {
            BigInteger most = BigInteger.TEN.pow(Math.max(0, precision - scale)).subtract(BigInteger.ONE);
            return Optional.of(new ValueRange(unsigned ? BigInteger.ZERO : most.negate(), most));
        }
        return Optional.empty();
    }

    /** Returns the type without the width of its display, which means nothing. */
    static String shown(String full) {
        return full.startsWith("decimal") ? full : full.replaceFirst("\\(\\d+\\)", "");
    }

    /** Returns the widest type that holds a column's numbers; {@code NONE} if it has that one. */
    static Width widest(String type, boolean negative) {
        boolean unsigned = type.contains("unsigned");
        if (type.startsWith("decimal") || (type.startsWith("bigint") && (unsigned || negative))) {
            return Width.NONE;
        }
        return unsigned || type.startsWith("bigint") ? Width.UNSIGNED : Width.SIGNED;
    }

    private static BigInteger power(int bits) {
        return BigInteger.ONE.shiftLeft(bits);
    }
}
