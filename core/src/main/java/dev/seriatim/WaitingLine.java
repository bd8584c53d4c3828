// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The slow path of every mode: callers who need the store stand in one line, reservations are flights that fetch for
 * them, and values are dealt in the order of arrival. Thread-safe.
 *
 * <ol>
 *   <li>A caller takes a ticket. If a flight is called for, one is launched on the executor.
 *   <li>The flight collects the tickets that wait <em>now</em>, sends one reservation for them (and for the stock), and
 *       deals what comes back. Who arrives after the collecting waits for the next flight: joining one that has been sent
 *       would break the order over processes.
 *   <li>Each caller waits to its own deadline and no longer, whatever the store does: the store is only ever called from
 *       threads that nobody interrupts.
 *   <li>A failed flight fails its own callers. The next one follows after a back-off.
 * </ol>
 *
 * <p>The lock is never held across a call to the store, a listener or a future.
 */
final class WaitingLine {

    private static final long FIRST_BACK_OFF_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long LAST_BACK_OFF_NANOS = TimeUnit.MILLISECONDS.toNanos(320);
    private static final long LONGEST_LINGER_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** So many times the flights of a line may be given up as hanging before new ones wait for them after all. */
    private static final int MAX_GIVEN_UP = 3;

    private final SequenceContext context;
    private final Stock stock;
    private final boolean lingers;
    final ReentrantLock lock = new ReentrantLock();
    private final Condition arrival = lock.newCondition();
    private final Condition landing = lock.newCondition();

    private final ArrayDeque<Ticket> waiting = new ArrayDeque<>();
    private final ArrayDeque<Flight> underWay = new ArrayDeque<>();
    private int flights;
    private int givenUp;
    private int starting;
    /** Landed flights whose losses are being told: closing waits for them too, so that nothing is told afterwards. */
    private int telling;

    private long inAir;
    private long served;
    private int lastGroup;
    private long lastLatency;
    private int failures;
    private long notBefore;
    private boolean retryScheduled;
    /** The store answered that there is nothing to have: only a caller makes us ask again. */
    private boolean refused;

    private boolean closed;
    private boolean drained;
    private @Nullable SequenceException lastFailure;
    private SequenceException.@Nullable Regressed stopped;

    /** With {@code lingers}, a flight waits a moment for callers who came together the last time. */
    WaitingLine(SequenceContext context, Stock stock, boolean lingers) {
        this.context = context;
        this.stock = stock;
        this.lingers = lingers;
    }

    /** Deals {@code count} values in one piece; fewer only at the end of the sequence. */
    Block draw(long count) {
        Ticket ticket = join(count);
        pump();
        return ticket.result.isDone() && !ticket.result.isCompletedExceptionally()
                ? ticket.result.join()
                : await(ticket);
    }

