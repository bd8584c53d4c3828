// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.draw;

import dev.seriatim.Allocation;
import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceException;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.store.OpenStore;
import dev.seriatim.striped.Striping;
import org.jspecify.annotations.Nullable;

/** Draws from a striped sequence. Not thread-safe. */
final class StripedDraws implements NumberSource {

    private final StoreSequences sequences;
    private final Sequence sequence;

    private StripedDraws(StoreSequences sequences, Sequence sequence) {
        this.sequences = sequences;
        this.sequence = sequence;
    }

    /** Opens a sequence; without a mode, numbers drawn together come from one stripe, in one transaction. */
    static StripedDraws open(OpenStore store, String name, int stripes, @Nullable DrawMode mode, BlockShape shape) {
        Striping striping = new Striping(name, stripes);
        Allocation allocation =
                mode == null ? Allocation.combined() : mode.allocation(shape.of(store, striping.counter(0)));
        StoreSequences sequences =
                StoreSequences.builder(store).giveBackOnClose(true).build();
        return new StripedDraws(sequences, sequences.striped(striping, allocation));
    }

    static void createIfMissing(OpenStore store, String name, int stripes) {
        Striping striping = new Striping(name, stripes);
        try {
            striping.describe(store);
        } catch (SequenceException.NotFound missing) {
            try {
                striping.create(store, store.newDefinition(name).build());
            } catch (SequenceException.AlreadyExists e) {
                // another session was faster
            }
        }
    }

    @Override
    public long next() {
        return sequence.next();
    }

    Block next(long count) {
        return sequence.next((int) Math.min(count, Integer.MAX_VALUE));
    }

    @Override
    public void close() {
        sequences.close();
    }
}
