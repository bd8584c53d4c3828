// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.line;

import dev.seriatim.SequenceException;
import dev.seriatim.engine.dispatch.Retry;
import dev.seriatim.engine.dispatch.SequenceContext;
import dev.seriatim.engine.dispatch.StoreFailures;
import dev.seriatim.engine.dispatch.Tasks;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The reservations of a {@link WaitingLine}: when one is called for, and what happens when it cannot be sent. Thread-safe; the line's
 * lock is never held across a call to the store, a listener or a future.
 *
 * <p>A reservation that was called for ends, whatever the store, the executor, a listener or a callback throws, errors of the
 * virtual machine included: otherwise the line would wait for it for the life of the process.
 */
final class Reservations {

    /**
     * How long a caller's thread goes on to read for those who came while it read for itself. Handing that on to another thread takes
     * longer than a quick read.
     */
    private static final long MAX_LEAD_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    /** How often within a patience the line looks for a reservation that hangs while callers wait behind it. */
    private static final int LOOKS = 8;

    private final WaitingLine line;
    private final SequenceContext context;
    private final Stock stock;
    private final ReentrantLock lock;

    /** Signalled when a reservation has ended. */
    final Condition change;

    // Under the lock:
    private final Tasks<Request> underWay;
    final Retry retry;

    /** Values that those under way have asked for. */
    private long requested;

    /** Whether the timer of {@link #watch} is set. */
    private boolean watched;

    /** Ended reservations whose losses are being reported: closing waits for them, so that nothing is reported afterwards. */
    private int reporting;

    Reservations(WaitingLine line) {
        this.line = line;
        this.context = line.context;
        this.stock = line.stock;
        this.lock = line.lock;
        this.change = lock.newCondition();
        this.underWay = new Tasks<>(context.timing, context.patienceNanos(), stock.maxReservations());
        this.retry = new Retry(context.timing);
    }

    /** Sends the reservations that are called for. Throws nothing: a value in its caller's hands would be lost. */
    void pump() {
        pump(false);
    }

    /** As {@link #pump}; with {@code byCaller}, this thread's caller waits for the first, which may be sent here. */
    void pump(boolean byCaller) {
        try {
            long began = context.timing.now();
            Request next = calledFor();
            boolean here = byCaller;
            while (next != null) {
                next.start(here);
                here = byCaller && context.timing.now() - began < MAX_LEAD_NANOS;
                next = calledFor();
            }
        } catch (Throwable e) {
            turnAway(e);
        }
    }

    /** As {@link #pump}, but reserves on this thread, one of the executor's. */
    void reserveOn() {
        try {
            Request next = calledFor();
            while (next != null) {
                next.reserve();
                next = calledFor();
            }
        } catch (Throwable e) {
            turnAway(e);
        }
    }

    /** Under the lock: whether nothing is under way. */
    boolean idle() {
        return underWay.isEmpty() && reporting == 0;
    }

    /** Waits, under the lock, until no reservation is under way; false after the patience or an interrupt. */
    boolean awaitNone() {
        try {
            long left = context.patienceNanos();
            while (!idle() || underWay.anyAbandoned(request -> true)) {
                if (left <= 0) {
                    return false;
                }
                left = change.awaitNanos(left);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** The reservation that is called for, if one is; during a back-off, one timer is set for a later try. */
    private @Nullable Request calledFor() {
        long pause;
        lock.lock();
        try {
            if (line.shutdown.begun() || line.suspended || line.stopped != null) {
                return null;
            }
            if (!isCalledFor()) {
                watch();
                return null;
            }
            pause = retry.pause();
            if (pause <= 0) {
                Request request = new Request(this, line);
                underWay.add(request);
                return request;
            }
            if (!retry.schedule()) {
                return null;
            }
        } finally {
            lock.unlock();
        }
        context.after(pause, this::retry, this::noTimer);
        return null;
    }

    /** Whether one more reservation is called for, beside those under way. */
    private boolean isCalledFor() {
        abandonOverdue();
        if (underWay.size() >= stock.maxReservations()
                || (retry.refused() && (line.waiting.isEmpty() || mayServeMore()))) {
            return false;
        }
        return !startingServeAll() && size(Ticket.values(line.waiting), underWay.size()) != Stock.NOTHING;
    }

    /** Whether the reservations that have not begun will collect all who wait. */
    private boolean startingServeAll() {
        int starting = underWay.starting();
        return stock.callersPerReservation() == 1 ? line.waiting.size() <= starting : starting > 0;
    }

    /** While callers wait behind reservations that have begun, sets a timer: one of those may hang, and no other caller come. */
    private void watch() {
        if (!watched && !line.waiting.isEmpty() && !underWay.isEmpty() && !startingServeAll()) {
            watched = true;
            context.after(context.patienceNanos() / LOOKS, this::look, noTimer -> watched = false);
        }
    }

    private void abandonOverdue() {
        Request hung = underWay.overdue();
        while (hung != null) {
            underWay.abandon(hung);
            requested -= hung.asked();
            hung = underWay.overdue();
        }
    }

    /** Whether reservations under way may serve those who wait. */
    boolean mayServeMore() {
        return !underWay.isEmpty() && stock.callersPerReservation() > 1;
    }

    private long size(long waiting, int others) {
        return stock.reservationSize(waiting, others, requested);
    }

    // The states of a request; under the lock:

    /** Returns false if it was abandoned before it began, and must not begin. */
    boolean begin(Request request) {
        return underWay.begin(request);
    }

    /** How much a request that has begun asks for, for callers who wait for this many values; or {@link Stock#NOTHING}. */
    long sizeFor(long values) {
        return line.shutdown.begun() || line.suspended ? Stock.NOTHING : size(values, underWay.size() - 1);
    }

    void sent(Request request) {
        requested += request.asked();
    }

    void needless(Request request) {
        underWay.end(request);
        change.signalAll();
    }

    void ended(Request request) {
        reporting++; // first, since reported() counts down
        if (underWay.end(request)) {
            requested -= request.asked();
        }
    }

    /** Not under the lock. */
    void reported() {
        lock.lock();
        try {
            reporting--;
            change.signalAll();
        } finally {
            lock.unlock();
        }
    }

    // When nothing can be sent

    /** On the clock's thread, which is left at once. */
    private void retry() {
        retryDue();
        pump();
    }

    /** On the clock's thread, which is left at once. */
    private void look() {
        lock.lock();
        try {
            watched = false;
        } finally {
            lock.unlock();
        }
        pump();
    }

    private void noTimer(Throwable why) {
        retryDue();
        turnAway(why);
    }

    private void retryDue() {
        lock.lock();
        try {
            retry.due();
        } finally {
            lock.unlock();
        }
    }

    /** Fails those who wait if nothing will be sent for them; a reservation under way sends the next when it ends. */
    private void turnAway(Throwable why) {
        try {
            List<Ticket> left = List.of();
            lock.lock();
            try {
                if (underWay.isEmpty()) {
                    SequenceException failure = StoreFailures.ofExecutor(context.name, why);
                    left = new ArrayList<>(line.waiting);
                    line.waiting.clear();
                    left.forEach(ticket -> line.fail(ticket, failure));
                }
            } finally {
                lock.unlock();
            }
            left.forEach(Ticket::complete);
        } catch (Throwable e) {
            // no memory to say so: they hear it when their patience ends
        }
    }
}
