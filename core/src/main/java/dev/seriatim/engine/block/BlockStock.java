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

/** The current and the prefetched blocks of a block mode. Guarded by the line's lock, except {@link #current}. */
abstract class BlockStock implements Stock {

    private static final Span EMPTY = spent();

    private final Sizing sizing;

    /** Written under the line's lock. */
    volatile Span current = EMPTY;

    /** Untouched blocks, in the order in which the store dealt them. */
    private ArrayDeque<Span> ahead = new ArrayDeque<>();

    /** A block whose rest was too small for a piece; dealt before the next block. */
    private @Nullable Span remainder;

    /** Remainders that will not be dealt, to be reported as lost. */
    private final List<Unused> discarded = new ArrayList<>();

    private long aheadValues;
    private long stocked;
    private long cache;
    private boolean begun;

    BlockStock(Sizing sizing) {
        this.sizing = sizing;
    }

    @Override
    public final @Nullable Block take(long count, boolean last) {
        while (true) {
            Span span = current;
            long place = span.stepExactly(count);
            if (place >= 0) {
                return span.block.slice(place, count);
            }
            boolean another = span.remaining() == 0 ? beginNext() : joined(span) || steppedOver(span, count);
            if (!another) {
                return last ? takeRest() : null;
            }
        }
    }

    final @Nullable Block takeRest() {
        while (true) {
            Block rest = current.takeRest();
            if (rest != null || !beginNext()) {
                return rest;
            }
        }
    }

    /** Returns false if there is no next block. */
    final boolean beginNext() {
        if (remainder != null) {
            begin(remainder);
            remainder = null;
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

    /** Joins the rest of a block with the next one, so that large pieces leave no remainders. False if they are not adjacent. */
    private boolean joined(Span span) {
        Span next = ahead.peek();
        if (next == null || !span.continuedBy(next)) {
            return false;
        }
        Block rest = span.takeRest();
        if (rest == null) {
            return true; // drawn in the meantime: continue with the next block
        }
        ahead.remove();
        aheadValues -= next.count;
        begin(new Span(new Block(rest.first(), rest.count() + next.count, rest.increment()), next.epoch));
        return true;
    }

    /**
     * Begins the next block that is large enough for a piece. Keeps one remainder for smaller draws: a caller that draws only
     * large pieces would pile up more.
     */
    private boolean steppedOver(Span small, long count) {
        for (Span span : ahead) {
            if (span.count >= count) {
                ahead.remove(span);
                aheadValues -= span.count;
                discardRemainder();
                begin(span);
                remainder = small;
                return true;
            }
        }
        return false;
    }

    private void discardRemainder() {
        Block rest = remainder == null ? null : remainder.takeRest();
        if (remainder != null && rest != null) {
            discarded.add(new Unused(rest, remainder.epoch));
        }
    }

    /** The next block is fetched when this block and the prefetched ones are down to the mark. */
    private void begin(Span span) {
        long mark = sizing.lowWaterMark();
        long fetchAt = span.count - (mark - aheadValues);
        boolean never = mark == FixedSizing.NO_MARK || mark <= aheadValues;
        span.trigger = never ? span.count : Math.max(0, fetchAt);
        current = span;
    }

    @Override
    public final long size(long waiting, int underWay, long requested) {
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
    public final void sent(long now, long unserved) {
        sizing.sent(now, stocked - remaining() + unserved);
    }

    @Override
    public final void arrived(Reservation reservation, long tookNanos, long waiting, long unserved, long now) {
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
    }

    /** Adds a block behind the blocks that the store dealt before it. Reservations may end in a different order. */
    private void keep(Span span) {
        List<Span> sorted = new ArrayList<>(ahead);
        int place = sorted.size();
        while (place > 0 && span.dealtBefore(sorted.get(place - 1))) {
            place--;
        }
        sorted.add(place, span);
        ahead = new ArrayDeque<>(sorted);
    }

    final long remaining() {
        return current.remaining() + aheadValues + (remainder == null ? 0 : remainder.remaining());
    }

    @Override
    public List<Unused> discarded(boolean all) {
        if (!all && discarded.isEmpty()) {
            return List.of();
        }
        List<Unused> removed = new ArrayList<>(discarded);
        discarded.clear();
        if (all) {
            drainTo(removed);
        }
        return removed;
    }

    private void drainTo(List<Unused> removed) {
        List<Span> spans = new ArrayList<>();
        if (remainder != null) {
            spans.add(remainder);
        }
        spans.add(current);
        spans.addAll(ahead);
        current = EMPTY;
        remainder = null;
        ahead.clear();
        aheadValues = 0;
        for (Span span : spans) {
            Block rest = span.takeRest();
            if (rest != null) {
                removed.add(new Unused(rest, span.epoch));
                stocked -= rest.count(); // no caller has wanted them
            }
        }
    }

    /** Never null, so that a draw needs no null check. */
    private static Span spent() {
        Span span = new Span(new Block(0, 1, 1), 0);
        span.step();
        span.trigger = 0;
        return span;
    }
}
