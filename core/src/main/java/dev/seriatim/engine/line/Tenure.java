// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.line;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceState;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The values in hand of CONFIRMED. They are the newest there are for as long as the counter stands where their reservation left
 * it, which a read finds out. Then they are dealt to callers who came before the read was sent.
 *
 * <p>How many to reserve ahead of the callers, so that reading pays:
 *
 * <ol>
 *   <li>Nothing, until reservations have followed one another with no other session in between.
 *   <li>Then twice as many as the last time, for as long as that stays so.
 *   <li>Nothing again once another session has reserved: the values in hand are lost. If the reads since the last loss have not
 *       saved more time than they took, twice as many reservations must follow one another before the next attempt; otherwise half
 *       as many.
 * </ol>
 */
final class Tenure implements Stock {

    private static final int MAX_REQUIRED = 64;
    private static final long GROWTH = 2;
    private static final double SMOOTHING = 0.2;

    private final long maxBlock;

    private @Nullable Held held;
    private @Nullable SequenceState expected;
    private final List<Held> swept = new ArrayList<>();

    /** Values to reserve beyond those that callers wait for. */
    private long ahead;

    /** How many reservations have followed one another, and how many must before the first value is reserved ahead. */
    private int consecutive;

    private int required = 1;

    private long confirmations;
    private double readNanos;
    private double reservationNanos;

    /** Reserves at most {@code maxBlock} values ahead. */
    Tenure(long maxBlock) {
        this.maxBlock = maxBlock;
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
        readNanos = smoothed(readNanos, tookNanos);
        confirmations++;
        Held dealt = Objects.requireNonNull(held);
        held = null;
        return dealt;
    }

    @Override
    public void stale(long tookNanos) {
        readNanos = smoothed(readNanos, tookNanos);
        lose();
    }

    @Override
    public long reservationSize(long waiting, int underWay, long requested) {
        if (waiting == 0) {
            return NOTHING;
        }
        long inHand = held == null ? 0 : held.block().count();
        long size = waiting + Math.max(0, Math.min(ahead, maxBlock) - inHand);
        return size < 0 ? waiting : size;
    }

    @Override
    public Held joined(Reservation reservation, long tookNanos) {
        reservationNanos = smoothed(reservationNanos, tookNanos);
        Block block = reservation.block();
        boolean follows = expected != null && continues(expected, reservation);
        if (follows) {
            consecutive++;
            ahead = consecutive < required ? 0 : Math.min(maxBlock, Math.max(block.count(), GROWTH * ahead));
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
        consecutive = 0;
        ahead = 0;
        if (held == null) {
            return;
        }
        swept.add(held);
        held = null;
        boolean paid = confirmations * (reservationNanos - readNanos) > readNanos;
        required = paid ? Math.max(1, required / 2) : Math.min(MAX_REQUIRED, required * 2);
        confirmations = 0;
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

    private static double smoothed(double before, long nanos) {
        return before == 0 ? nanos : before + (nanos - before) * SMOOTHING;
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
    public void sent(long now) {}

    @Override
    public boolean arrived(Reservation reservation, long tookNanos, boolean ranDry, long now) {
        return false;
    }

    @Override
    public @Nullable Block takeRest() {
        return null;
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
