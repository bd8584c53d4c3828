// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.auditing;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The result of an audit.
 *
 * @param dealt what the sequence has dealt
 * @param tally the faults that can occur many times
 * @param rows number of rows with a number
 * @param withoutNumber number of rows without one
 * @param withoutTime number of rows with a number but no time; empty if the order was not checked
 * @param all the numbers in the column
 * @param inPool the numbers in the sequence's pool
 * @param undealt the numbers in the column that the sequence has yet to deal
 * @param atEnd the numbers that were dealt after the last one in the column
 */
record AuditResult(
        Dealt dealt,
        FindingTally tally,
        long rows,
        long withoutNumber,
        OptionalLong withoutTime,
        Optional<NumberRange> all,
        Optional<NumberRange> inPool,
        Optional<NumberRange> undealt,
        Optional<NumberRange> atEnd) {

    /**
     * Returns the faults in words; empty if there are none.
     *
     * @param gapless whether numbers missing at the end are a fault
     */
    List<String> faults(boolean gapless) {
        List<String> faults = new ArrayList<>();
        tell(faults, tally.count(Kind.DUPLICATE), "duplicate", "duplicates");
        tell(faults, tally.count(Kind.GAP), "gap", "gaps");
        tell(faults, tally.amount(Kind.STRAY), "stray", "strays");
        undealt.ifPresent(range -> tell(faults, range.count(), "number yet to deal", "numbers yet to deal"));
        tell(faults, tally.count(Kind.OUT_OF_ORDER), "number out of order", "numbers out of order");
        if (gapless) {
            atEnd.ifPresent(
                    range -> tell(faults, range.count(), "number missing at the end", "numbers missing at the end"));
        }
        return faults;
    }

    private static void tell(List<String> faults, long count, String one, String many) {
        tell(faults, BigInteger.valueOf(count), one, many);
    }

    private static void tell(List<String> faults, BigInteger count, String one, String many) {
        if (count.signum() > 0) {
            faults.add(Plural.of(count, one, many));
        }
    }
}
