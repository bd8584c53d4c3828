// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.internal.Messages;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;

/**
 * A sequence that draws in one transaction. Holds no values, because a rollback to a savepoint would take them back
 * unnoticed. Not thread-safe.
 */
final class WithinTransaction implements Sequence {

    private final String name;
    private final IntFunction<Block> draw;
    private boolean closed;

    /**
     * Creates a sequence that draws through {@code draw}, which returns the requested number of values as one block.
     */
    WithinTransaction(String name, IntFunction<Block> draw) {
        this.name = name;
        this.draw = draw;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long next() {
        return take(1).first();
    }

    @Override
    public Block next(int count) {
        return take(SequenceDefinition.checkCount(name, count));
    }

    @Override
    public CompletionStage<Long> nextAsync() {
        return CompletableFuture.completedFuture(next());
    }

    @Override
    public Sequence local() {
        throw new UnsupportedOperationException(
                "sequence " + Messages.quoted(name)
                        + " is drawn inside a transaction and stays gapless and ordered; draw from it directly instead of calling local()");
    }

    @Override
    public void close() {
        closed = true;
    }

    private Block take(int count) {
        if (closed) {
            throw new IllegalStateException("sequence " + Messages.quoted(name)
                    + " was closed for this transaction; call within(transaction) again");
        }
        return draw.apply(count);
    }
}
