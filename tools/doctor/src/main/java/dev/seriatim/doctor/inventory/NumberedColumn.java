// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import java.math.BigInteger;
import java.util.Optional;

/**
 * A column whose numbers the database generates.
 *
 * @param name its table and its name
 * @param generator what generates its numbers
 * @param type its type, as the database names it
 * @param range the numbers that its type holds
 * @param sequence the native sequence that its default or identity draws from, if any
 * @param foreign whether that sequence and the table have different owners
 * @param next the number that the database generates next, if there is no native sequence and it is known
 * @param increment the distance between generated numbers, if there is no native sequence; else 1
 * @param extremes the ends of its numbers
 */
public record NumberedColumn(
        ColumnPath name,
        Generator generator,
        String type,
        ValueRange range,
        Optional<ObjectName> sequence,
        boolean foreign,
        Optional<BigInteger> next,
        BigInteger increment,
        Extremes extremes) {

    /** The kinds of generators. */
    public enum Generator {
        /** A default that draws from a sequence. */
        DEFAULT,
        /** {@code GENERATED … AS IDENTITY}. */
        IDENTITY,
        /** {@code AUTO_INCREMENT}. */
        AUTO_INCREMENT,
        /** SQLite's row number, with or without {@code AUTOINCREMENT}. */
        ROWID
    }

    /** Returns a column that draws from a native sequence. */
    static NumberedColumn drawing(
            ColumnPath name,
            Generator generator,
            String type,
            ValueRange range,
            Optional<ObjectName> sequence,
            boolean foreign,
            Extremes extremes) {
        return new NumberedColumn(
                name, generator, type, range, sequence, foreign, Optional.empty(), BigInteger.ONE, extremes);
    }

    public ObjectName table() {
        return name.table();
    }

    /** Returns the column's name for display. */
    public String path() {
        return name.toString();
    }
}
