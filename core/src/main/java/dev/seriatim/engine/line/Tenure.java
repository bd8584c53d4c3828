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
 * The values in hand of CONFIRMED. They are the newest there are for as long as the counter stands where their reservation left
 * it, which a read finds out. Then they are dealt to callers who came before the read was sent. {@link TenureSizing} says how many
 * to reserve ahead.
 */
final class Tenure implements Stock {

    private final TenureSizing sizing;

    private @Nullable Held held;
    private @Nullable SequenceState expected;
    private final List<Held> swept = new ArrayList<>();

    /** Reserves at most {@code maxBlock} values ahead. */
    Tenure(long maxBlock) {
        sizing = new TenureSizing(maxBlock);
    }

    @Override
    public @Nullable SequenceState confirmable(long waiting) {
        if (held == null || waiting == 0) {
            return null;
        }
        // At the end of the sequence, a reservation would bring nothing, or begin the next cycle.
        return held.block().count() >= waiting || (expected != null && expected.usedUp()) ? expected : null;
    }

    @Override
    public Held confirmed(long tookNanos) {
        sizing.confirmed(tookNanos);
        Held dealt = Objects.requireNonNull(held);
        held = null;
        return dealt;
    }

    @Override
    public void stale(long tookNanos) {
        sizing.read(tookNanos);
        lose();
    }

    @Override
    public long reservationSize(long waiting, int underWay, long requested) {
        if (waiting == 0) {
            return NOTHING;
        }
        return sizing.size(waiting, held == null ? 0 : held.block().count());
    }

    @Override
    public Held joined(Reservation reservation, long tookNanos) {
        sizing.reserved(tookNanos);
        Block block = reservation.block();
        boolean follows = expected != null && continues(expected, reservation);
        if (follows) {
            sizing.followed(block.count());
        } else {
            lose();
        }
        Held before = held;
        held = null;
        expected = after(reservation);
        return new Held(
                before == null
                        ? block
                        : new Block(before.block().first(), before.block().count() + block.count(), block.increment()),
                reservation.epoch());
    }

    @Override
    public boolean keep(Held rest) {
        held = rest;
        return true;
    }

    private void lose() {
        sizing.interrupted();
        if (held != null) {
            swept.add(held);
            held = null;
            sizing.lost();
        }
    }

    private static boolean continues(SequenceState before, Reservation reservation) {
        return !before.usedUp()
                && before.epoch() == reservation.epoch()
                && before.nextValue() == reservation.block().first()
                && before.definition().equals(reservation.definition());
    }

    /** The counter as this reservation has left it. */
    private static SequenceState after(Reservation reservation) {
        SequenceDefinition definition = reservation.definition();
        long last = reservation.block().last();
        boolean usedUp = definition.endsAt(last);
        return new SequenceState(
                definition, usedUp ? last : last + definition.increment(), usedUp, reservation.epoch());
    }

    @Override
    public @Nullable Block take(long count) {
        return null; // never without a read
    }

    @Override
    public int callersPerReservation() {
        return Integer.MAX_VALUE;
    }

    @Override
    public int maxReservations() {
        return 1;
    }

    @Override
    public void sent(long now, long unserved) {}

    @Override
    public boolean arrived(Reservation reservation, long tookNanos, long waiting, long unserved, long now) {
        return false;
    }

    @Override
    public @Nullable Block takeRest() {
        return null;
    }

    @Override
    public long remaining() {
        return held == null ? 0 : held.block().count();
    }

    @Override
    public List<Held> swept() {
        if (swept.isEmpty()) {
            return List.of();
        }
        List<Held> lost = List.copyOf(swept);
        swept.clear();
        return lost;
    }

    @Override
    public List<Held> drain() {
        List<Held> left = held == null ? List.of() : List.of(held);
        held = null;
        return left;
    }
}
