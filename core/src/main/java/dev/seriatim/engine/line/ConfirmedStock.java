// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.line;

import dev.seriatim.Block;
import dev.seriatim.engine.sizing.TenureSizing;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceState;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The reserved values of CONFIRMED. They are the newest as long as the counter stands where their reservation left it. If a read
 * shows this, they are dealt to the callers that came before it was sent. Guarded by the line's lock.
 */
final class ConfirmedStock {

    private final TenureSizing sizing;

    Stock.@Nullable Unused held;

    /** Values that another session has reserved after; the line reports them lost. */
    final List<Stock.Unused> discarded = new ArrayList<>();

    /** The counter as the last reservation left it. */
    private @Nullable SequenceState left;

    ConfirmedStock(long maxBlock) {
        sizing = new TenureSizing(maxBlock);
    }

    /** Returns the counter that a read must show for the held values to be dealt; null if they are too few. */
    @Nullable
    SequenceState expected(long waiting) {
        if (held == null || waiting == 0) {
            return null;
        }
        // At the end of the sequence, a reservation would bring nothing, or begin the next cycle.
        return held.block().count() >= waiting || (left != null && left.usedUp()) ? left : null;
    }

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

    /** Returns a reservation's values, behind the held ones if no other session has reserved in between. */
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

    private static SequenceState after(Reservation reservation) {
        Block block = reservation.block();
        return new SequenceState(reservation.definition(), block.first(), false, reservation.epoch())
                .take(block.count())
                .after();
    }
}
