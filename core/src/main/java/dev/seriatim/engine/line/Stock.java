// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.line;

import dev.seriatim.Block;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceStore;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The reserved values of a block mode, and how much more to reserve. Called under the line's lock. */
public interface Stock {

    /** No reservation is due. */
    long NOTHING = -1;

    /** Takes {@code count} values in one piece, or null; with {@code last}, a shorter piece, and null only if nothing is left. */
    @Nullable
    Block take(long count, boolean last);

    /**
     * Returns how many values to request: at least the {@code waiting} ones, or {@link SequenceStore#CACHE}, or {@link #NOTHING}.
     * The reservations under way have requested {@code requested} values.
     */
    long size(long waiting, int underWay, long requested);

    /** A reservation is being sent; {@code unserved} values are waited for, or were until their callers timed out. */
    void sent(long now, long unserved);

    /** Takes a reservation in, {@code tookNanos} after it became due; callers, its own included, wait for {@code waiting} values. */
    void arrived(Reservation reservation, long tookNanos, long waiting, long unserved, long now);

    /** Removes the values that will not be dealt; with {@code all}, every value that is left. */
    List<Unused> discarded(boolean all);

    /** Values that were reserved and not dealt. Ordered as the store dealt them: within an epoch, in one direction. */
    record Unused(Block block, long epoch) implements Comparable<Unused> {
        @Override
        public int compareTo(Unused other) {
            int byEpoch = Long.compare(epoch, other.epoch);
            int byValue = Long.compare(block.first(), other.block.first());
            return byEpoch != 0 ? byEpoch : block.increment() > 0 ? byValue : -byValue;
        }
    }
}
