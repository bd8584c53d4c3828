// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.number;

import dev.seriatim.Block;
import dev.seriatim.Numbers;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceException;
import dev.seriatim.internal.DrawFuture;
import dev.seriatim.internal.LossReporter;
import dev.seriatim.internal.Messages;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * A sequence whose numbers go through a {@link Transform}: they stay unique, but are not ordered. A view: it holds no
 * values, and otherwise behaves like its {@link Sequence}.
 *
 * <p>Numbers that the transform {@linkplain Transform#skips skips} are drawn and omitted. A number that the transform
 * does not accept causes an exception, and is lost. As thread-safe as its sequence.
 */
public final class TransformedSequence implements AutoCloseable {

    /** Maximum number of consecutive skipped numbers. Since at least one in 128 is dealt, chance does not reach it. */
    static final int PATIENCE = 10_000;

    /** Maximum number of values per draw. They are kept in memory, 8 bytes each. */
    public static final int MOST = 10_000_000;

    private final Sequence sequence;
    private final Transform transform;

    /** Returns a view that draws from the sequence and transforms its numbers. */
    public static TransformedSequence over(Sequence sequence, Transform transform) {
        return new TransformedSequence(sequence, transform);
    }

    private TransformedSequence(Sequence sequence, Transform transform) {
        this.sequence = sequence;
        this.transform = transform;
    }

    /** Returns the sequence's name in its store. */
    public String name() {
        return sequence.name();
    }

    /**
     * Returns the next number.
     *
     * @throws SequenceException.OutOfRange if the sequence deals a number that the transform does not accept; it is
     *     reported lost
     * @throws SequenceException.Misconfigured if the transform skips everything that the sequence deals
     * @throws SequenceException as {@link Sequence#next()}
     */
    public long next() {
        long number = draw();
        try {
            return apply(number);
        } catch (Throwable e) {
            lose(number, 1, 1);
            throw e;
        }
    }

    /** Returns the next number, converted by a view; it is lost if that fails. */
    <T> T next(LongFunction<T> view) {
        long number = draw();
        try {
            return view.apply(apply(number));
        } catch (Throwable e) {
            lose(number, 1, 1);
            throw e;
        }
    }

    /** Returns the next number that is not skipped, as it was dealt. */
    private long draw() {
        int passed = 0;
        while (true) {
            long number;
            try {
                number = sequence.next();
            } catch (SequenceException.Exhausted e) {
                throw transform.exhausted(name(), e);
            }
            try {
                if (!skips(number)) {
                    return number;
                }
            } catch (Throwable e) {
                lose(number, 1, 1);
                throw e;
            }
            countPassed(++passed);
        }
    }

    private void lose(long first, long count, long increment) {
        if (sequence instanceof LossReporter reporter) {
            reporter.reportLost(first, count, increment);
        }
    }

    /**
     * Returns the next {@code count} numbers. Returns fewer only if {@link Sequence#next(int)} deals fewer.
     *
     * @param count 1 to {@value #MOST}
     * @throws SequenceException.Misconfigured if the count is above the maximum; nothing is drawn
     * @throws SequenceException as {@link #next()} and {@link Sequence#next(int)}; numbers drawn together with the
     *     failing one are lost too
     */
    public Numbers next(int count) {
        return next(count, Numbers::of);
    }

    /** Returns the next numbers, converted by a view; all of them are lost if that fails. */
    <T> T next(int count, Function<long[], T> view) {
        if (count > MOST) {
            throw new SequenceException.Misconfigured(
                    name(),
                    "at most " + MOST + " transformed numbers can be drawn at a time, not " + count
                            + "; draw them in several calls");
        }
        List<Block> drawn = new ArrayList<>(1);
        try {
            return view.apply(next(count, drawn));
        } catch (Throwable e) {
            drawn.forEach(block -> lose(block.first(), block.count(), block.increment()));
            throw e;
        }
    }

    private long[] next(int count, List<Block> drawn) {
        Block block;
        try {
            block = sequence.next(count);
        } catch (SequenceException.Exhausted e) {
            throw transform.exhausted(name(), e);
        }
        drawn.add(block);
        long[] numbers = new long[(int) block.count()];
        int asked = count;
        int got = put(block, numbers, 0);
        long passed = got == 0 ? block.count() : 0;
        while (got < numbers.length && (got == 0 || block.count() == asked)) { // otherwise the sequence had fewer left
            countPassed(passed);
            asked = numbers.length - got;
            try {
                block = sequence.next(asked);
                drawn.add(block);
            } catch (SequenceException.Exhausted e) {
                if (got == 0) {
                    throw transform.exhausted(name(), e);
                }
                break;
            }
            int before = got;
            got = put(block, numbers, got);
            passed = got == before ? passed + block.count() : 0;
        }
        return got == numbers.length ? numbers : Arrays.copyOf(numbers, got);
    }

    /** Adds the unskipped numbers of a block at an index, and returns the index after them. */
    private int put(Block block, long[] numbers, int from) {
        int to = from;
        for (long i = 0; i < block.count(); i++) {
            long number = block.get(i);
            if (!skips(number)) {
                numbers[to++] = apply(number);
            }
        }
        return to;
    }

    /** Returns the next number, drawn on another thread, like {@link Sequence#nextAsync()}. */
    public CompletionStage<Long> nextAsync() {
        DrawFuture<Long> next = DrawFuture.pending();
        draw(next, 0);
        return next;
    }

    /** Handles completed stages in a loop, because nested stages would use up the stack. */
    private void draw(DrawFuture<Long> next, int passedBefore) {
        int passed = passedBefore;
        try {
            CompletableFuture<Long> drawn = next.from(sequence.nextAsync());
            while (drawn.isDone() && !drawn.isCompletedExceptionally() && skips(drawn.join())) {
                countPassed(++passed);
                drawn = next.from(sequence.nextAsync());
            }
            int soFar = passed;
            CompletionStage<Long> last = drawn;
            last.whenComplete((number, failure) -> {
                if (failure != null) {
                    next.completeExceptionally(explained(failure));
                } else {
                    dealOrDraw(next, number, soFar);
                }
            });
        } catch (Throwable e) {
            next.completeExceptionally(e);
        }
    }

    private void dealOrDraw(DrawFuture<Long> next, long number, int passed) {
        try {
            if (!skips(number)) {
                next.deliver(() -> apply(number));
            } else if (!next.isDone()) {
                countPassed(passed + 1);
                draw(next, passed + 1);
            }
        } catch (Throwable e) {
            next.completeExceptionally(e);
        }
    }

    private Throwable explained(Throwable thrown) {
        Throwable cause =
                thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        return cause instanceof SequenceException.Exhausted e ? transform.exhausted(name(), e) : thrown;
    }

    /**
     * Returns a cursor for a single caller, like {@link Sequence#local()}, with the same transform.
     *
     * @throws UnsupportedOperationException if the sequence is ordered
     */
    public TransformedSequence local() {
        return new TransformedSequence(sequence.local(), transform);
    }

    /** Returns these numbers, transformed once more. */
    public TransformedSequence transformed(Transform next) {
        return new TransformedSequence(sequence, transform.andThen(next));
    }

    /** Returns these numbers, formatted as text. */
    public FormattedSequence formatted(NumberPattern pattern) {
        return new FormattedSequence(this, pattern);
    }

    /** Like {@link #formatted(NumberPattern)}. Throws {@link SequenceException.Misconfigured} if the pattern is invalid. */
    public FormattedSequence formatted(String pattern) {
        return formatted(NumberPattern.of(pattern));
    }

    /** Closes the underlying sequence. */
    @Override
    public void close() {
        sequence.close();
    }

    @Override
    public String toString() {
        return Messages.quoted(name()) + " through " + transform;
    }

    private boolean skips(long number) {
        try {
            return transform.skips(number);
        } catch (SequenceException.OutOfRange e) {
            throw new SequenceException.OutOfRange(name(), e);
        }
    }

    private long apply(long number) {
        try {
            return transform.apply(number);
        } catch (SequenceException.OutOfRange e) {
            throw new SequenceException.OutOfRange(name(), e);
        }
    }

    private void countPassed(long passed) {
        if (passed >= PATIENCE) {
            throw new SequenceException.Misconfigured(
                    name(),
                    "the last " + passed + " numbers were all skipped by " + transform
                            + "; narrow its skip range, or use increment 1 for the sequence");
        }
    }
}
