// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import java.math.BigInteger;
import java.util.Optional;

/** The statements of one engine that mend what is wrong. Implementations are immutable and thread-safe. */
public interface Remedies {

    /**
     * Returns the statement that raises a native sequence so that it next deals the value after {@code held}. Beside draws, it
     * never moves the sequence back.
     */
    Remedy raise(NativeSequence sequence, BigInteger held);

    /** Returns the statement that raises what generates a column's numbers, if there is no native sequence. */
    Remedy raise(NumberedColumn column, BigInteger held);

    /** Returns the statement that makes a sequence belong to the column that draws from it; empty if the engine has no owners. */
    Optional<Remedy> own(NativeSequence sequence, NumberedColumn by);

    /** Returns the statement that ends cycling. */
    Remedy noCycle(NativeSequence sequence);

    /** Returns the statement that sets the cache to the smallest size. */
    Remedy noCache(NativeSequence sequence);

    /** Returns the statement that widens a column's type, or advice where it cannot be widened. */
    Remedy widen(NumberedColumn column);

    /** Returns {@code CACHE_REORDERS} or {@code CACHE_LOSES} if a cache of this size does so. */
    Optional<InspectionFault> ofCache(long size);
}
