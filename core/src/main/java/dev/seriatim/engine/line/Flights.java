// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.line;

import dev.seriatim.Block;
import dev.seriatim.SequenceException;
import dev.seriatim.engine.dispatch.BackOff;
import dev.seriatim.engine.dispatch.SequenceContext;
import dev.seriatim.engine.dispatch.Step;
import dev.seriatim.engine.dispatch.StoreFailures;
import dev.seriatim.engine.dispatch.Timing;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The reservations of a {@link WaitingLine}: when one is called for, whom it is for, and what becomes of what it brings.
 * Thread-safe, under the line's lock, which is never held across a call to the store, a listener or a future.
 *
 * <p>A flight that is launched lands, whatever is thrown by the store, the executor, a listener or a callback, errors of the
 * virtual machine included: otherwise the line would wait for it for the life of the process.
 */
final class Flights {

    /** Maximum flights, per flight of the stock, to give up as hanging before new ones must wait. */
    private static final int MAX_GIVEN_UP = 3;

    private final WaitingLine line;
    private final SequenceContext context;
    private final Stock stock;
    private final Timing timing;
    private final ReentrantLock lock;
    private final boolean lingers;
    private final Condition landing;

    private final BackOff backOff;
    private final ArrayDeque<Flight> underWay = new ArrayDeque<>();
    private int flights;
    private int starting;
    private int givenUp;
    private long inAir;
    /** Landed flights whose losses are being told: closing waits for them too, so that nothing is told afterwards. */
    private int telling;

    private boolean retryScheduled;

    Flights(WaitingLine line, boolean lingers) {
        this.line = line;
        this.context = line.context;
        this.stock = line.stock;
        this.timing = context.timing;
        this.lock = line.lock;
        this.lingers = lingers;
        this.landing = lock.newCondition();
        this.backOff = BackOff.afterFailure(timing);
    }

    /** Launches the flights that are called for. Throws nothing: a value in its caller's hands would be lost. */
    void pump() {
        try {
            Flight flight = new Flight();
            while (launches(flight)) {
                flight.takeOff();
                flight = new Flight();
            }
        } catch (Throwable e) {
            turnAway(e);
        }
    }

