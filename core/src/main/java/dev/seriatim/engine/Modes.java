// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import dev.seriatim.Allocation;
import dev.seriatim.Sequence;
import dev.seriatim.engine.block.BlockSequence;
import dev.seriatim.engine.dispatch.SequenceContext;
import dev.seriatim.engine.line.LineSequence;
import dev.seriatim.engine.line.Reserver;
import dev.seriatim.engine.sizing.AdaptiveSizing;
import dev.seriatim.engine.sizing.FixedSizing;

/** Maps each mode to the part of the engine that serves it. */
final class Modes {

    /** Maximum number of concurrent reservations per ASYNC sequence; further callers queue. */
    static final int ASYNC_RESERVATIONS = 16;

    private Modes() {}

    static Sequence open(Allocation mode, SequenceContext context, Reserver reserver, boolean givesBack) {
        if (mode instanceof Allocation.Async) {
            return LineSequence.async(context, reserver, ASYNC_RESERVATIONS);
        }
        if (mode instanceof Allocation.Combined) {
            return LineSequence.combined(context, reserver);
        }
        if (mode instanceof Allocation.Confirmed confirmed) {
            return LineSequence.confirmed(context, reserver, confirmed.maxBlock(), givesBack);
        }
        if (mode instanceof Allocation.Batch batch) {
            return new BlockSequence(context, reserver, new FixedSizing(batch.size(), FixedSizing.NO_MARK), givesBack);
        }
        if (mode instanceof Allocation.AsyncBatch batch) {
            return new BlockSequence(context, reserver, new FixedSizing(batch.size(), batch.lowWaterMark()), givesBack);
        }
        if (mode instanceof Allocation.Adaptive bounds) {
            return new BlockSequence(context, reserver, new AdaptiveSizing(bounds), givesBack);
        }
        throw new AssertionError(mode);
    }
}
