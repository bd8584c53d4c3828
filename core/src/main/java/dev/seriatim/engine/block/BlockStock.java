// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.block;

import dev.seriatim.Block;
import dev.seriatim.engine.line.Stock;
import dev.seriatim.engine.sizing.FixedSizing;
import dev.seriatim.engine.sizing.Sizing;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The values in hand of a mode that deals from blocks: one block being dealt, and those fetched ahead of it. Everything
 * but {@link #current} is under the line's lock.
 */
abstract class BlockStock implements Stock {

    private static final Span EMPTY = spent();

    private final Sizing sizing;

    /** Replaced under the line's lock; read without. */
    volatile Span current = EMPTY;

    /** Untouched blocks, in the order in which they are dealt: the order in which the store dealt them. */
    private ArrayDeque<Span> ahead = new ArrayDeque<>();

    /** What a block held that was too small for a piece; dealt before the next block. */
    private @Nullable Span crumb;

    /** Crumbs that no one will deal. */
    private final List<Held> swept = new ArrayList<>();

    private long aheadValues;
    private long stocked;
    private long cache;
    private boolean begun;

    BlockStock(Sizing sizing) {
        this.sizing = sizing;
    }

    @Override
    public final @Nullable Block take(long count) {
        while (true) {
            Span span = current;
            long place = span.stepExactly(count);
            if (place >= 0) {
                return span.block.slice(place, count);
            }
            boolean another = span.remaining() == 0 ? beginNext() : joined(span) || steppedOver(span, count);
            if (!another) {
                return null;
            }
        }
    }

    @Override
    public final @Nullable Block takeRest() {
        while (true) {
            Block rest = current.takeRest();
            if (rest != null || !beginNext()) {
                return rest;
            }
        }
    }

    /** Deals from the next block; false when there is none. */
    final boolean beginNext() {
        if (crumb != null) {
            begin(crumb);
            crumb = null;
            return true;
        }
        Span next = ahead.poll();
        if (next == null) {
            return false;
        }
        aheadValues -= next.count;
        begin(next);
        return true;
    }

    /**
     * Whether what is left of the current block, too small for a piece, was made one with the block behind it: possible when
     * no other session has reserved in between, and then large pieces leave no crumbs.
     */
    private boolean joined(Span span) {
        Span next = ahead.peek();
        if (next == null || !span.continuedBy(next)) {
            return false;
        }
        Block rest = span.takeRest();
        if (rest == null) {
            return true; // drawn in the meantime: there is a next block to go on with
        }
        ahead.remove();
        aheadValues -= next.count;
        begin(new Span(new Block(rest.first(), rest.count() + next.count, rest.increment()), next.epoch));
        return true;
    }

    /**
     * Whether a block behind is large enough for a piece that the current one is too small for. It becomes the current one;
     * what the other holds is kept for smaller draws, but only one such crumb: else a caller of large pieces alone would
     * pile them up.
     */
    private boolean steppedOver(Span small, long count) {
        for (Span span : ahead) {
            if (span.count >= count) {
                ahead.remove(span);
                aheadValues -= span.count;
                sweep();
                begin(span);
                crumb = small;
                return true;
            }
        }
        return false;
    }

    private void sweep() {
        Block rest = crumb == null ? null : crumb.takeRest();
        if (crumb != null && rest != null) {
            swept.add(new Held(rest, crumb.epoch));
        }
    }

    @Override
    public final List<Held> swept() {
        if (swept.isEmpty()) {
            return List.of();
        }
        List<Held> lost = List.copyOf(swept);
        swept.clear();
        return lost;
    }

    /** Deals from a block; the next is fetched when this and those behind it come down to the mark. */
    private void begin(Span span) {
        long mark = sizing.lowWaterMark();
        long fetchAt = span.count - (mark - aheadValues);
        boolean never = mark == FixedSizing.NO_MARK || mark <= aheadValues;
        span.trigger = never ? span.count : Math.max(0, fetchAt);
        current = span;
    }

    @Override
    public final long reservationSize(long waiting, int underWay, long requested) {
        boolean forCallers = waiting > 0 && underWay == 0;
        boolean forStock = begun
                && sizing.lowWaterMark() != FixedSizing.NO_MARK
                && remaining() + requested - waiting <= sizing.lowWaterMark();
        if (!forCallers && !forStock) {
            return NOTHING;
        }
        long size = sizing.size();
        if (size == SequenceStore.CACHE) {
            return waiting <= Math.max(1, cache) ? SequenceStore.CACHE : waiting;
        }
        return Math.max(size, waiting);
    }

    @Override
    public final int callersPerReservation() {
        return Integer.MAX_VALUE;
    }

    @Override
    public final int maxReservations() {
        return sizing.maxReservations();
    }

    @Override
    public final void sent(long now, long unserved) {
        sizing.sent(now, stocked - remaining() + unserved);
    }

    @Override
    public final boolean arrived(Reservation reservation, long tookNanos, long waiting, long unserved, long now) {
        begun = true;
        cache = reservation.definition().cache();
        Span span = new Span(reservation.block(), reservation.epoch());
        sizing.arrived(now, stocked - remaining() + unserved, span.count, tookNanos, waiting > span.count);
        stocked += span.count;
        if (remaining() == 0) {
            begin(span);
        } else {
            keep(span);
            aheadValues += span.count;
        }
        return true;
    }

    /** Behind what the store dealt before it. Reservations may end in another order than they were made in. */
    private void keep(Span span) {
        Span last = ahead.peekLast();
        if (last == null || !span.dealtBefore(last)) {
            ahead.add(span);
            return;
        }
        ArrayDeque<Span> sorted = new ArrayDeque<>();
        boolean kept = false;
        for (Span each : ahead) {
            if (!kept && span.dealtBefore(each)) {
                sorted.add(span);
                kept = true;
            }
            sorted.add(each);
        }
        ahead = sorted;
    }

    @Override
    public final long remaining() {
        return current.remaining() + aheadValues + (crumb == null ? 0 : crumb.remaining());
    }

    @Override
    public List<Held> drain() {
        List<Span> spans = new ArrayList<>();
        if (crumb != null) {
            spans.add(crumb);
        }
        spans.add(current);
        spans.addAll(ahead);
        current = EMPTY;
        crumb = null;
        ahead.clear();
        aheadValues = 0;
        List<Held> left = new ArrayList<>();
        for (Span span : spans) {
            Block rest = span.takeRest();
            if (rest != null) {
                left.add(new Held(rest, span.epoch));
                stocked -= rest.count(); // no caller has wanted them
            }
        }
        return left;
    }

    private static Span spent() {
        Span span = new Span(new Block(0, 1, 1), 0);
        span.step();
        span.trigger = 0;
        return span;
    }
}