    /** As {@link #draw}, without a thread that waits. */
    CompletionStage<Block> drawAsync(long count) {
        Ticket ticket = join(count);
        pump();
        return ticket.result
                .copy()
                .orTimeout(context.patience.toNanos(), TimeUnit.NANOSECONDS)
                .handleAsync((block, failure) -> block != null ? block : rescue(ticket, failure), this::hand);
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

    /**
     * Takes in no more callers, fails those who wait, waits for flights to land, and returns what is left.
     *
     * @return what was in stock, oldest first; empty when closed before
     */
    List<Stock.Held> close() {
        turnAway();
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
        return drain();
    }

    private void turnAway() {
        List<Ticket> turnedAway;
        lock.lock();
        try {
            closed = true;
            turnedAway = new ArrayList<>(waiting);
            waiting.clear();
            turnedAway.forEach(ticket -> ticket.failure = closedFailure());
            arrival.signalAll();
        } finally {
            lock.unlock();
        }
        turnedAway.forEach(Ticket::complete);
    }

    private List<Stock.Held> drain() {
        lock.lock();
        try {
            List<Stock.Held> left = drained ? List.of() : stock.drain();
            drained = true;
            return left;
        } finally {
            lock.unlock();
        }
    }

    /** The failure of a sequence that deals no more, or null. */
    private @Nullable RuntimeException ended() {
        if (closed) {
            return closedFailure();
        }
        return stopped == null ? null : stopped.again();
    }

    private IllegalStateException closedFailure() {
        return new IllegalStateException(
                "sequence " + SequenceException.quoted(context.name) + " is closed; open it anew to draw from it");
    }

    private Ticket join(long count) {
        lock.lock();
        try {
            RuntimeException ended = ended();
            if (ended != null) {
                throw ended;
            }
            Ticket ticket = new Ticket(count, served);
            Block inHand = stock.take(count);
            if (inHand != null) {
                ticket.dealt = inHand;
                ticket.complete(); // nobody depends on it yet, so completing under the lock runs nothing
            } else {
                waiting.add(ticket);
                arrival.signal();
            }
            return ticket;
        } finally {
            lock.unlock();
        }
    }

    private Block await(Ticket ticket) {
        long began = System.nanoTime();
        try {
            return ticket.result.get(context.patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            return rescue(ticket, e.getCause());
        } catch (TimeoutException e) {
            return rescue(ticket, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return rescue(ticket, e);
        } finally {
            context.listener.tell(l -> l.waited(context.name, Duration.ofNanos(System.nanoTime() - began)));
        }
    }

    /** What a caller gets who stops waiting: the values, if they have been dealt to it after all; or the reason. */
    private Block rescue(Ticket ticket, @Nullable Throwable why) {
        Throwable reason = why instanceof CompletionException && why.getCause() != null ? why.getCause() : why;
        if (reason instanceof SequenceException failure) {
            throw failure.again();
        }
        if (reason instanceof RuntimeException failure) {
            throw failure;
        }
        lock.lock();
        try {
            if (ticket.dealt != null) {
                return ticket.dealt;
            }
            ticket.abandoned = true;
            waiting.remove(ticket);
            if (reason instanceof InterruptedException) {
                throw new SequenceException.Unavailable(
                        context.name, "interrupted while waiting for the store", reason);
            }
            if (served > ticket.servedBefore) {
                throw new SequenceException.Overloaded(context.name, context.patience);
            }
            throw new SequenceException.Unavailable(
                    context.name,
                    "no answer from the store within " + context.patience.toMillis()
                            + " ms; check that it runs and is reachable, the next call tries again",
                    lastFailure);
        } finally {
            lock.unlock();
        }
    }

    private boolean launches() {
        lock.lock();
        try {
            if (closed || stopped != null || !calledFor() || backingOff()) {
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
        if (flights >= stock.maxFlights() || (refused && waiting.isEmpty())) {
            return false;
        }
        boolean alone = stock.callersPerFlight() == 1;
        if (alone ? waiting.size() <= starting : starting > 0) {
            return false;
        }
        return stock.flightSize(waitingValues(waiting), flights, inAir) != Stock.NOTHING;
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
        long wait = failures == 0 ? 0 : notBefore - System.nanoTime();
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

    /** On the executor, so that what callers hang on their futures delays no reservation; here, when that has closed. */
    private void hand(Runnable callback) {
        try {
            context.executor.execute(callback);
        } catch (RejectedExecutionException e) {
            callback.run();
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
                    linger();
                }
                starting--;
                collected = true;
                if (!waiting.isEmpty()) {
                    group = new ArrayList<>();
                }
                while (!waiting.isEmpty() && group.size() < stock.callersPerFlight()) {
                    group.add(waiting.remove());
                }
                long values = waitingValues(group);
                ask = stock.flightSize(values, flights - 1, inAir);
                if (closed || ask == Stock.NOTHING) {
                    flights--;
                    landing.signalAll();
                    return false;
                }
                inAir += ask;
                underWay.add(this);
                lastGroup = group.size();
                stock.sent(System.nanoTime());
                return true;
            } finally {
                lock.unlock();
            }
        }

        /** Waits for as many callers as came the last time, but only a small part of what the reservation itself takes. */
        private void linger() {
            long patience = Math.min(lastLatency / 8, LONGEST_LINGER_NANOS);
            while (lastGroup > 1 && waiting.size() < lastGroup && patience > 0 && !closed) {
                try {
                    patience = arrival.awaitNanos(patience);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return;
                }
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
                    lastLatency = now - called;
                }
                if (reservation != null) {
                    failures = 0;
                    refused = false;
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
            boolean shortened = block.count() < asked;
            boolean ranDry = !group.isEmpty() || !waiting.isEmpty();
            for (int i = group.size() - 1; i >= 0; i--) {
                if (!group.get(i).abandoned) {
                    waiting.addFirst(group.get(i)); // they came first, and are served first
                }
            }
            boolean kept = !drained && stopped == null && stock.arrived(reservation, now - called, ranDry, now);
            if (kept) {
                dealFromStock(shortened, ready);
            } else {
                dealBlock(block, shortened, reservation.epoch(), ready, lost);
            }
        }

        private void dealFromStock(boolean shortened, List<Ticket> ready) {
            while (!waiting.isEmpty()) {
                Ticket first = waiting.element();
                Block dealt = stock.take(first.count);
                if (dealt == null && shortened) {
                    dealt = stock.takeRest(); // the end of the sequence: there will be no larger piece
                }
                if (dealt == null) {
                    return;
                }
                serve(waiting.remove(), dealt, ready);
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
                    waiting.remove(ticket);
                    serve(ticket, dealt, ready);
                }
            }
            if (used < block.count()) {
                lost.add(new Stock.Held(block.tail(used), epoch));
            }
        }

        private void serve(Ticket ticket, Block dealt, List<Ticket> ready) {
            ticket.dealt = dealt;
            served++;
            ready.add(ticket);
        }

        private void fail(SequenceException failure, long now, List<Ticket> ready, List<Stock.Held> lost) {
            lastFailure = failure;
            if (failure instanceof SequenceException.Regressed regressed) {
                stopped = regressed;
                lost.addAll(stock.drain());
                group = new ArrayList<>(group);
                group.addAll(waiting);
                waiting.clear();
            }
            for (Ticket ticket : group) {
                ticket.failure = failure;
                ready.add(ticket);
            }
            refused = !(failure instanceof SequenceException.Unavailable
                    || failure instanceof SequenceException.Overloaded
                    || failure instanceof SequenceException.CommitOutcomeUnknown);
            if (refused) {
                failures = 0;
                return;
            }
            long backOff = Math.min(LAST_BACK_OFF_NANOS, FIRST_BACK_OFF_NANOS << Math.min(failures, 10));
            failures++;
            notBefore = now + backOff / 2 + ThreadLocalRandom.current().nextLong(backOff / 2 + 1);
        }
    }
}
