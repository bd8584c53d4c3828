// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.auditing;

import java.math.BigInteger;

/** Counts in words. */
final class Plural {

    private Plural() {}

    /** Returns texts such as {@code 1 gap} and {@code 2 gaps}. */
    static String of(BigInteger count, String one, String many) {
        return count + " " + (count.equals(BigInteger.ONE) ? one : many);
    }

    /** The same. */
    static String of(long count, String one, String many) {
        return of(BigInteger.valueOf(count), one, many);
    }
}
