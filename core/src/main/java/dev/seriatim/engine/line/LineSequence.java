// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.line;

import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.engine.dispatch.SequenceContext;
import dev.seriatim.engine.dispatch.Suspendable;
import dev.seriatim.internal.LossReporter;
import dev.seriatim.internal.Messages;
import java.util.concurrent.CompletionStage;

/** The ordered modes: each value is reserved for a waiting caller, or confirmed to be the newest before it is dealt. Thread-safe. */
public final class LineSequence implements Sequence, LossReporter, Suspendable {

    private final SequenceContext context;
    private final WaitingLine line;
    private final boolean givesBack;

    private LineSequence(WaitingLine line, boolean givesBack) {
        this.context = line.context;
        this.line = line;
        this.givesBack = givesBack;
    }

    public static Sequence async(SequenceContext context, Reserver reserver, int maxReservations) {
        return new LineSequence(new WaitingLine(context, reserver, null, null, false, maxReservations), false);
    }

    public static Sequence combined(SequenceContext context, Reserver reserver) {
        return new LineSequence(new WaitingLine(context, reserver, null, null, true, 1), false);
    }

    public static Sequence confirmed(SequenceContext context, Reserver reserver, long maxBlock, boolean givesBack) {
        ConfirmedStock stock = new ConfirmedStock(maxBlock);
        return new LineSequence(new WaitingLine(context, reserver, null, stock, true, 1), givesBack);
    }

    @Override
    public String name() {
        return context.name();
    }

    @Override
    public long next() {
        return line.draw(1).first();
    }

    @Override
    public Block next(int count) {
        return line.draw(SequenceDefinition.checkCount(context.name(), count));
    }

    @Override
    public CompletionStage<Long> nextAsync() {
        return line.drawAsync();
    }

    @Override
    public void reportLost(long first, long count, long increment) {
        Block values = new Block(first, count, increment);
        context.listener().call(l -> l.lost(context.name(), values));
    }

    @Override
    public long inHand() {
        return line.held();
    }

    @Override
    public void suspend() {
        long deadline = context.deadline();
        line.putAway(line.suspend(deadline), givesBack, deadline);
    }

    @Override
    public void resume() {
        line.resume();
    }

    @Override
    public Sequence local() {
        throw new UnsupportedOperationException(
                "sequence " + Messages.quoted(context.name())
                        + " promises order, which cursors cannot keep; open it with BATCH, ASYNC_BATCH or ADAPTIVE for local()");
    }

    @Override
    public void close() {
        line.close(deadline -> line.putAway(line.drain(), givesBack, deadline));
    }
}
