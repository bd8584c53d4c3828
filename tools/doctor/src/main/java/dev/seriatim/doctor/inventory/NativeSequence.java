// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import java.math.BigInteger;
import java.util.Optional;

/**
 * A sequence of the database's own.
 *
 * @param name its name
 * @param start the first value
 * @param increment the distance between values; negative if it descends, 0 if the server decides
 * @param range the values between which it runs
 * @param cycle whether it begins again at its end
 * @param cache how many values a session or a server takes at a time; at least 1
 * @param next the value that is drawn next; empty if none is left or this user may not read it
 * @param usedUp whether no value is left
 * @param owner the column that it is dropped with, for display; empty if there is none
 * @param ofIdentity whether it belongs to an identity column
 */
public record NativeSequence(
        ObjectName name,
        BigInteger start,
        BigInteger increment,
        ValueRange range,
        boolean cycle,
        long cache,
        Optional<BigInteger> next,
        boolean usedUp,
        Optional<ColumnPath> owner,
        boolean ofIdentity) {

    /** Returns whether it counts in steps of another size than 1, as optimizers need them. */
    public boolean steps() {
        return increment.signum() != 0 && !increment.equals(BigInteger.ONE);
    }

    /** Returns the same sequence as it stands. */
    NativeSequence at(Optional<BigInteger> nextValue, boolean exhausted) {
        return new NativeSequence(name, start, increment, range, cycle, cache, nextValue, exhausted, owner, ofIdentity);
    }

    /**
     * Returns the first value beyond {@code held} among those that it deals from its next value on, regardless of its end. Between
     * them lie the values of others: databases that share a range deal every tenth each.
     */
    public BigInteger firstBeyond(BigInteger held) {
        return firstBeyond(held, next.orElse(start), increment);
    }

    /** Returns the first value beyond {@code held} among {@code from} and those that follow it in steps of {@code increment}. */
    public static BigInteger firstBeyond(BigInteger held, BigInteger from, BigInteger increment) {
        if (increment.signum() == 0) {
            return held.add(BigInteger.ONE);
        }
        BigInteger distance = held.subtract(from);
        boolean ahead = distance.signum() != 0 && distance.signum() != increment.signum();
        return ahead
                ? from
                : from.add(increment.multiply(distance.divide(increment).add(BigInteger.ONE)));
    }
}
