// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.line;

import dev.seriatim.Block;
import dev.seriatim.SequenceException;
import dev.seriatim.engine.dispatch.SequenceContext;
import dev.seriatim.engine.dispatch.Shutdown;
import dev.seriatim.engine.dispatch.StoreFailures;
import dev.seriatim.internal.DrawFuture;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The slow path of every mode: callers who need the store stand in one line, reservations are made for those who wait, and values
 * are dealt in the order of arrival. Thread-safe.
 *
 * <ol>
 *   <li>A caller takes a ticket. If a reservation is called for, one starts on the executor.
 *   <li>The reservation collects the tickets that wait <em>now</em>, asks the store for their values (and for the stock's), and
 *       deals what comes back. Callers who arrive later wait for the next one: joining one that has been sent would break the
 *       order between processes.
 *   <li>Each caller waits until its own deadline and no longer, whatever the store does: only threads that are never interrupted call
 *       the store.
 *   <li>A reservation that fails fails its own callers. The next one follows after a back-off.
 *   <li>A caller that stops waiting, or cancels its future, is dealt nothing; a value already dealt to it is reported lost.
 * </ol>
 *
 * <p>The lock is never held across a call to the store, a listener or a future.
 */
public final class WaitingLine {

    final SequenceContext context;
    final Reserver reserver;
    final Stock stock;
    public final ReentrantLock lock;

    /** Signalled when a caller has joined. */
    private final Condition arrival;

    final Linger linger;
    final Linger readLinger;
    private final boolean lingers;

    // Under the lock:
    final ArrayDeque<Ticket> waiting = new ArrayDeque<>();
    long served;
    long joined;

    /** Values that callers wait for, and those they asked for until their patience ended; not those that a failure has answered. */
    long unserved;

    boolean drained;

    /** No reservation begins, although callers may wait. */
    boolean suspended;

    @Nullable
    SequenceException lastFailure;

    SequenceException.@Nullable Regressed stopped;

    final Shutdown shutdown;
    private final Reservations reservations;

    /** With {@code lingers}, a reservation waits a moment for callers who came together the last time. */
    public WaitingLine(SequenceContext context, Reserver reserver, Stock stock, boolean lingers) {
        this.context = context;
        this.reserver = reserver;
        this.stock = stock;
        this.lock = context.timing.lock();
        this.arrival = lock.newCondition();
        this.linger = new Linger(arrival);
        this.readLinger = new Linger(arrival);
        this.lingers = lingers;
        this.reservations = new Reservations(this);
        this.shutdown = new Shutdown(context, lock, reservations.change);
    }

    /** Deals {@code count} values in one piece; fewer only at the end of the sequence. */
    public Block draw(long count) {
        long began = context.timing.now();
        Ticket ticket = join(count, true);
        Block drawn = null;
        try {
            reservations.pump(true);
            drawn = isServed(ticket) ? ticket.result.join() : await(ticket, began);
            return drawn;
        } finally {
            if (drawn == null) {
                forsake(ticket);
            }
        }
    }

    /** The next value, without a thread that waits. */
    public DrawFuture<Long> drawAsync() {
        DrawFuture<Long> drawn = DrawFuture.pending();
        try {
            Ticket ticket = join(1, false);
            drawn.withdrawnBy(() -> forsake(ticket));
            reservations.pump();
            if (isServed(ticket)) {
                drawn.deliver(() -> ticket.result.join().first());
            } else {
                CompletionStage<Block> inTime = context.timing.endAfter(ticket.result, context.patienceNanos());
                inTime.whenCompleteAsync(
                        (block, failure) ->
                                drawn.deliver(() -> outcome(ticket, failure).first()),
                        callback ->
                                context.hand(callback::run)); // so that what callers hang on it delays no reservation
            }
        } catch (RuntimeException e) {
            drawn.completeExceptionally(e);
        } catch (Throwable e) { // no thread for the clock
            drawn.completeExceptionally(StoreFailures.ofStore(context.name, e));
        }
        return drawn;
    }

    private static boolean isServed(Ticket ticket) {
        return ticket.result.isDone() && !ticket.result.isCompletedExceptionally();
    }

    /** Its caller is gone: it is dealt nothing more, and what it was dealt is reported lost. */
    private void forsake(Ticket ticket) {
        Block unused;
        lock.lock();
        try {
            unused = ticket.withdrawn ? null : ticket.dealt;
            ticket.withdrawn = true;
            waiting.remove(ticket);
        } finally {
            lock.unlock();
        }
        if (unused != null) {
            context.listener.tell(l -> l.lost(context.name, unused));
        }
    }

    /** Sends the reservations that are called for. */
    public void pump() {
        reservations.pump();
    }

    /** Closes the line: turns callers away, waits for what is under way, and runs {@code last}. */
    public void close(Runnable last) {
        shutdown.run(
                () -> {
                    arrival.signalAll();
                    List<Ticket> turnedAway = turnedAway();
                    return () -> turnedAway.forEach(Ticket::complete);
                },
                reservations::idle,
                last);
    }

    /** Called last: gives back what is left, as far as the store takes it, if asked to; reports the rest lost. */
    public void putAway(List<Stock.Held> left, boolean givesBack) {
        Runnable lose = () -> reserver.putAway(left, false);
        if (givesBack && !left.isEmpty() && !hasStopped()) { // else others may have dealt these values again
            shutdown.runLast(() -> reserver.putAway(left, true), lose);
        } else {
            lose.run();
        }
    }

    /** Under the lock: waits for callers who are likely to come. */
    void awaitCallers() {
        if (lingers) {
            linger.await(waiting, shutdown);
        }
    }

    /** Under the lock: waits for callers who are likely to come, before a read that is slow enough for it. */
    void awaitReaders() {
        if (lingers && readLinger.worthwhile()) {
            readLinger.await(waiting, shutdown);
        }
    }

    /**
     * Takes out those who wait although the sequence deals no more; none while it deals. They are completed when the lock has been
     * released. Under the lock.
     */
    List<Ticket> turnedAway() {
        RuntimeException ended = ended();
        if (ended == null) {
            return List.of();
        }
        List<Ticket> turnedAway = new ArrayList<>(waiting);
        waiting.clear();
        turnedAway.forEach(ticket -> fail(ticket, ended));
        return turnedAway;
    }

    /** Answers a caller with a failure. Under the lock. */
    void fail(Ticket ticket, RuntimeException failure) {
        ticket.failure = failure;
        if (!ticket.withdrawn) {
            unserved -= ticket.count;
        }
    }

    /**
     * Takes out what is left.
     *
     * @return what was in stock, in no order; empty the second time
     */
    public List<Stock.Held> drain() {
        lock.lock();
        try {
            List<Stock.Held> left = new ArrayList<>();
            if (!drained) {
                left.addAll(stock.swept());
                left.addAll(stock.drain());
                drained = true;
            }
            return left;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Suspends reservations, waits for those under way, and removes the values that are left.
     *
     * @throws SequenceException.Unavailable after the patience or an interrupt; then nothing is suspended
     */
    public List<Stock.Held> suspend() {
        lock.lock();
        try {
            suspended = true;
            if (reservations.awaitNone()) {
                List<Stock.Held> left = new ArrayList<>(stock.swept());
                left.addAll(stock.drain());
                return left;
            }
        } finally {
            lock.unlock();
        }
        resume();
        throw new SequenceException.Unavailable(
                context.name,
                "a reservation has not ended within " + context.patience.toMillis()
                        + " ms, and copies of this process would deal its values twice; repeat the checkpoint when the store answers",
                null);
    }

    /** Sends reservations again. */
    public void resume() {
        lock.lock();
        try {
            suspended = false;
        } finally {
            lock.unlock();
        }
        pump();
    }

    /** How many values are in stock. */
    public long inHand() {
        lock.lock();
        try {
            return stock.remaining();
        } finally {
            lock.unlock();
        }
    }

    /** Whether the counter has gone back. */
    private boolean hasStopped() {
        lock.lock();
        try {
            return stopped != null;
        } finally {
            lock.unlock();
        }
    }

    /** The failure of a sequence that deals no more, or null. Under the lock. */
    private @Nullable RuntimeException ended() {
        if (shutdown.begun()) {
            return context.closedFailure();
        }
        return stopped == null ? null : stopped.again();
    }

    private Ticket join(long count, boolean waitsHere) {
        lock.lock();
        try {
            RuntimeException ended = ended();
            if (ended != null) {
                throw ended;
            }
            Ticket ticket = new Ticket(count, served, joined++);
            Block inHand = stock.take(count);
            if (inHand != null) {
                ticket.dealt = inHand;
                ticket.complete(); // nothing depends on it yet, so completing under the lock runs no callback
            } else {
                if (waitsHere) {
                    context.checkMayWait();
                }
                waiting.add(ticket);
                unserved += count;
                linger.arrived(waiting.size());
                readLinger.arrived(waiting.size());
            }
            return ticket;
        } finally {
            lock.unlock();
        }
    }

    private Block await(Ticket ticket, long began) {
        try {
            long passed = context.timing.now() - began;
            return context.timing.await(ticket.result, Math.max(0, context.patienceNanos() - passed));
        } catch (ExecutionException | TimeoutException e) {
            return outcome(ticket, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return outcome(ticket, e);
        } finally {
            context.listener.tell(l -> l.waited(context.name, Duration.ofNanos(context.timing.now() - began)));
        }
    }

    /** What a caller gets that stopped waiting for this reason: the values, if they were dealt to it after all. */
    private Block outcome(Ticket ticket, @Nullable Throwable why) {
        lock.lock();
        try {
            if (ticket.dealt != null) {
                return ticket.dealt;
            }
            if (ticket.failure != null) {
                throw ticket.failure instanceof SequenceException failure ? failure.again() : ticket.failure;
            }
            ticket.withdrawn = true;
            waiting.remove(ticket);
            if (why instanceof InterruptedException) {
                throw new SequenceException.Unavailable(context.name, "interrupted while waiting for the store", why);
            }
            Optional<String> awaited = reserver.waitedFor(context.patience);
            if (awaited.isPresent()) {
                throw new SequenceException.Unavailable(context.name, awaited.get(), lastFailure);
            }
            if (ticket.failedRead != null && reserver.waits()) {
                throw ticket.failedRead.again();
            }
            if (served > ticket.servedBefore) {
                throw new SequenceException.Overloaded(context.name, context.patience);
            }
            throw new SequenceException.Unavailable(
                    context.name,
                    "no answer from " + reserver.store() + " within " + context.patience.toMillis()
                            + " ms; check that it runs and is reachable, and that no transaction holds the lock on this sequence; the"
                            + " next call tries again",
                    lastFailure);
        } finally {
            lock.unlock();
        }
    }
}
