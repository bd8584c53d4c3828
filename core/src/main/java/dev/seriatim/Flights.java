// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The reservations of a {@link WaitingLine}: when one is called for, whom it is for, and what becomes of what it brings.
 * Thread-safe, under the line's lock, which is never held across a call to the store, a listener or a future.
 */
final class Flights {

    /** So many times the flights of a line may be given up as hanging before new ones wait for them after all. */
    private static final int MAX_GIVEN_UP = 3;

    private final WaitingLine line;
    private final SequenceContext context;
    private final Stock stock;
    private final ReentrantLock lock;
    private final boolean lingers;
    private final Condition landing;

    private final BackOff backOff = BackOff.afterFailure();
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
        this.lock = line.lock;
        this.lingers = lingers;
        this.landing = lock.newCondition();
    }

    /** Launches the flights that are called for. */
    void pump() {
        while (launches()) {
            Flight flight = new Flight();
            if (context.reserver.immediate()) {
                flight.flyNow();
            } else {
                send(flight, flight::fly);
            }
        }
    }

    /** Waits for what is under way, no longer than patience lasts. */
    void awaitLanding() {
        lock.lock();
        try {
            long patience = context.patience.toNanos();
            while (flights + telling > 0 && patience > 0) {
                patience = landing.awaitNanos(patience);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    private boolean launches() {
        lock.lock();
        try {
            if (line.closed || line.stopped != null || !calledFor() || backingOff()) {
                return false;
            }
            flights++;
            starting++;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Whether one more flight is called for, beside those under way. */
    private boolean calledFor() {
        giveUpOldest();
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
     * Gives a flight up that all its callers have given up: one whose connection died unnoticed may hang for a quarter of an
     * hour, and the next must not wait for it. What it brings in the end is taken in all the same.
     */
    private void giveUpOldest() {
        Flight oldest = underWay.peek();
        if (oldest != null
                && givenUp < MAX_GIVEN_UP * stock.maxFlights()
                && System.nanoTime() - oldest.called > context.patience.toNanos()) {
            oldest.leaveLine();
            oldest.hangs = true;
            givenUp++;
        }
    }

    /** Whether the store failed a moment ago; then a later try is arranged for. */
    private boolean backingOff() {
        long wait = backOff.remaining(System.nanoTime());
        if (wait <= 0) {
            return false;
        }
        if (!retryScheduled) {
            retryScheduled = true;
            CompletableFuture.delayedExecutor(wait, TimeUnit.NANOSECONDS, context.executor)
                    .execute(this::retry);
        }
        return true;
    }

    private void retry() {
        lock.lock();
        try {
            retryScheduled = false;
        } finally {
            lock.unlock();
        }
        pump();
    }

    private void send(Flight flight, Runnable how) {
        try {
            context.executor.execute(how);
        } catch (RejectedExecutionException e) {
            flight.refused(new SequenceException.Unavailable(
                    context.name, "the executor takes no more work; give the sequences one that does", e));
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
    private final class Flight {
        private final long called = System.nanoTime();
        private List<Ticket> group = List.of();
        private long ask;
        private long sent;
        private boolean collected;
        private boolean hangs;

        /** On the executor, for as long as there is something to fetch. */
        void fly() {
            Flight flight = this;
            do {
                if (flight.collect()) {
                    flight.reserveAndLand();
                }
                flight = new Flight();
            } while (launches());
            pump();
        }

        /** On the caller's thread, while the store answers at once. */
        void flyNow() {
            if (!collect()) {
                return;
            }
            Optional<Reservation> reservation;
            try {
                reservation = context.reserver.reserveNow(ask);
            } catch (SequenceException e) {
                land(null, e);
                return;
            }
            if (reservation.isPresent()) {
                land(reservation.get(), null);
            } else {
                send(this, () -> {
                    reserveAndLand();
                    pump();
                });
            }
        }

        /** The store was never asked. */
        void refused(SequenceException failure) {
            if (collected || collect()) {
                land(null, failure);
            }
        }

        /** Takes the tickets that wait now; false when nothing is called for any more. */
        private boolean collect() {
            lock.lock();
            try {
                if (lingers) {
                    line.gathering.await(line);
                }
                starting--;
                collected = true;
                if (!line.waiting.isEmpty()) {
                    group = new ArrayList<>();
                }
                while (!line.waiting.isEmpty() && group.size() < stock.callersPerFlight()) {
                    group.add(line.waiting.remove());
                }
                long values = waitingValues(group);
                ask = stock.flightSize(values, flights - 1, inAir);
                if (line.closed || ask == Stock.NOTHING) {
                    backInLine(); // another flight has made this one needless, and will serve them
                    flights--;
                    landing.signalAll();
                    return false;
                }
                inAir += ask;
                underWay.add(this);
                sent = System.nanoTime();
                stock.sent(sent);
                return true;
            } finally {
                lock.unlock();
            }
        }

        private void reserveAndLand() {
            try {
                land(context.reserver.reserve(ask), null);
            } catch (SequenceException e) {
                land(null, e);
            }
        }

        private void land(@Nullable Reservation reservation, @Nullable SequenceException failure) {
            List<Ticket> ready = new ArrayList<>();
            List<Stock.Held> lost = new ArrayList<>();
            lock.lock();
            try {
                long now = System.nanoTime();
                if (hangs) {
                    givenUp--;
                } else {
                    leaveLine();
                    line.gathering.landed(group.size() + line.waiting.size(), now - sent);
                }
                if (reservation != null) {
                    backOff.succeeded();
                    deal(reservation, now, ready, lost);
                } else if (failure != null) {
                    fail(failure, now, ready, lost);
                }
                lost.addAll(stock.swept());
                telling++;
            } finally {
                lock.unlock();
            }
            ready.forEach(Ticket::complete);
            lost.forEach(held -> context.listener.tell(l -> l.lost(context.name, held.block())));
            told();
        }

        private void leaveLine() {
            underWay.remove(this);
            inAir -= ask;
            flights--;
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

        private void deal(Reservation reservation, long now, List<Ticket> ready, List<Stock.Held> lost) {
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
                dealFromStock(shortened, ready);
            } else {
                dealBlock(block, shortened, reservation.epoch(), ready, lost);
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

        private void dealFromStock(boolean shortened, List<Ticket> ready) {
            while (!line.waiting.isEmpty()) {
                Ticket first = line.waiting.element();
                Block dealt = stock.take(first.count);
                if (dealt == null && shortened) {
                    dealt = stock.takeRest(); // the end of the sequence: there will be no larger piece
                }
                if (dealt == null) {
                    return;
                }
                serve(line.waiting.remove(), dealt, ready);
            }
        }

        /** To the callers this flight was sent for, and to no others: those who came later must not get its values. */
        private void dealBlock(Block block, boolean shortened, long epoch, List<Ticket> ready, List<Stock.Held> lost) {
            long used = 0;
            for (Ticket ticket : group) {
                long left = block.count() - used;
                if (!ticket.abandoned && left > 0 && (left >= ticket.count || shortened)) {
                    Block dealt = block.slice(used, Math.min(left, ticket.count));
                    used += dealt.count();
                    line.waiting.remove(ticket);
                    serve(ticket, dealt, ready);
                }
            }
            if (used < block.count()) {
                lost.add(new Stock.Held(block.tail(used), epoch));
            }
        }

        private void serve(Ticket ticket, Block dealt, List<Ticket> ready) {
            ticket.dealt = dealt;
            line.served++;
            ready.add(ticket);
        }

        private void fail(SequenceException failure, long now, List<Ticket> ready, List<Stock.Held> lost) {
            line.lastFailure = failure;
            if (failure instanceof SequenceException.Regressed regressed) {
                line.stopped = regressed;
                lost.addAll(stock.drain());
                group = new ArrayList<>(group);
                group.addAll(line.waiting);
                line.waiting.clear();
            }
            for (Ticket ticket : failure instanceof SequenceException.Exhausted ? leftWithNothing(ready) : group) {
                ticket.failure = failure;
                ready.add(ticket);
            }
            backOff.failed(failure, now);
        }

        /**
         * Who gets no value although others may have fetched the last ones: this answer can have overtaken theirs, or theirs
         * this one. What they have brought is dealt; what they may still bring is waited for.
         */
        private List<Ticket> leftWithNothing(List<Ticket> ready) {
            if (stock.callersPerFlight() == 1 || line.closed || line.stopped != null) {
                return group;
            }
            backInLine();
            dealFromStock(true, ready);
            return mayBeServed()
                    ? List.of()
                    : group.stream()
                            .filter(ticket -> ticket.abandoned || line.waiting.remove(ticket))
                            .toList();
        }
    }
}
