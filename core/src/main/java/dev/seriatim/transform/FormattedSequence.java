// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.transform;

import dev.seriatim.Sequence;
import dev.seriatim.SequenceException;
import dev.seriatim.draw.DrawFuture;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/**
 * A sequence whose numbers are texts of a {@link NumberPattern}. A view, as {@link TransformedSequence} is. A number that the
 * pattern has no room for is an error, and is lost.
 *
 * <p>Thread-safe as its sequence is.
 */
public final class FormattedSequence implements AutoCloseable {

    private final TransformedSequence numbers;
    private final NumberPattern pattern;

    /** Returns what the sequence deals, as text: a view, which draws from the sequence. */
    public static FormattedSequence over(Sequence sequence, NumberPattern pattern) {
        return TransformedSequence.over(sequence, Transform.identity()).formatted(pattern);
    }

    /**
     * As {@link #over(Sequence, NumberPattern)}.
     *
     * @throws SequenceException.Misconfigured when it is not a pattern
     */
    public static FormattedSequence over(Sequence sequence, String pattern) {
        return over(sequence, NumberPattern.of(pattern));
    }

    FormattedSequence(TransformedSequence numbers, NumberPattern pattern) {
        this.numbers = numbers;
        this.pattern = pattern;
    }

    /** The sequence's name in its store. */
    public String name() {
        return numbers.name();
    }

    /** The pattern, which also reads these texts back. */
    public NumberPattern pattern() {
        return pattern;
    }

    /**
     * The next number, as text.
     *
     * @throws SequenceException.OutOfRange when the pattern has no room for it; it is reported lost
     * @throws SequenceException as {@link TransformedSequence#next()}
     */
    public String next() {
        return numbers.next((LongFunction<String>) this::text);
    }

    /**
     * The next {@code count} numbers, as text. Fewer only where {@link Sequence#next(int)} deals fewer.
     *
     * @param count at least 1
     * @throws SequenceException as {@link #next()} and {@link TransformedSequence#next(int)}
     */
    public List<String> next(int count) {
        return numbers.next(
                count, drawn -> LongStream.of(drawn).mapToObj(this::text).toList());
    }

    /** The next number, as text, drawn on another thread: as {@link Sequence#nextAsync()}. */
    public CompletionStage<String> nextAsync() {
        return DrawFuture.through(numbers.nextAsync(), this::text);
    }

    /**
     * A cursor for one caller: as {@link Sequence#local()}, in the same pattern.
     *
     * @throws UnsupportedOperationException when the sequence promises order
     */
    public FormattedSequence local() {
        return new FormattedSequence(numbers.local(), pattern);
    }

    /** Closes the sequence that this is a view of. */
    @Override
    public void close() {
        numbers.close();
    }

    @Override
    public String toString() {
        return numbers + " as " + pattern;
    }

    private String text(long number) {
        try {
            return pattern.format(number);
        } catch (SequenceException.OutOfRange e) {
            throw new SequenceException.OutOfRange(name(), e);
        }
    }
}
