// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.transform;

import dev.seriatim.SequenceException;
import dev.seriatim.store.SequenceCatalog;

/**
 * A reversible mapping of numbers: different numbers stay different, so what is unique stays unique. Order is not kept.
 *
 * <p>It is a value that knows no store, so it goes with every mode: {@link TransformedSequence} draws through it, and in the
 * caller's own transaction it is applied to what was drawn, as in {@code transform.apply(sequence.next(transaction))}.
 *
 * <p>Immutable and thread-safe; equal when it maps every number alike and was made alike.
 */
public sealed interface Transform permits Identity, BitReversal, BitReversal.Skipping, Permutation, Chain {

    /**
     * What the number becomes.
     *
     * @throws SequenceException.OutOfRange when the number is one that this transform has no place for, or {@linkplain
     *     #skips passes over}
     */
    long apply(long number);

    /**
     * The number that became this one.
     *
     * @throws SequenceException.OutOfRange when no number becomes this one
     */
    long invert(long transformed);

    /**
     * Whether this number is passed over: whoever draws it draws again.
     *
     * @throws SequenceException.OutOfRange when the number is one that this transform has no place for
     */
    default boolean skips(long number) {
        return false;
    }

    /**
     * Whether it maps the numbers of one range only, as a permutation does: when they have been dealt, neither wider bounds
     * nor a restart of the sequence brings new ones.
     */
    default boolean hasRange() {
        return false;
    }

    /**
     * Returns a failure of a sequence whose numbers go through this transform, with a remedy that is right for it: other bounds, a
     * cycle or a restart would not help a permutation, which maps its range and no other number.
     */
    default SequenceException.Exhausted exhausted(String name, SequenceException.Exhausted failure) {
        return hasRange()
                ? new SequenceException.Exhausted(
                        name,
                        "every number that " + this
                                + " had to map has been dealt; go on with another sequence, with bounds outside that range and a permutation of its own",
                        failure)
                : failure;
    }

    /** This transform, and then another one. */
    default Transform andThen(Transform next) {
        return this instanceof Identity ? next : next instanceof Identity ? this : new Chain(this, next);
    }

    /** Every number stays what it is. */
    static Transform identity() {
        return new Identity();
    }

    /**
     * The low 63 bits in reverse, for numbers from 0: neighbours end up far apart, and the result is positive. Its own
     * inverse. As Spanner's {@code bit_reversed_positive}: 1, 2, 3 become 2<sup>62</sup>, 2<sup>61</sup>, 2<sup>62</sup> +
     * 2<sup>61</sup>.
     */
    static Transform bitReversed() {
        return new BitReversal();
    }

    /**
     * As {@link #bitReversed()}, and what would become {@code skipMin … skipMax} (both included) is {@linkplain #skips passed
     * over}, as with Spanner's {@code skip_range_min} and {@code skip_range_max}: for tables that hold such numbers already.
     *
     * @throws SequenceException.Misconfigured when the ends are negative or out of order, or less than 1/64 of all numbers
     *     is left in one piece, so that drawing would hardly ever succeed
     */
    static Transform bitReversed(long skipMin, long skipMax) {
        return new BitReversal.Skipping(skipMin, skipMax);
    }

    /**
     * A permutation of {@code min … max}, chosen by a key: so that numbers do not tell how many there are. Where both ends have
     * the same count of digits, as 100000 and 999999 do, so has every number.
     *
     * <p><em>Obfuscation, not encryption:</em> a number no longer tells how many came before it, but a range of numbers is small
     * enough to be collected or tried out, and nothing shows that a number is genuine.
     *
     * <p><em>The range is part of the key:</em> the same key with other ends is another permutation, and deals numbers again
     * that the first has dealt. So write both ends down where the key is kept, and do not read them from the store, where
     * {@link SequenceCatalog#alter} can change the bounds. A number outside the range is an error, also after the sequence's
     * bounds were widened. What a key and a range map will never change.
     *
     * <ol>
     *   <li>The place in the range is split into halves of the smallest even number of bits that holds it (at most 64).
     *   <li>Ten rounds of a balanced Feistel network, as in FF1 (NIST SP 800-38G), with SipHash-2-4 in place of AES.
     *   <li>Again while the result lies behind the range: cycle walking (J. Black, P. Rogaway: Ciphers with Arbitrary Finite
     *       Domains, CT-RSA 2002), fewer than four times on average.
     * </ol>
     *
     * @param min the lowest number, which may be any of 64 bits
     * @param max the highest number, at least {@code min}
     * @throws SequenceException.Misconfigured when the ends are out of order
     */
    static Transform permuted(PermutationKey key, long min, long max) {
        return new Permutation(key, min, max);
    }
}
