// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.stream.Stream;

/** The numbers from {@code lowest} to {@code highest}, both included. */
public record ValueRange(BigInteger lowest, BigInteger highest) {

    /** Returns the numbers of a binary type with a sign and {@code bits} more bits. */
    static ValueRange ofBits(int bits) {
        BigInteger beyond = BigInteger.TWO.pow(bits);
        return new ValueRange(beyond.negate(), beyond.subtract(BigInteger.ONE));
    }

    /** Returns the whole numbers of a decimal type. */
    static ValueRange ofDigits(int digits) {
        BigInteger most = BigInteger.TEN.pow(Math.max(0, digits)).subtract(BigInteger.ONE);
        return new ValueRange(most.negate(), most);
    }

    /** Returns the whole numbers of a floating-point type up to which each has a value of its own. */
    static ValueRange ofMantissa(int bits) {
        BigInteger most = BigInteger.TWO.pow(bits);
        return new ValueRange(most.negate(), most);
    }

    /**
     * Reads the ends of a column from the second and third columns of a row; empty without numbers. A fraction is not an end: the
     * whole number inside is. Throws {@link NumberFormatException} if one is no number.
     */
    static Optional<ValueRange> held(ResultSet row) throws SQLException {
        String low = row.getString(2);
        String high = row.getString(3);
        return low == null || high == null
                ? Optional.empty()
                : Optional.of(new ValueRange(whole(low, RoundingMode.CEILING), whole(high, RoundingMode.FLOOR)));
    }

    private static BigInteger whole(String number, RoundingMode inwards) {
        return new BigDecimal(number).setScale(0, inwards).toBigIntegerExact();
    }

    /** Returns the range from the lowest to the highest number of those that are present. */
    static Optional<ValueRange> hull(Optional<ValueRange> one, Optional<ValueRange> other) {
        return Stream.of(one, other)
                .flatMap(Optional::stream)
                .reduce((a, b) -> new ValueRange(a.lowest.min(b.lowest), a.highest.max(b.highest)));
    }

    public BigInteger end(boolean ascending) {
        return ascending ? highest : lowest;
    }
}
