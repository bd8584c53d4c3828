// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring;

import dev.seriatim.Sequence;
import dev.seriatim.SequenceException;
import java.util.Locale;
import org.springframework.jdbc.support.incrementer.DataFieldMaxValueIncrementer;

/**
 * Deals a sequence's numbers to code that expects Spring's {@link DataFieldMaxValueIncrementer}, such as Spring Batch.
 * Each method draws one number and throws what {@link Sequence#next()} does.
 *
 * <p>Thread-safe.
 */
public final class SeriatimMaxValueIncrementer implements DataFieldMaxValueIncrementer {

    private final Sequence sequence;
    private final int paddingLength;

    /** Creates an incrementer that does not pad its texts. */
    public SeriatimMaxValueIncrementer(Sequence sequence) {
        this(sequence, 0);
    }

    /**
     * Creates an incrementer.
     *
     * @param paddingLength the length in characters to which {@link #nextStringValue} fills up with zeros; longer
     *     numbers are not cut
     * @throws SequenceException.Misconfigured if the length is negative
     */
    public SeriatimMaxValueIncrementer(Sequence sequence, int paddingLength) {
        if (paddingLength < 0) {
            throw new SequenceException.Misconfigured(
                    sequence.name(),
                    "a text cannot have " + paddingLength + " characters; give a padding length of 0 or more");
        }
        this.sequence = sequence;
        this.paddingLength = paddingLength;
    }

    /**
     * Returns the next number.
     *
     * @throws SequenceException.OutOfRange if it does not fit into an {@code int}; the number is used up
     */
    @Override
    public int nextIntValue() {
        long number = sequence.next();
        if (number != (int) number) {
            throw new SequenceException.OutOfRange("""
                    sequence '%s': its next value %s does not fit into an int; use nextLongValue, or give the sequence \
                    a max value of %s""".formatted(sequence.name(), number, Integer.MAX_VALUE));
        }
        return (int) number;
    }

    @Override
    public long nextLongValue() {
        return sequence.next();
    }

    /** Returns the next number in decimal, with zeros in front; those of a negative number follow its sign. */
    @Override
    public String nextStringValue() {
        long number = sequence.next();
        return paddingLength == 0
                ? Long.toString(number)
                : String.format(Locale.ROOT, "%0" + paddingLength + "d", number);
    }

    @Override
    public String toString() {
        return "incrementer over sequence '" + sequence.name() + "'";
    }
}
