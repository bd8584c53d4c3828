// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.inspect;

import java.math.BigInteger;
import java.util.Optional;

/**
 * A column whose numbers the database generates.
 *
 * @param table its table
 * @param column its name
 * @param generator what generates its numbers
 * @param type its type, as the database names it
 * @param range what its type holds
 * @param sequence the native sequence that its default or identity draws from, if any
 * @param foreign whether that sequence and the table have different owners
 * @param next the number that the database generates next, if there is no native sequence and it is known
 * @param increment the distance between generated numbers, if there is no native sequence; else 1
 * @param lowest the lowest number in it; empty if the table is empty or was not read
 * @param highest the highest number in it; the same
 */
public record NumberedColumn(
        ObjectName table,
        String column,
        Generator generator,
        String type,
        ValueRange range,
        Optional<ObjectName> sequence,
        boolean foreign,
        Optional<BigInteger> next,
        BigInteger increment,
        Optional<BigInteger> lowest,
        Optional<BigInteger> highest) {

    /** What generates the numbers of a column. */
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

    /** Returns the column's name for display. */
    public String path() {
        return table + "." + column;
    }
}
