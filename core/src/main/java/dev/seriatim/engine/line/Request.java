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
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One reservation: collects callers, asks the store, delivers. Where values in hand may do, it first reads the counter, and reserves
 * only if another session has reserved since. Used by one thread at a time.
 */
final class Request extends Task implements Step {

    private final Reservations reservations;
    private final WaitingLine line;
    private final SequenceContext context;
    private final ReentrantLock lock;
    private final Delivery delivery;

    /** How many callers had joined when it was called for. */
    private final long joinedBefore;

    private boolean collected;
    private long asked;
    private long sentAt;

    /** What a read must show for the values in hand to be dealt; null if a reservation is needed. */
    private @Nullable SequenceState toConfirm;

    /** Under the lock. */
    Request(Reservations reservations, WaitingLine line) {
        this.reservations = reservations;
        this.line = line;
        context = line.context;
        lock = line.lock;
        delivery = new Delivery(line);
        joinedBefore = line.joined;
    }

    /** How many values it has asked for, as far as it was sent. */
    long asked() {
        return asked;
    }

    /**
     * On the thread that found it called for: asks the store there if that answers at once, or if that thread belongs to a caller who
     * waits for this and a read may do; else on the executor.
     */
    void start(boolean byCaller) {
        boolean immediate = line.reserver.immediate();
        if (!immediate && !(byCaller && mayConfirmHere())) {
            context.hand(this);
            return;
        }
        try {
            if (byCaller) {
                line.readLinger.yieldToCallers(context.timing);
            }
            if (!collect(Long.MAX_VALUE)
                    || (toConfirm != null
                            && readHere(byCaller ? SequenceContext.maxHere(context.patience) : Duration.ZERO))) {
                return;
            }
        } catch (Throwable e) {
            refused(e);
            return;
        }
        if (immediate && collected) {
            reserveNow();
        } else {
            context.hand(this);
        }
    }

    private boolean mayConfirmHere() {
        if (!SequenceContext.mayCallHere()) {
            return false;
        }
        lock.lock();
        try {
            return line.stock.confirmable(Ticket.values(line.waiting)) != null;
        } finally {
            lock.unlock();
        }
    }

    /** Reads on this thread; returns whether this has ended. If not, nothing is collected when the read did not come about. */
    private boolean readHere(Duration atMost) {
        long began = context.timing.now();
        Optional<SequenceState> counter = line.reserver.readHere(atMost);
        if (counter.isPresent()) {
            return endedBy(counter.get(), began);
        }
        lock.lock();
        try {
            release();
        } finally {
            lock.unlock();
        }
        return false;
    }

    private void reserveNow() {
        Optional<Reservation> reservation = Optional.empty();
        SequenceException failure = null;
        try {
            reservation = line.reserver.reserveNow(asked);
        } catch (Throwable e) {
            failure = StoreFailures.ofStore(context.name, e);
        }
        if (failure == null && reservation.isEmpty()) {
            context.hand(this);
        } else {
            end(reservation.orElse(null), failure, null);
        }
    }

    /** On the executor, which goes on for as long as there is something to reserve. */
    @Override
    public void run() {
        reserve();
        reservations.reserveOn();
    }

    void reserve() {
        Reservation reservation = null;
        SequenceException failure = null;
        try {
            if (!collected && !collect(Long.MAX_VALUE)) {
                return;
            }
            if (toConfirm != null) {
                long began = context.timing.now();
                if (endedBy(read(), began)) {
                    return;
                }
            }
            reservation = line.reserver.reserve(asked);
        } catch (Throwable e) {
            failure = StoreFailures.ofStore(context.name, e);
        }
        end(reservation, failure, null);
    }

    /** Returns the counter; null if the read has failed, which confirms nothing. */
    private @Nullable SequenceState read() {
        try {
            return line.reserver.read();
        } catch (SequenceException.Overloaded e) {
            lock.lock();
            try {
                delivery.readFailed(e);
            } finally {
                lock.unlock();
            }
        } catch (SequenceException e) {
            // The reservation that follows finds out what is wrong.
        }
        return null;
    }

