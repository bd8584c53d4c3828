// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import dev.seriatim.Allocation;
import dev.seriatim.Sequence;
import dev.seriatim.engine.block.BlockSequence;
import dev.seriatim.engine.line.LineSequence;
import dev.seriatim.engine.line.SequenceContext;
import dev.seriatim.sizing.AdaptiveSizing;
import dev.seriatim.sizing.FixedSizing;

/** Maps each mode to the part of the engine that serves it. */
final class Modes {

    /** Maximum number of concurrent reservations per ASYNC sequence; further callers queue. */
    static final int ASYNC_RESERVATIONS = 16;

    private Modes() {}

    static Sequence open(Allocation mode, SequenceContext context) {
        if (mode instanceof Allocation.Async) {
            return LineSequence.async(context, ASYNC_RESERVATIONS);
        }
        if (mode instanceof Allocation.Combined) {
            return LineSequence.combined(context);
        }
        if (mode instanceof Allocation.Batch batch) {
            return BlockSequence.open(context, new FixedSizing(batch.size(), FixedSizing.NO_MARK));
        }
        if (mode instanceof Allocation.AsyncBatch batch) {
            return BlockSequence.open(context, new FixedSizing(batch.size(), batch.lowWaterMark()));
        }
        if (mode instanceof Allocation.Adaptive bounds) {
            return BlockSequence.open(context, new AdaptiveSizing(bounds));
        }
        throw new AssertionError(mode);
    }
}
