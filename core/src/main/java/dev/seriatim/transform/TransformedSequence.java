// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.transform;

import dev.seriatim.Block;
import dev.seriatim.Numbers;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceException;
import dev.seriatim.draw.DrawFuture;
import dev.seriatim.draw.Losing;
import dev.seriatim.text.Messages;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * A sequence whose numbers go through a {@link Transform}: as unique as they are, and in no order. A view: it keeps nothing in
 * hand, and everything else is as in the mode of its {@link Sequence}.
 *
 * <p>Numbers that the transform {@linkplain Transform#skips passes over} are drawn and left out. A number that it has no place
 * for is an error, and is lost.
 *
 * <p>Thread-safe as its sequence is.
 */
public final class TransformedSequence implements AutoCloseable {

    /** So many numbers may be passed over in a row. Where one in 128 is dealt, chance does not come near it. */
    static final int PATIENCE = 10_000;

    /** How many numbers may be drawn at a time: so many fit into the memory of any process that can use them. */
    public static final int MOST = 10_000_000;

    private final Sequence sequence;
    private final Transform transform;

    /** Returns what the sequence deals, through a transform: a view, which draws from the sequence. */
    public static TransformedSequence over(Sequence sequence, Transform transform) {
        return new TransformedSequence(sequence, transform);
    }

    private TransformedSequence(Sequence sequence, Transform transform) {
        this.sequence = sequence;
        this.transform = transform;
    }

    /** The sequence's name in its store. */
    public String name() {
        return sequence.name();
    }

    /**
     * The next number.
     *
     * @throws SequenceException.OutOfRange when the sequence deals a number that the transform has no place for; it is reported
     *     lost
     * @throws SequenceException.Misconfigured when the transform passes over all that the sequence deals
     * @throws SequenceException as {@link Sequence#next()}
     */
    public long next() {
        long number = draw();
        try {
            return apply(number);
        } catch (Throwable e) {
            lose(new Block(number, 1, 1));
            throw e;
        }
    }

    /** The next number, as a view shows it; lost when that cannot be done. */
    <T> T next(LongFunction<T> view) {
        long number = draw();
        try {
            return view.apply(apply(number));
        } catch (Throwable e) {
            lose(new Block(number, 1, 1));
            throw e;
        }
    }

    /** The next number that is not passed over, as it was dealt. */
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
                lose(new Block(number, 1, 1));
                throw e;
            }
            countPassed(++passed);
        }
    }

    private void lose(Block values) {
        if (sequence instanceof Losing losing) {
            losing.lose(values);
        }
    }

    /**
     * The next {@code count} numbers. Fewer only where {@link Sequence#next(int)} deals fewer.
     *
     * @param count 1 to {@value #MOST}: transformed numbers are no block, each takes 8 bytes
     * @throws SequenceException.Misconfigured when the count is above that; nothing is drawn
     * @throws SequenceException as {@link #next()} and {@link Sequence#next(int)}; numbers drawn with the one that is at fault
     *     are lost with it
     */
    public Numbers next(int count) {
        return next(count, Numbers::of);
    }

    /** The next numbers, as a view shows them; all of them are lost when that cannot be done. */
    <T> T next(int count, Function<long[], T> view) {
        if (count > MOST) {
            throw new SequenceException.Misconfigured(
                    name(),
                    "at most " + MOST + " transformed numbers are drawn at a time, not " + count
                            + "; draw them in portions");
        }
        List<Block> drawn = new ArrayList<>(1);
        try {
            return view.apply(next(count, drawn));
        } catch (Throwable e) {
            drawn.forEach(this::lose);
            throw e;
        }
    }

    private long[] next(int count, List<Block> drawn) {
        Block block = first(count);
        drawn.add(block);
        long[] numbers = new long[(int) block.count()];
        int asked = count;
        int got = put(block, numbers, 0);
        long passed = got == 0 ? block.count() : 0;
        while (got < numbers.length && (got == 0 || block.count() == asked)) { // else the sequence had fewer left
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

    private Block first(int count) {
        try {
            return sequence.next(count);
        } catch (SequenceException.Exhausted e) {
            throw transform.exhausted(name(), e);
        }
    }

    /** Puts what is dealt of a block from a place on, and returns the place behind it. */
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

    /** The next number, drawn on another thread: as {@link Sequence#nextAsync()}. */
    public CompletionStage<Long> nextAsync() {
        DrawFuture<Long> next = DrawFuture.pending();
        draw(next, 0);
        return next;
    }

    /** What is there at once is gone through in a loop, since a stage inside a stage takes stack. */
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
     * A cursor for one caller: as {@link Sequence#local()}, through the same transform.
     *
     * @throws UnsupportedOperationException when the sequence promises order
     */
    public TransformedSequence local() {
        return new TransformedSequence(sequence.local(), transform);
    }

    /** These numbers, through one more transform. */
    public TransformedSequence transformed(Transform next) {
        return new TransformedSequence(sequence, transform.andThen(next));
    }

    /** These numbers, as text. */
    public FormattedSequence formatted(NumberPattern pattern) {
        return new FormattedSequence(this, pattern);
    }

    /**
     * As {@link #formatted(NumberPattern)}.
     *
     * @throws SequenceException.Misconfigured when it is not a pattern
     */
    public FormattedSequence formatted(String pattern) {
        return formatted(NumberPattern.of(pattern));
    }

    /** Closes the sequence that this is a view of. */
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
                    "the last " + passed + " numbers were all passed over by " + transform
                            + "; narrow its skip range, or let the sequence count in steps of 1");
        }
    }
}
