// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.line;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.engine.sizing.TenureSizing;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceState;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The reserved values of CONFIRMED. They are the newest values as long as the counter stands where their reservation left it, which a read
 * shows. They are then dealt to callers that came before the read was sent. {@link TenureSizing} determines how many to reserve ahead.
 * Guarded by the line's lock.
 */
final class ConfirmedStock {

    private final TenureSizing sizing;

    /** The values reserved and not dealt. The line puts back what a call's callers leave. */
    Stock.@Nullable Unused held;

    /** Values that will not be dealt, since another session has reserved after them; the line reports them. */
    final List<Stock.Unused> discarded = new ArrayList<>();

    /** The counter as the last reservation left it. */
    private @Nullable SequenceState left;

    /** Reserves at most {@code maxBlock} values ahead. */
    ConfirmedStock(long maxBlock) {
        sizing = new TenureSizing(maxBlock);
    }

    /**
     * Returns the counter as it stands if no session has reserved after the held values. A read that shows it allows them to be dealt, in
     * order, to callers that came before the read was sent. Null if they are too few for {@code waiting} values.
     */
    @Nullable
    SequenceState expected(long waiting) {
        if (held == null || waiting == 0) {
            return null;
        }
        // At the end of the sequence, a reservation would bring nothing, or begin the next cycle.
        return held.block().count() >= waiting || (left != null && left.usedUp()) ? left : null;
    }

    /** Returns how many values the next reservation requests for callers that wait for {@code waiting} values. */
    long size(long waiting) {
        return sizing.size(waiting, held == null ? 0 : held.block().count());
    }

    /** Removes the held values, because a read has confirmed them. */
    Stock.Unused takeHeld(long tookNanos) {
        sizing.confirmed(tookNanos);
        Stock.Unused taken = Objects.requireNonNull(held);
        held = null;
        return taken;
    }

    /** Discards the held values, because another session has reserved since. */
    void stale(long tookNanos) {
        sizing.read(tookNanos);
        interrupted();
    }

    /** Returns a reservation's values, with the held ones before them if no other session has reserved in between. */
    Stock.Unused joined(Reservation reservation, long tookNanos) {
        sizing.reserved(tookNanos);
        Block block = reservation.block();
        if (follows(reservation)) {
            sizing.followed(block.count());
        } else {
            interrupted();
        }
        Stock.Unused before = held;
        held = null;
        left = after(reservation);
        return new Stock.Unused(
                before == null
                        ? block
                        : new Block(before.block().first(), before.block().count() + block.count(), block.increment()),
                reservation.epoch());
    }

    private void interrupted() {
        sizing.interrupted();
        if (held != null) {
            discarded.add(held);
            held = null;
            sizing.lost();
        }
    }

    private boolean follows(Reservation reservation) {
        return left != null
                && !left.usedUp()
                && left.epoch() == reservation.epoch()
                && left.nextValue() == reservation.block().first()
                && left.definition().equals(reservation.definition());
    }

    /** Returns the counter as this reservation has left it. */
    private static SequenceState after(Reservation reservation) {
        SequenceDefinition definition = reservation.definition();
        long last = reservation.block().last();
        boolean usedUp = definition.endsAt(last);
        return new SequenceState(
                definition, usedUp ? last : last + definition.increment(), usedUp, reservation.epoch());
    }
}
