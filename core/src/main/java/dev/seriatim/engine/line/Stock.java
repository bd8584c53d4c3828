// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.line;

import dev.seriatim.Block;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceStore;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a line deals from besides the reservations made for its callers, and what a mode decides: how many values a
 * reservation asks for and what happens to those that no caller waited for. Every method is called under the line's lock.
 */
public interface Stock {

    /** No reservation is called for. */
    long NOTHING = -1;

    /** Exactly {@code count} values in one piece, or null when the stock has no such piece. */
    @Nullable
    Block take(long count);

    /**
     * How many values the next reservation asks for.
     *
     * @param waiting values that callers wait for
     * @param underWay reservations under way already
     * @param requested values that those asked for
     * @return at least {@code waiting}, or {@link SequenceStore#CACHE}, or {@link #NOTHING}
     */
    long reservationSize(long waiting, int underWay, long requested);

    /** Maximum callers to share one reservation. */
    int callersPerReservation();

    /** Maximum reservations under way at a time; never changes. */
    int maxReservations();

    /** A reservation is being sent. */
    void sent(long now);

    /**
     * A reservation has arrived.
     *
     * @param tookNanos from when it was called for
     * @param ranDry whether callers had to wait for it
     * @return whether it was taken in, to be dealt from here; if not, it belongs to its callers alone
     */
    boolean arrived(Reservation reservation, long tookNanos, boolean ranDry, long now);

    /** The values left, in the order in which they are dealt, as far as they are one piece; null if there are none. */
    @Nullable
    Block takeRest();

    /** Values that will never be dealt; each is returned once. */
    List<Held> swept();

    /** Takes everything out. */
    List<Held> drain();

    /** Values in hand, and the epoch they were reserved in. Ordered as the store dealt them: within an epoch, in one direction. */
    record Held(Block block, long epoch) implements Comparable<Held> {
        @Override
        public int compareTo(Held other) {
            int byEpoch = Long.compare(epoch, other.epoch);
            int byValue = Long.compare(block.first(), other.block.first());
            return byEpoch != 0 ? byEpoch : block.increment() > 0 ? byValue : -byValue;
        }
    }
}
