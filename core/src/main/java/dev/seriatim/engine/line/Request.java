// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.line;

import dev.seriatim.SequenceException;
import dev.seriatim.engine.dispatch.SequenceContext;
import dev.seriatim.engine.dispatch.Step;
import dev.seriatim.engine.dispatch.StoreFailures;
import dev.seriatim.engine.dispatch.Task;
import dev.seriatim.store.Reservation;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** One reservation: collects callers, asks the store, delivers. Used by one thread at a time. */
final class Request extends Task implements Step {

    private final Reservations reservations;
    private final WaitingLine line;
    private final SequenceContext context;
    private final ReentrantLock lock;
    private final Delivery delivery;

    /** How many callers had joined when it was called for. */
    private final long joinedBefore;

    private long asked;
    private long sentAt;

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

    /** On the thread that found it called for: reserves there if the store answers at once, else on the executor. */
    void start() {
        if (!line.reserver.immediate()) {
            context.hand(this);
            return;
        }
        boolean collected;
        try {
            collected = collect(Long.MAX_VALUE);
        } catch (Throwable e) {
            refused(e);
            return;
        }
        if (collected) {
            reserveNow();
        }
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
            end(reservation.orElse(null), failure);
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
            if (!begun() && !collect(Long.MAX_VALUE)) {
                return;
            }
            reservation = line.reserver.reserve(asked);
        } catch (Throwable e) {
            failure = StoreFailures.ofStore(context.name, e);
        }
        end(reservation, failure);
    }

    /** Fails, without asking the store, those who waited when it was called for. */
    @Override
    public void refused(Throwable why) {
        try {
            if (!begun() && !collect(joinedBefore)) {
                return;
            }
        } catch (Throwable e) {
            why.addSuppressed(e);
        }
        end(null, StoreFailures.ofExecutor(context.name, why));
    }

    /** Takes the callers who wait now, up to a place in the line; returns false if the reservation is no longer called for. */
    private boolean collect(long before) {
        lock.lock();
        try {
            line.awaitCallers();
            if (!reservations.begin(this)) {
                return false;
            }
            delivery.collect(before);
            long size = reservations.sizeFor(delivery.values());
            if (size == Stock.NOTHING) {
                delivery.backInLine(); // another reservation has made this one needless, and will serve them
                reservations.needless(this);
                return false;
            }
            asked = size;
            reservations.sent(this);
            sentAt = context.timing.now();
            line.stock.sent(sentAt);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void end(@Nullable Reservation reservation, @Nullable SequenceException failure) {
        try {
            deliver(reservation, failure);
            delivery.report();
        } catch (Throwable e) {
            // no memory even for that: the callers find it when their patience ends
        } finally {
            reservations.reported();
        }
    }

    private void deliver(@Nullable Reservation reservation, @Nullable SequenceException failure) {
        lock.lock();
        try {
            reservations.ended(this);
            long now = context.timing.now();
            if (begun() && !abandoned()) {
                line.linger.ended(delivery.callers() + line.waiting.size(), now - sentAt);
            }
            if (reservation != null) {
                reservations.retry.succeeded();
                delivery.deal(reservation, asked, now - calledAt(), now);
            } else if (failure != null) {
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
}
