// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The modes that keep values in hand: one atomic step per draw, and the line when that leads beyond the block.
 * Thread-safe.
 *
 * <p>One class for all of them, so that the call of {@code next()} stays the same one call for the compiler; what differs
 * is the {@link Sizing}.
 */
final class BlockSequence implements Sequence, Stock {

    private static final Span EMPTY = spent();

    private final SequenceContext context;
    private final Sizing sizing;
    private final WaitingLine line;

    /** Replaced under the line's lock; read without. */
    private volatile Span current = EMPTY;

    // Under the line's lock:
    private final ArrayDeque<Span> ahead = new ArrayDeque<>();
    private long aheadValues;
    private long stocked;
    private long cache;
    private boolean begun;

    private BlockSequence(SequenceContext context, Sizing sizing) {
        this.context = context;
        this.sizing = sizing;
        this.line = new WaitingLine(context, this, false);
    }

    static Sequence open(SequenceContext context, Sizing sizing) {
        return new BlockSequence(context, sizing);
    }

    @Override
    public String name() {
        return context.name;
    }

    @Override
    public long next() {
        Span span = current;
        long place = span.step();
        if (place < span.trigger) {
            return span.at(place);
        }
        return nextFromTrigger(span, place);
    }

    private long nextFromTrigger(Span begun, long stepped) {
        Span span = begun;
        long place = stepped;
        while (place >= span.count) {
            if (!movedOn(span)) {
                return line.draw(1).first();
            }
            span = current;
            place = span.step();
        }
        if (place == span.trigger) {
            line.pump();
        }
        return span.at(place);
    }

    /** Whether there is another block to deal from than the one that is spent: of this caller's making, or another's. */
    private boolean movedOn(Span spent) {
        line.lock.lock();
        try {
            return current != spent || beginNext();
        } finally {
            line.lock.unlock();
        }
    }

    @Override
    public Block next(int count) {
        Span span = current;
        long place = span.stepExactly(Counts.checked(context.name, count));
        if (place < 0) {
            return line.draw(count);
        }
        pumpIfCrossed(span, place, count);
        return span.block.slice(place, count);
    }

    @Override
    public CompletionStage<Long> nextAsync() {
        Span span = current;
        long place = span.stepExactly(1);
        if (place < 0) {
            return line.drawAsync(1).thenApply(Block::first);
        }
        pumpIfCrossed(span, place, 1);
        return CompletableFuture.completedFuture(span.at(place));
    }

    @Override
    public Sequence local() {
        return new LocalCursor(this);
    }

    /** Fills a cursor with up to {@code length} values in one piece, at least one, waiting for it when there is none. */
    void fill(LocalCursor cursor, long length) {
        Span span = current;
        long place = span.step(length);
        while (place >= span.count) {
            if (!movedOn(span)) {
                Block one = line.draw(1);
                cursor.deal(one.first(), one.increment(), 1);
                return;
            }
            span = current;
            place = span.step(length);
        }
        long taken = Math.min(length, span.count - place);
        pumpIfCrossed(span, place, taken);
        cursor.deal(span.at(place), span.increment, taken);
    }

    void lose(Block values) {
        context.listener.tell(l -> l.lost(context.name, values));
    }

    private void pumpIfCrossed(Span span, long place, long taken) {
        if (place <= span.trigger && span.trigger < place + taken) {
            line.pump();
        }
    }

    @Override
    public void close() {
        List<Held> left = line.close();
        Collections.reverse(left); // the store takes back only what it dealt last
        boolean taken = context.giveBack;
        for (Held held : left) {
            taken = taken && givenBack(held);
            if (!taken) {
                lose(held.block());
            }
        }
        context.onClose.run();
    }

    private boolean givenBack(Held held) {
        try {
            if (!context.reserver.giveBack(held.block(), held.epoch())) {
                return false;
            }
        } catch (SequenceException e) {
            context.listener.tell(l -> l.failed(context.name, e));
            return false;
        }
        context.listener.tell(l -> l.givenBack(context.name, held.block()));
        return true;
    }

    @Override
    public @Nullable Block take(long count) {
        while (true) {
            Span span = current;
            long place = span.stepExactly(count);
            if (place >= 0) {
                return span.block.slice(place, count);
            }
            if (span.remaining() > 0) {
                return takeAhead(count);
            }
            if (!beginNext()) {
                return null;
            }
        }
    }

    private boolean beginNext() {
        Span next = ahead.poll();
        if (next == null) {
            return false;
        }
        aheadValues -= next.remaining();
        begin(next);
        return true;
    }

    /** A piece that the current block is too small for, out of those behind it; the current one is dealt on. */
    private @Nullable Block takeAhead(long count) {
        for (Span span : ahead) {
            long place = span.stepExactly(count);
            if (place >= 0) {
                aheadValues -= count;
                return span.block.slice(place, count);
            }
        }
        return null;
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
    public long flightSize(long waiting, int flights, long inAir) {
        boolean forCallers = waiting > 0 && flights == 0;
        boolean forStock = begun
                && sizing.lowWaterMark() != FixedSizing.NO_MARK
                && inHand() + inAir - waiting <= sizing.lowWaterMark();
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
    public int callersPerFlight() {
        return Integer.MAX_VALUE;
    }

    @Override
    public int maxFlights() {
        return sizing.maxFlights();
    }

    @Override
    public void sent(long now) {
        sizing.sent(now, stocked - inHand());
    }

    @Override
    public boolean arrived(Reservation reservation, @Nullable Block rest, long tookNanos, boolean ranDry, long now) {
        boolean empty = begun && inHand() == 0;
        begun = true;
        cache = reservation.definition().cache();
        stocked += reservation.block().count();
        long inHand = inHand() + (rest == null ? 0 : rest.count());
        sizing.arrived(now, stocked - inHand, reservation.block().count(), tookNanos, ranDry || empty);
        if (rest == null) {
            return true;
        }
        Span span = new Span(rest, reservation.epoch());
        if (current.remaining() == 0 && ahead.isEmpty()) {
            begin(span);
        } else {
            ahead.add(span);
            aheadValues += span.count;
        }
        return true;
    }

    private long inHand() {
        return current.remaining() + aheadValues;
    }

    @Override
    public List<Held> drain() {
        List<Span> spans = new ArrayList<>(ahead);
        spans.add(0, current);
        current = EMPTY;
        ahead.clear();
        aheadValues = 0;
        List<Held> left = new ArrayList<>();
        for (Span span : spans) {
            Block rest = span.takeRest();
            if (rest != null) {
                left.add(new Held(rest, span.epoch));
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
