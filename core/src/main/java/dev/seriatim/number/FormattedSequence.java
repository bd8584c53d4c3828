// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.number;

import dev.seriatim.Sequence;
import dev.seriatim.SequenceException;
import dev.seriatim.internal.DrawFuture;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/**
 * A sequence whose numbers are formatted as text by a {@link NumberPattern}. A view, like {@link TransformedSequence}.
 * A number that does not fit the pattern causes an exception, and is lost. As thread-safe as its sequence.
 */
public final class FormattedSequence implements AutoCloseable {

    private final TransformedSequence numbers;
    private final NumberPattern pattern;

    /** Returns a view that draws from the sequence and formats its numbers as text. */
    public static FormattedSequence over(Sequence sequence, NumberPattern pattern) {
        return TransformedSequence.over(sequence, Transform.identity()).formatted(pattern);
    }

    /** Like {@link #over(Sequence, NumberPattern)}. Throws {@link SequenceException.Misconfigured} if the pattern is invalid. */
    public static FormattedSequence over(Sequence sequence, String pattern) {
        return over(sequence, NumberPattern.of(pattern));
    }

    FormattedSequence(TransformedSequence numbers, NumberPattern pattern) {
        this.numbers = numbers;
        this.pattern = pattern;
    }

    /** Returns the sequence's name in its store. */
    public String name() {
        return numbers.name();
    }

    /** Returns the pattern, which also parses these texts. */
    public NumberPattern pattern() {
        return pattern;
    }

    /**
     * Returns the next number, as text.
     *
     * @throws SequenceException.OutOfRange if the number does not fit the pattern; it is reported lost
     * @throws SequenceException as {@link TransformedSequence#next()}
     */
    public String next() {
        return numbers.next((LongFunction<String>) this::text);
    }

    /**
     * Returns the next {@code count} numbers, as text. Returns fewer only if {@link Sequence#next(int)} deals fewer.
     *
     * @param count at least 1
     * @throws SequenceException as {@link #next()} and {@link TransformedSequence#next(int)}
     */
    public List<String> next(int count) {
        return numbers.next(
                count, drawn -> LongStream.of(drawn).mapToObj(this::text).toList());
    }

    /** Returns the next number, as text, drawn on another thread, like {@link Sequence#nextAsync()}. */
    public CompletionStage<String> nextAsync() {
        return DrawFuture.through(numbers.nextAsync(), this::text);
    }

    /**
     * Returns a cursor for a single caller, like {@link Sequence#local()}, with the same pattern.
     *
     * @throws UnsupportedOperationException if the sequence is ordered
     */
    public FormattedSequence local() {
        return new FormattedSequence(numbers.local(), pattern);
    }

    /** Closes the underlying sequence. */
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
