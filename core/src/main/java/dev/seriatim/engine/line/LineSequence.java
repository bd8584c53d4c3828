// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.line;

import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.engine.dispatch.SequenceContext;
import dev.seriatim.internal.Counts;
import dev.seriatim.internal.Holding;
import dev.seriatim.internal.Losing;
import dev.seriatim.internal.Messages;
import dev.seriatim.store.Reservation;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The ordered modes: every value is reserved for the caller who waits for it, or confirmed to be the newest before it is dealt from a
 * {@link Tenure}. Thread-safe.
 */
public final class LineSequence implements Sequence, Losing, Holding {

    private final SequenceContext context;
    private final WaitingLine line;
    private final boolean givesBack;

    private LineSequence(SequenceContext context, Reserver reserver, Stock stock, boolean lingers, boolean givesBack) {
        this.context = context;
        this.givesBack = givesBack;
        this.line = new WaitingLine(context, reserver, stock, lingers);
    }

    public static Sequence async(SequenceContext context, Reserver reserver, int maxReservations) {
        return new LineSequence(context, reserver, new NoStock(1, maxReservations), false, false);
    }

    public static Sequence combined(SequenceContext context, Reserver reserver) {
        return new LineSequence(context, reserver, new NoStock(Integer.MAX_VALUE, 1), true, false);
    }

    /** Reserves at most {@code maxBlock} values ahead of the callers. With {@code givesBack}, those left go back on close, if they can. */
    public static Sequence confirmed(SequenceContext context, Reserver reserver, long maxBlock, boolean givesBack) {
        return new LineSequence(context, reserver, new Tenure(maxBlock), true, givesBack);
    }

    @Override
    public String name() {
        return context.name;
    }

    @Override
    public long next() {
        return line.draw(1).first();
    }

    @Override
    public Block next(int count) {
        return line.draw(Counts.checked(context.name, count));
    }

    @Override
    public CompletionStage<Long> nextAsync() {
        return line.drawAsync();
    }

    @Override
    public void lose(Block values) {
        context.listener.tell(l -> l.lost(context.name, values));
    }

    @Override
    public long inHand() {
        return line.inHand();
    }

    @Override
    public void suspend() {
        line.putAway(line.suspend(), givesBack);
    }

    @Override
    public void resume() {
        line.resume();
    }

    @Override
    public Sequence local() {
        throw new UnsupportedOperationException(
                "sequence " + Messages.quoted(context.name)
                        + " promises order, which cursors cannot keep; open it with BATCH, ASYNC_BATCH or ADAPTIVE for local()");
    }

    @Override
    public void close() {
        line.close(() -> line.putAway(line.drain(), givesBack));
    }

    /** Nothing in hand; as many values per reservation as callers wait for. */
    private record NoStock(int callersPerReservation, int maxReservations) implements Stock {
        @Override
        public @Nullable Block take(long count) {
            return null;
        }

        @Override
        public long reservationSize(long waiting, int underWay, long requested) {
            return waiting == 0 ? NOTHING : waiting;
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
            return 0;
        }

        @Override
        public List<Held> swept() {
            return List.of();
        }

        @Override
        public List<Held> drain() {
            return List.of();
        }
    }
}