    /** Fails, without asking the store, those who waited when it was called for. */
    @Override
    public void refused(Throwable why) {
        try {
            if (!collected && !collect(joinedBefore)) {
                return;
            }
        } catch (Throwable e) {
            why.addSuppressed(e);
        }
        end(null, StoreFailures.ofExecutor(context.name, why), null);
    }

    /** Takes the callers who wait now, up to a place in the line; returns false if nothing is called for any more, and ends then. */
    private boolean collect(long before) {
        boolean first = !begun();
        lock.lock();
        try {
            if (line.stock.confirmable(Ticket.values(line.waiting)) == null) {
                line.awaitCallers();
            } else {
                line.awaitReaders();
            }
            if (first && !reservations.begin(this)) {
                return false;
            }
            delivery.collect(before);
            toConfirm = line.stock.confirmable(delivery.values());
            long size = toConfirm == null ? reservations.sizeFor(delivery.values()) : 0;
            if (size != Stock.NOTHING) {
                collected = true;
                asked = size;
                reservations.sent(this);
                sentAt = context.timing.now();
                nextStep(sentAt);
                line.stock.sent(sentAt, line.unserved);
                return true;
            }
            delivery.backInLine(); // another reservation has made this one needless, and will serve them
            if (first) {
                reservations.needless(this);
            }
        } finally {
            lock.unlock();
        }
        if (!first) {
            end(null, null, null);
        }
        return false;
    }

    /** Nothing has been asked for the callers yet: others may join. Under the lock. */
    private void release() {
        delivery.release();
        collected = false;
        toConfirm = null;
    }

    /** Whether a read has ended this: it confirmed the values in hand, or has come too late. Otherwise collects for a reservation. */
    private boolean endedBy(@Nullable SequenceState counter, long began) {
        boolean confirmed = false;
        lock.lock();
        try {
            confirmed = toConfirm != null
                    && !abandoned()
                    && toConfirm.equals(line.stock.confirmable(delivery.values()))
                    && toConfirm.equals(counter);
            if (!confirmed) {
                if (!abandoned()) {
                    line.stock.stale(context.timing.now() - began);
                }
                release();
            }
        } finally {
            lock.unlock();
        }
        if (confirmed || abandoned()) {
            end(null, null, confirmed ? counter : null);
            return true;
        }
        return !collect(Long.MAX_VALUE);
    }

    private void end(
            @Nullable Reservation reservation, @Nullable SequenceException failure, @Nullable SequenceState confirmed) {
        try {
            deliver(reservation, failure, confirmed);
            delivery.report();
        } catch (Throwable e) {
            // no memory even for that: the callers find it when their patience ends
        } finally {
            reservations.reported();
        }
    }

    private void deliver(
            @Nullable Reservation reservation, @Nullable SequenceException failure, @Nullable SequenceState confirmed) {
        lock.lock();
        try {
            reservations.ended(this);
            long now = context.timing.now();
            if (confirmed != null) {
                reservations.retry.succeeded();
                line.readLinger.ended(delivery.callers() + line.waiting.size(), now - sentAt);
                delivery.dealConfirmed(confirmed, now - sentAt);
            } else if (reservation != null) {
                ended(now);
                reservations.retry.succeeded();
                delivery.deal(reservation, asked, now - calledAt(), now - sentAt, now, abandoned());
            } else if (failure != null) {
                ended(now);
                delivery.fail(failure, reservations);
                reservations.retry.failed(failure);
            }
            delivery.close();
        } catch (Throwable e) {
            delivery.failRest(e);
        } finally {
            lock.unlock();
        }
    }

    private void ended(long now) {
        if (begun() && !abandoned()) {
            line.linger.ended(delivery.callers() + line.waiting.size(), now - sentAt);
        }
    }
}