    /** Waits for what is under way, no longer than patience lasts. */
    void awaitLanding() {
        lock.lock();
        try {
            long patience = context.patienceNanos();
            while (flights + telling > 0 && patience > 0) {
                patience = landing.awaitNanos(patience);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /** Whether a flight is called for; then it is this one. While the store is backed off from, a later try is arranged. */
    private boolean launches(Flight flight) {
        long wait;
        lock.lock();
        try {
            if (line.closed || line.stopped != null || !calledFor()) {
                return false;
            }
            wait = backOff.remaining(timing.now());
            if (wait <= 0) {
                flight.enterLine();
                return true;
            }
            if (retryScheduled) {
                return false;
            }
            retryScheduled = true;
        } finally {
            lock.unlock();
        }
        retryIn(wait);
        return false;
    }

    /** Whether one more flight is called for, beside those under way. */
    private boolean calledFor() {
        giveUpOverdue();
        if (flights >= stock.maxFlights() || (backOff.refused() && (line.waiting.isEmpty() || mayBeServed()))) {
            return false;
        }
        boolean alone = stock.callersPerFlight() == 1;
        if (alone ? line.waiting.size() <= starting : starting > 0) {
            return false;
        }
        return stock.flightSize(waitingValues(line.waiting), flights, inAir) != Stock.NOTHING;
    }

    /** Whether those who wait may be served by what is under way. */
    private boolean mayBeServed() {
        return flights > 0 && stock.callersPerFlight() > 1;
    }

    /**
     * Gives flights up that all their callers have given up: one whose connection died unnoticed may hang for a quarter of an
     * hour, and the next must not wait for it. What it brings in the end is taken in all the same. One that has not begun,
     * since the executor is stuck or has dropped it, holds no connection, and is not counted.
     */
    private void giveUpOverdue() {
        Flight oldest = underWay.peek();
        while (oldest != null
                && (!oldest.collected || givenUp < MAX_GIVEN_UP * stock.maxFlights())
                && timing.now() - oldest.called > context.patienceNanos()) {
            oldest.leaveLine();
            oldest.hangs = true;
            if (oldest.collected) {
                givenUp++;
            }
            oldest = underWay.peek();
        }
    }

    private void retryIn(long nanos) {
        try {
            timing.after(nanos, this::retry);
        } catch (Throwable e) { // no thread for the clock
            retryDue();
            turnAway(e);
        }
    }

    /** On the clock's thread, which is left at once. */
    private void retry() {
        retryDue();
        pump();
    }

    private void retryDue() {
        lock.lock();
        try {
            retryScheduled = false;
        } finally {
            lock.unlock();
        }
    }

    /** Fails those who wait when nothing will be sent for them; while a flight is under way, its landing sends the next. */
    private void turnAway(Throwable why) {
        try {
            List<Ticket> left = List.of();
            lock.lock();
            try {
                if (flights == 0) {
                    SequenceException failure = StoreFailures.ofExecutor(context.name, why);
                    left = new ArrayList<>(line.waiting);
                    line.waiting.clear();
                    left.forEach(ticket -> ticket.failure = failure);
                }
            } finally {
                lock.unlock();
            }
            left.forEach(Ticket::complete);
        } catch (Throwable e) {
            // no memory to say so: they hear it when their patience ends
        }
    }

    private static long waitingValues(Iterable<Ticket> tickets) {
        long values = 0;
        for (Ticket ticket : tickets) {
            values += ticket.count;
        }
        return values;
    }

    /** One reservation: collects callers, asks the store, deals. Used by one thread at a time. */
    private final class Flight implements Step {
        private final List<Ticket> ready = new ArrayList<>();
        private final List<Stock.Held> lost = new ArrayList<>();
        private List<Ticket> group = List.of();
        private long called;
        /** How many had joined when it was called for. */
        private long joinedBefore;

        private long ask;
        private long sent;
        private boolean inLine;
        private boolean collected;
        private boolean hangs;

        /** Under the lock, as are the next two. */
        void enterLine() {
            underWay.add(this); // the one step here that can fail
            inLine = true;
            called = timing.now();
            joinedBefore = line.joined;
            flights++;
            starting++;
        }

        void leaveLine() {
            if (inLine) {
                inLine = false;
                underWay.remove(this);
                inAir -= ask;
                flights--;
                if (!collected) {
                    starting--;
                }
            }
        }

        /** On the thread that launched it: flies there while the store answers at once, else hands it to the executor. */
        void takeOff() {
            if (!line.reserver.immediate()) {
                context.hand(this);
                return;
            }
            boolean collected;
            try {
                collected = collect();
            } catch (Throwable e) {
                refused(e);
                return;
            }
            if (collected) {
                flyNow();
            }
        }

        private void flyNow() {
            Optional<Reservation> reservation = Optional.empty();
            SequenceException failure = null;
            try {
                reservation = line.reserver.reserveNow(ask);
            } catch (Throwable e) {
                failure = StoreFailures.ofStore(context.name, e);
            }
            if (failure == null && reservation.isEmpty()) {
                context.hand(this);
            } else {
                land(reservation.orElse(null), failure);
            }
        }

        /** On the executor, for as long as there is something to fetch. */
        @Override
        public void run() {
            reserveAndLand();
            try {
                Flight next = new Flight();
                while (launches(next)) {
                    next.reserveAndLand();
                    next = new Flight();
                }
            } catch (Throwable e) {
                turnAway(e);
            }
        }

        private void reserveAndLand() {
            Reservation reservation = null;
            SequenceException failure = null;
            try {
                if (!collected && !collect()) {
                    return;
                }
                reservation = line.reserver.reserve(ask);
            } catch (Throwable e) {
                failure = StoreFailures.ofStore(context.name, e);
            }
            land(reservation, failure);
        }

        /** The store was never asked. Who has joined since the executor was, hears nothing of it. */
        @Override
        public void refused(Throwable why) {
            try {
                if (!collected && !collect(joinedBefore)) {
                    return;
                }
            } catch (Throwable e) {
                why.addSuppressed(e);
            }
            land(null, StoreFailures.ofExecutor(context.name, why));
        }

        /** Takes the tickets that wait now; false when nothing is called for any more. */
        private boolean collect() {
            return collect(Long.MAX_VALUE);
        }

        /** As {@link #collect()}, among those who came before that place. */
        private boolean collect(long before) {
            lock.lock();
            try {
                if (lingers) {
                    line.gathering.await(line);
                }
                if (hangs) {
                    return false; // given up before it began
                }
                starting--;
                collected = true;
                if (!line.waiting.isEmpty()) {
                    group = new ArrayList<>();
                }
                while (!line.waiting.isEmpty()
                        && line.waiting.element().place < before
                        && group.size() < stock.callersPerFlight()) {
                    group.add(line.waiting.element());
                    line.waiting.remove();
                }
                long size = stock.flightSize(waitingValues(group), flights - 1, inAir);
                if (line.closed || size == Stock.NOTHING) {
                    backInLine(); // another flight has made this one needless, and will serve them
                    leaveLine();
                    landing.signalAll();
                    return false;
                }
                ask = size;
                inAir += ask;
                sent = timing.now();
                stock.sent(sent);
                return true;
            } finally {
                lock.unlock();
            }
        }

        private void land(@Nullable Reservation reservation, @Nullable SequenceException failure) {
            try {
                arrive(reservation, failure);
                ready.forEach(Ticket::complete);
                lost.forEach(held -> context.listener.tell(l -> l.lost(context.name, held.block())));
            } catch (Throwable e) {
                // no memory even for that: the callers find it when their patience ends
            } finally {
                told();
            }
        }

        private void arrive(@Nullable Reservation reservation, @Nullable SequenceException failure) {
            lock.lock();
            try {
                telling++; // the first step, since the last one counts down
                boolean late = hangs;
                leaveLine();
                long now = timing.now();
                if (late) {
                    givenUp--;
                } else if (collected) {
                    line.gathering.landed(group.size() + line.waiting.size(), now - sent);
                }
                if (reservation != null) {
                    backOff.succeeded();
                    deal(reservation, now);
                } else if (failure != null) {
                    fail(failure, now);
                }
                ready.addAll(line.turnedAway()); // who is back in line, since the block was too short
                lost.addAll(stock.swept());
            } catch (Throwable e) {
                failRest(e);
            } finally {
                lock.unlock();
            }
        }

        /** Dealing failed, as for want of memory: who has got nothing hears it. */
        private void failRest(Throwable why) {
            SequenceException failure = StoreFailures.ofStore(context.name, why);
            for (Ticket ticket : group) {
                if (ticket.dealt == null && ticket.failure == null) {
                    line.waiting.remove(ticket);
                    ticket.failure = failure;
                    ready.add(ticket);
                }
            }
        }

        private void told() {
            lock.lock();
            try {
                telling--;
                landing.signalAll();
            } finally {
                lock.unlock();
            }
        }

        private void deal(Reservation reservation, long now) {
            Block block = reservation.block();
            long asked = ask == SequenceStore.CACHE ? reservation.definition().cache() : ask;
            // One that others drew in between has values left behind it, and says nothing about the end.
            boolean shortened =
                    block.count() < asked && reservation.definition().endsAt(block.last());
            boolean ranDry = !group.isEmpty() || !line.waiting.isEmpty();
            backInLine();
            boolean kept =
                    !line.drained && line.stopped == null && stock.arrived(reservation, now - called, ranDry, now);
            if (kept) {
                dealFromStock(shortened);
            } else {
                dealBlock(block, shortened, reservation.epoch());
            }
        }

        /** They came first, and are served first. */
        private void backInLine() {
            for (int i = group.size() - 1; i >= 0; i--) {
                if (!group.get(i).abandoned) {
                    line.waiting.addFirst(group.get(i));
                }
            }
        }

        private void dealFromStock(boolean shortened) {
            while (!line.waiting.isEmpty()) {
                Ticket first = line.waiting.element();
                Block dealt = stock.take(first.count);
                if (dealt == null && shortened) {
                    dealt = stock.takeRest(); // the end of the sequence: there will be no larger piece
                }
                if (dealt == null) {
                    return;
                }
                serve(line.waiting.remove(), dealt);
            }
        }

        /** To the callers this flight was sent for, and to no others: those who came later must not get its values. */
        private void dealBlock(Block block, boolean shortened, long epoch) {
            long used = 0;
            for (Ticket ticket : group) {
                long left = block.count() - used;
                if (!ticket.abandoned && left > 0 && (left >= ticket.count || shortened)) {
                    Block dealt = block.slice(used, Math.min(left, ticket.count));
                    used += dealt.count();
                    line.waiting.remove(ticket);
                    serve(ticket, dealt);
                }
            }
            if (used < block.count()) {
                lost.add(new Stock.Held(block.tail(used), epoch));
            }
        }

        private void serve(Ticket ticket, Block dealt) {
            ticket.dealt = dealt;
            line.served++;
            ready.add(ticket);
        }

        private void fail(SequenceException failure, long now) {
            line.lastFailure = failure;
            if (failure instanceof SequenceException.Regressed regressed) {
                line.stopped = regressed;
                lost.addAll(stock.drain()); // those who wait hear it as they are turned away
            }
            for (Ticket ticket : failure instanceof SequenceException.Exhausted ? leftWithNothing() : group) {
                ticket.failure = failure;
                ready.add(ticket);
            }
            backOff.failed(failure, now);
        }

        /**
         * Who gets no value although others may have fetched the last ones: this answer can have overtaken theirs, or theirs
         * this one. What they have brought is dealt; what they may still bring is waited for.
         */
        private List<Ticket> leftWithNothing() {
            if (stock.callersPerFlight() == 1 || line.closed || line.stopped != null) {
                return group;
            }
            backInLine();
            dealFromStock(true);
            return mayBeServed()
                    ? List.of()
                    : group.stream()
                            .filter(ticket -> ticket.abandoned || line.waiting.remove(ticket))
                            .toList();
        }
    }
}
