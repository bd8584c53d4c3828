// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/**
 * The ends of the numbers in a column.
 *
 * @param lowest the lowest number; empty if the column holds none, or was not read
 * @param highest the highest number; the same
 */
public record Extremes(Optional<BigInteger> lowest, Optional<BigInteger> highest) {

    /** The ends of a column that was not read. */
    public static final Extremes NONE = new Extremes(Optional.empty(), Optional.empty());

    /** Returns the end in a direction. */
    public Optional<BigInteger> furthest(boolean ascending) {
        return ascending ? highest : lowest;
    }

    /**
     * Reads the ends from the second and third columns of a row. A fraction is not an end: the whole number inside is.
     *
     * @throws NumberFormatException if one is no number
     */
    static Extremes of(ResultSet row) throws SQLException {
        return new Extremes(number(row, 2, RoundingMode.CEILING), number(row, 3, RoundingMode.FLOOR));
    }

    private static Optional<BigInteger> number(ResultSet row, int column, RoundingMode inwards) throws SQLException {
        String text = row.getString(column);
        return text == null
                ? Optional.empty()
                : Optional.of(new BigDecimal(text).setScale(0, inwards).toBigIntegerExact());
    }
}
