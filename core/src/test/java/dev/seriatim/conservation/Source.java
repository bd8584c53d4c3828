// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.conservation;

import dev.seriatim.Sequence;
import dev.seriatim.number.FormattedSequence;
import dev.seriatim.number.PermutationKey;
import dev.seriatim.number.Transform;
import dev.seriatim.number.TransformedSequence;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;

/** A sequence or a view of one to draw from; views convert numbers, which can be read back. */
interface Source extends AutoCloseable {

    long next();

    LongStream next(int count);

    /** Returns the stage itself as a future: cancelling it withdraws the draw. */
    CompletableFuture<?> nextAsync();

    /** Returns the number that a future of this source has delivered. */
    long number(Object drawn);

    Source local();

    @Override
    void close();

    /** Returns the sequence, or a random view of it. */
    static Source of(Sequence sequence, RandomChoices chance, StringBuilder plan) {
        Transform transform = switch (chance.pick(8)) {
            case 0 -> Transform.bitReversed();
            case 1 -> Transform.permuted(PermutationKey.derivedFrom("a secret of sorts"), 1, 1_000_000);
            case 2 -> Transform.permuted(PermutationKey.derivedFrom("a secret of sorts"), 1, 500);
            case 3 -> Transform.identity();
            default -> null;
        };
        if (transform == null) {
            return plain(sequence);
        }
        TransformedSequence view = TransformedSequence.over(sequence, transform);
        boolean text = transform.equals(Transform.identity()) || chance.oneIn(4);
        plan.append(", ").append(view).append(text ? " as text" : "");
        return text ? text(view.formatted("N-{seq}"), transform) : numbers(view, transform);
    }

    private static Source plain(Sequence sequence) {
        return new Source() {
            @Override
            public long next() {
                return sequence.next();
            }

            @Override
            public LongStream next(int count) {
                return sequence.next(count).values();
            }

            @Override
            public CompletableFuture<?> nextAsync() {
                return sequence.nextAsync().toCompletableFuture();
            }

            @Override
            public long number(Object drawn) {
                return (Long) drawn;
            }

            @Override
            public Source local() {
                return plain(sequence.local());
            }

            @Override
            public void close() {
                sequence.close();
            }
        };
    }

    private static Source numbers(TransformedSequence view, Transform transform) {
        return new Source() {
            @Override
            public long next() {
                return transform.invert(view.next());
            }

            @Override
            public LongStream next(int count) {
                return view.next(count).values().map(transform::invert);
            }

            @Override
            public CompletableFuture<?> nextAsync() {
                return view.nextAsync().toCompletableFuture();
            }

            @Override
            public long number(Object drawn) {
                return transform.invert((Long) drawn);
            }

            @Override
            public Source local() {
                return numbers(view.local(), transform);
            }

            @Override
            public void close() {
                view.close();
            }
        };
    }

    private static Source text(FormattedSequence view, Transform transform) {
        return new Source() {
            @Override
            public long next() {
                return number(view.next());
            }

            @Override
            public LongStream next(int count) {
                return view.next(count).stream().mapToLong(this::number);
            }

            @Override
            public CompletableFuture<?> nextAsync() {
                return view.nextAsync().toCompletableFuture();
            }

            @Override
            public long number(Object drawn) {
                return transform.invert(view.pattern().parse((String) drawn));
            }

            @Override
            public Source local() {
                return text(view.local(), transform);
            }

            @Override
            public void close() {
                view.close();
            }
        };
    }
}
