// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.number;

import dev.seriatim.SequenceException;
import dev.seriatim.store.SequenceCatalog;

/**
 * A reversible mapping of numbers: distinct numbers stay distinct, so unique numbers stay unique. Does not preserve
 * order.
 *
 * <p>A transform is a value independent of any store, so it works with every mode. {@link TransformedSequence} draws
 * through it. In the caller's own transaction, apply it to the drawn number:
 * {@code transform.apply(sequence.next(transaction))}.
 *
 * <p>Immutable and thread-safe. Two transforms are equal if they were created in the same way and map every number
 * equally.
 */
public sealed interface Transform
        permits Transforms.Identity, Transforms.Chain, Transforms.BitReversal, Transforms.Skipping, Permutation {

    /** Maps a number. Throws {@link SequenceException.OutOfRange} if it is not accepted or is {@linkplain #skips skipped}. */
    long apply(long number);

    /** The inverse of {@link #apply}. Throws {@link SequenceException.OutOfRange} if no number is mapped to this one. */
    long invert(long transformed);

    /**
     * Returns whether a caller that draws this number must draw again.
     *
     * @throws SequenceException.OutOfRange if this transform does not accept the number
     */
    default boolean skips(long number) {
        return false;
    }

    /** Returns whether this transform maps only one range. Wider bounds or a restart of the sequence then give no new numbers. */
    default boolean hasRange() {
        return false;
    }

    /** Corrects the remedy of a sequence's failure if this transform {@linkplain #hasRange has a range}. */
    default SequenceException.Exhausted exhausted(String name, SequenceException.Exhausted failure) {
        return hasRange()
                ? new SequenceException.Exhausted(
                        name,
                        "every number that " + this
                                + " can map has been dealt; continue with a new sequence, with bounds outside that range"
                                + " and a new permutation",
                        failure)
                : failure;
    }

    /** Returns a transform that applies this one and then {@code next}. */
    default Transform andThen(Transform next) {
        return this instanceof Transforms.Identity
                ? next
                : next instanceof Transforms.Identity ? this : new Transforms.Chain(this, next);
    }

    /** Returns the transform that leaves every number unchanged. */
    static Transform identity() {
        return new Transforms.Identity();
    }

    /**
     * Reverses the low 63 bits of non-negative numbers: neighbours end up far apart, and the result is non-negative.
     * Its own inverse. Same as Spanner's {@code bit_reversed_positive}: 1, 2, 3 become 2<sup>62</sup>, 2<sup>61</sup>,
     * 2<sup>62</sup> + 2<sup>61</sup>.
     */
    static Transform bitReversed() {
        return new Transforms.BitReversal();
    }

    /**
     * Like {@link #bitReversed()}, but {@linkplain #skips skips} numbers that would become {@code skipMin … skipMax}
     * (both inclusive), like Spanner's {@code skip_range_min} and {@code skip_range_max}. Use it for tables that
     * already contain such numbers.
     *
     * @throws SequenceException.Misconfigured if the ends are negative or out of order, or if less than 1/64 of all
     *     numbers is left in one piece, so that drawing would rarely succeed
     */
    static Transform bitReversed(long skipMin, long skipMax) {
        return new Transforms.Skipping(skipMin, skipMax);
    }

    /**
     * A permutation of {@code min … max}, chosen by a key, so that numbers do not reveal how many there are. If both
     * ends have the same number of digits, such as 100000 and 999999, so does every number.
     *
     * <p><em>Obfuscation, not encryption:</em> a number does not reveal how many precede it, but a range of numbers is
     * small enough to be collected or guessed, and nothing proves that a number is genuine.
     *
     * <p><em>The range is part of the key:</em> the same key with other ends is another permutation, and deals numbers
     * again that the first has dealt. Record both ends together with the key, and do not read them from the store,
     * where {@link SequenceCatalog#alter} can change the bounds. A number outside the range is an error, even after the
     * sequence's bounds were widened. The mapping for a given key and range will never change.
     *
     * <ol>
     *   <li>Split the place in the range into halves of the smallest even number of bits that holds it (at most 64).
     *   <li>Apply ten rounds of a balanced Feistel network, as in FF1 (NIST SP 800-38G), with SipHash-2-4 instead of
     *       AES.
     *   <li>Repeat while the result is outside the range: cycle walking (J. Black, P. Rogaway: Ciphers with Arbitrary
     *       Finite Domains, CT-RSA 2002), fewer than four times on average.
     * </ol>
     *
     * @param min the lowest number, any 64-bit value
     * @param max the highest number, at least {@code min}
     * @throws SequenceException.Misconfigured if the ends are out of order
     */
    static Transform permuted(PermutationKey key, long min, long max) {
        return new Permutation(key, min, max);
    }
}
