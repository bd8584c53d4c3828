// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.worker;

import dev.seriatim.SequenceListener;
import dev.seriatim.store.OpenStore;

/** Draws for the lanes of one order. Thread-safe. */
public interface LaneDraws extends AutoCloseable {

    /** Opens a sequence for the lanes of an order. */
    @FunctionalInterface
    interface Generator {
        /** Opens it; reports events of reserved numbers to the listener. */
        LaneDraws open(OpenStore store, LaneOrder order, SequenceListener listener);
    }

    /** Takes one turn, usually one draw, and records its numbers. A turn that throws is reported as failed. */
    void turn(LaneLog log) throws Exception;

    /** Closes the sequence, after the last turn. */
    @Override
    default void close() {}
}
