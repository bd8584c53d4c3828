// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.line;

import dev.seriatim.SequenceException;
import dev.seriatim.engine.dispatch.SequenceContext;
import dev.seriatim.engine.dispatch.Step;
import dev.seriatim.engine.dispatch.StoreFailures;
import dev.seriatim.engine.dispatch.Task;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One reservation: collects callers, asks the store, and brings the answer to the line. If CONFIRMED has values reserved, reads
 * the counter first. Used by one thread at a time; the line changes its fields under the lock.
 */
final class ReservationCall extends Task implements Step {

    private final WaitingLine line;
    private final SequenceContext context;
    private final Reserver reserver;

    /** The callers that had joined when this call became due. Only they fail if the executor refuses it. */
    private final long joinedBefore;

    final List<Ticket> callers = new ArrayList<>();

    /** Callers to wake, and values to report lost, outside the lock. */
    final List<Ticket> answered = new ArrayList<>();

    final List<Stock.Unused> lost = new ArrayList<>();

    private boolean collected;
    long requested;
    long sentAt;

    /** The counter that a read must show; null if a reservation is needed. */
    @Nullable
    SequenceState expected;

    /** Created under the lock. */
    ReservationCall(WaitingLine line, long joinedBefore) {
        this.line = line;
        this.context = line.context;
        this.reserver = line.reserver;
        this.joinedBefore = joinedBefore;
    }

    void sent(@Nullable SequenceState readMustShow, long size, long now) {
        expected = readMustShow;
        requested = size;
        sentAt = now;
        collected = true;
        nextStep(now);
    }

    void released() {
        callers.clear();
        collected = false;
        expected = null;
    }

    /** Asks the store here if it answers at once, or if this thread's caller waits for a read; otherwise on the executor. */
    void start(boolean byCaller) {
        boolean immediate = reserver.immediate();
        if (!immediate && !(byCaller && SequenceContext.mayCallHere() && line.mayConfirm())) {
            context.execute(this);
            return;
        }
        try {
            if (byCaller) {
                line.yieldToCallers();
            }
            if (!line.collect(this, Long.MAX_VALUE)
                    || (expected != null
                            && readHere(byCaller ? SequenceContext.maxHere(context.patience()) : Duration.ZERO))) {
                return;
            }
        } catch (Throwable e) {
            refused(e);
            return;
        }
        if (immediate && collected) {
            reserveNow();
        } else {
            context.execute(this);
        }
    }

    /** Returns whether the call has ended. If the store cannot bound the wait, the callers are back in line. */
    private boolean readHere(Duration atMost) {
        long began = context.timing().now();
        Optional<SequenceState> counter = reserver.readHere(atMost);
        if (counter.isPresent()) {
            return endedBy(counter.get(), began);
        }
        line.release(this);
        return false;
    }

    private void reserveNow() {
        Optional<Reservation> reservation = Optional.empty();
        SequenceException failure = null;
        try {
            reservation = reserver.reserveNow(requested);
        } catch (Throwable e) {
            failure = StoreFailures.ofStore(context.name(), e);
        }
        if (failure == null && reservation.isEmpty()) {
            context.execute(this);
        } else {
            end(reservation.orElse(null), failure, null);
        }
    }

    /** Runs on the executor, and continues as long as reservations are due. */
    @Override
    public void run() {
        reserve();
        line.reserveDue();
    }

    void reserve() {
        Reservation reservation = null;
        SequenceException failure = null;
        try {
            if (!collected && !line.collect(this, Long.MAX_VALUE)) {
                return;
            }
            if (expected != null) {
                long began = context.timing().now();
                if (endedBy(read(), began)) {
                    return;
                }
            }
            reservation = reserver.reserve(requested);
        } catch (Throwable e) {
            failure = StoreFailures.ofStore(context.name(), e);
        }
        end(reservation, failure, null);
    }

    /** Returns the counter, or null if the read failed, which confirms nothing. */
    private @Nullable SequenceState read() {
        try {
            return reserver.read();
        } catch (SequenceException.Overloaded e) {
            line.readFailed(this, e);
        } catch (SequenceException e) {
            // The reservation that follows reports the cause.
        }
        return null;
    }

    /** Fails the callers that waited when the call became due, without asking the store. */
    @Override
    public void refused(Throwable why) {
        try {
            if (!collected && !line.collect(this, joinedBefore)) {
                return;
            }
        } catch (Throwable e) {
            why.addSuppressed(e);
        }
        end(null, StoreFailures.ofExecutor(context.name(), why), null);
    }

    /** Returns whether a read has ended this call: it confirmed the values, or came too late. Otherwise collects again. */
    private boolean endedBy(@Nullable SequenceState counter, long began) {
        boolean confirmed = line.confirms(this, counter, began);
        if (confirmed || abandoned()) {
            end(null, null, confirmed ? counter : null);
            return true;
        }
        return !line.collect(this, Long.MAX_VALUE);
    }

    void end(@Nullable Reservation reservation, @Nullable SequenceException failure, @Nullable SequenceState counter) {
        try {
            line.end(this, reservation, failure, counter);
            answered.forEach(Ticket::complete);
            lost.forEach(unused -> context.listener().call(l -> l.lost(context.name(), unused.block())));
        } catch (Throwable e) {
            // no memory even for that: the callers time out
        } finally {
            line.reported();
        }
    }
}
