// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.line;

import dev.seriatim.Block;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceState;
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

    /**
     * The counter as it stands if no session has reserved after the values in hand; a read that finds it so allows them to be
     * dealt, in order, to callers who came before it was sent. Null if they are too few for {@code waiting} values, or the mode
     * deals from its stock without a read.
     */
    default @Nullable SequenceState confirmable(long waiting) {
        return null;
    }

    /** A read has confirmed the values in hand: takes them out; what its callers leave comes back by {@link #keep}. */
    default Held confirmed(long tookNanos) {
        throw new IllegalStateException("nothing to confirm");
    }

    /** A read has shown that another session has reserved since: the values in hand will not be dealt. */
    default void stale(long tookNanos) {}

    /**
     * What a reservation's callers are dealt from: its block, with the values in hand before it if no other session has reserved in
     * between.
     */
    default Held joined(Reservation reservation, long tookNanos) {
        return new Held(reservation.block(), reservation.epoch());
    }

    /** Keeps what a reservation's callers have left; returns false if it is lost. */
    default boolean keep(Held rest) {
        return false;
    }

    /** Maximum callers to share one reservation. */
    int callersPerReservation();

    /** Maximum reservations under way at a time; never changes. */
    int maxReservations();

    /** A reservation is being sent; {@code unserved} values were asked for in vain so far, or are waited for. */
    void sent(long now, long unserved);

    /**
     * A reservation has arrived.
     *
     * @param tookNanos from when it was called for
     * @param waiting values that callers wait for now, its own among them
     * @param unserved values that were asked for in vain so far, or are waited for
     * @return whether it was taken in, to be dealt from here; if not, it belongs to its callers alone
     */
    boolean arrived(Reservation reservation, long tookNanos, long waiting, long unserved, long now);

    /** The values left, in the order in which they are dealt, as far as they are one piece; null if there are none. */
    @Nullable
    Block takeRest();

    /** How many values are left to deal. */
    long remaining();

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
