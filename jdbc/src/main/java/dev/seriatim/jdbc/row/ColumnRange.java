// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.row;

import java.math.BigInteger;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Locale;
import java.util.Optional;

/** The integers that a column holds exactly. Servers refuse or silently change others. */
record ColumnRange(BigInteger lowest, BigInteger highest) {

    private static final int MEDIUM_DIGITS = 8;

    /** Returns empty for a type that does not hold integers exactly. */
    static Optional<ColumnRange> of(ResultSetMetaData columns, int column) throws SQLException {
        return switch (columns.getColumnType(column)) {
            case Types.TINYINT -> bits(8, columns.isSigned(column));
            case Types.SMALLINT -> bits(16, columns.isSigned(column));
            case Types.INTEGER -> bits(isMedium(columns, column) ? 24 : 32, columns.isSigned(column));
            case Types.BIGINT -> bits(64, columns.isSigned(column));
            case Types.DECIMAL, Types.NUMERIC ->
                digits(columns.getPrecision(column), columns.getScale(column), columns.isSigned(column));
            default -> Optional.empty();
        };
    }

    private static boolean isMedium(ResultSetMetaData columns, int column) throws SQLException {
        // Asked for few types only: PostgreSQL's driver queries the catalogue for a type's name, with operators that
        // others may have made.
        return columns.getPrecision(column) <= MEDIUM_DIGITS
                && columns.getColumnTypeName(column).toUpperCase(Locale.ROOT).startsWith("MEDIUMINT");
    }

    private static Optional<ColumnRange> bits(int bits, boolean signed) {
        BigInteger half = BigInteger.ONE.shiftLeft(bits - 1);
        return Optional.of(
                signed
                        ? new ColumnRange(half.negate(), half.subtract(BigInteger.ONE))
                        : new ColumnRange(BigInteger.ZERO, half.shiftLeft(1).subtract(BigInteger.ONE)));
    }

    private static Optional<ColumnRange> digits(int precision, int scale, boolean signed) {
        // PostgreSQL's numeric has no precision unless it is given one.
        int digits = precision == 0 ? 40 : Math.max(0, precision - scale);
        BigInteger most = BigInteger.TEN.pow(Math.min(digits, 40)).subtract(BigInteger.ONE);
        return Optional.of(new ColumnRange(signed ? most.negate() : BigInteger.ZERO, most));
    }

    boolean holds(long value) {
        BigInteger exact = BigInteger.valueOf(value);
        return lowest.compareTo(exact) <= 0 && exact.compareTo(highest) <= 0;
    }

    @Override
    public String toString() {
        return lowest + " to " + highest;
    }
}
