// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.line;

import dev.seriatim.Block;
import dev.seriatim.SequenceException;
import dev.seriatim.engine.dispatch.Retry;
import dev.seriatim.engine.dispatch.SequenceContext;
import dev.seriatim.engine.dispatch.Shutdown;
import dev.seriatim.engine.dispatch.StoreFailures;
import dev.seriatim.engine.dispatch.Tasks;
import dev.seriatim.internal.DrawFuture;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SequenceStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The slow path of every mode: callers that need the store wait in one line, and are dealt values in the order of arrival. All
 * state of a sequence's reservations is here, under one lock. Thread-safe.
 *
 * <ol>
 *   <li>A caller takes a {@link Ticket}. If a reservation is due, a {@link ReservationCall} starts.
 *   <li>The call collects the tickets that wait <em>now</em> and asks the store for their values, and for the stock's. Callers
 *       that arrive later wait for the next call: joining a call that was sent would break the order between processes.
 *   <li>Each caller waits until its own deadline, whatever the store does: threads of the executor call the store.
 *   <li>A call that fails fails its own callers. The next call follows after a back-off.
 *   <li>A caller that stops waiting, or cancels its future, is dealt nothing. A value already dealt to it is reported lost.
 *   <li>Every call ends, whatever the store, the executor, a listener or a callback throws, errors of the virtual machine
 *       included. Otherwise the line would wait for it for the life of the process.
 * </ol>
 *
 * <p>Block modes deal from a {@link Stock}, CONFIRMED from a {@link ConfirmedStock}; ASYNC and COMBINED reserve exactly what callers wait
 * for. The lock is never held across a call to the store, a listener or a future.
 */
public final class WaitingLine {

    /** How long a caller's thread also reads for callers that came during its own read: a hand-over takes longer. */
    private static final long MAX_LEAD_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    /** How often per patience the line checks for a call that hangs while callers wait behind it. */
    private static final int CHECKS = 8;

    final SequenceContext context;
    final Reserver reserver;
    public final ReentrantLock lock;
    private final @Nullable Stock stock;
    private final @Nullable ConfirmedStock confirmed;
    private final boolean shares; // whether callers share a reservation
    private final int maxReservations;

    /** Signalled when a caller has joined. */
    private final Condition arrival;

    /** Signalled when a call has ended. */
    private final Condition change;

    private final Linger linger;
    private final Linger readLinger;
    private final Shutdown shutdown;

    // Guarded by the lock:
    private final ArrayDeque<Ticket> waiting = new ArrayDeque<>();
    private long served;
    private long joined;

    /** Values that callers wait for, or waited for until they timed out: demand that the stock's size must follow. */
    private long unserved;

    private final Tasks<ReservationCall> underWay;
    private final Retry retry;

    private long requested;

    /** Whether the timer of {@link #watch} is set. */
    private boolean watched;

    /** Calls that still report losses. Closing waits for them, so that nothing is reported afterwards. */
    private int reporting;

    private boolean drained;

    /** No call begins, although callers may wait. */
    private boolean suspended;

    private @Nullable SequenceException lastFailure;
    private SequenceException.@Nullable Regressed stopped;

    /** A line of a block mode, whose callers share the reservations. */
    public WaitingLine(SequenceContext context, Reserver reserver, Stock stock, int maxReservations) {
        this(context, reserver, stock, null, true, maxReservations);
    }

    /** A line without blocks: ASYNC, COMBINED or, with its stock, CONFIRMED. */
    WaitingLine(
            SequenceContext context,
            Reserver reserver,
            @Nullable Stock stock,
            @Nullable ConfirmedStock confirmed,
            boolean shares,
            int maxReservations) {
        this.context = context;
        this.reserver = reserver;
        this.stock = stock;
        this.confirmed = confirmed;
        this.shares = shares;
        this.maxReservations = maxReservations;
        this.lock = context.timing().lock();
        this.arrival = lock.newCondition();
        this.change = lock.newCondition();
        this.linger = new Linger(arrival);
        this.readLinger = new Linger(arrival);
        this.underWay = new Tasks<>(context.timing(), context.patienceNanos(), maxReservations);
        this.retry = new Retry(context.timing());
        this.shutdown = new Shutdown(context, lock, change);
    }

    // Callers

    /** Deals {@code count} values in one piece; fewer only at the end of the sequence. */
    public Block draw(long count) {
        long began = context.timing().now();
        Ticket ticket = join(count, true);
        Block drawn = null;
        try {
            sendDue(true);
            drawn = isServed(ticket) ? ticket.result.join() : await(ticket, began);
            return drawn;
        } finally {
            if (drawn == null) {
                withdraw(ticket);
            }
        }
    }

    /** Draws the next value without blocking a thread. */
    public DrawFuture<Long> drawAsync() {
        DrawFuture<Long> drawn = DrawFuture.pending();
        try {
            Ticket ticket = join(1, false);
            drawn.withdrawnBy(() -> withdraw(ticket));
            sendDue();
            if (isServed(ticket)) {
                drawn.deliver(() -> ticket.result.join().first());
            } else {
                CompletionStage<Block> inTime = context.timing().endAfter(ticket.result, context.patienceNanos());
                inTime.whenCompleteAsync(
                        (block, failure) ->
                                drawn.deliver(() -> outcome(ticket, failure).first()),
                        callback ->
                                context.execute(callback::run)); // so that the caller's callbacks delay no reservation
            }
        } catch (RuntimeException e) {
            drawn.completeExceptionally(e);
        } catch (Throwable e) { // no thread for the clock
            drawn.completeExceptionally(StoreFailures.ofStore(context.name(), e));
        }
        return drawn;
    }

    private static boolean isServed(Ticket ticket) {
        return ticket.result.isDone() && !ticket.result.isCompletedExceptionally();
    }

    private Ticket join(long count, boolean waitsHere) {
        lock.lock();
        try {
            RuntimeException ended = ended();
            if (ended != null) {
                throw ended;
            }
            Ticket ticket = new Ticket(count, served, joined++);
            Block taken = stock == null ? null : stock.take(count, false);
            if (taken != null) {
                ticket.dealt = taken;
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
            long passed = context.timing().now() - began;
            return context.timing().await(ticket.result, Math.max(0, context.patienceNanos() - passed));
        } catch (ExecutionException | TimeoutException e) {
            return outcome(ticket, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return outcome(ticket, e);
        } finally {
            context.listener()
                    .call(l -> l.waited(
                            context.name(), Duration.ofNanos(context.timing().now() - began)));
        }
    }

    /** Returns the values of a caller that stopped waiting, if they were dealt after all; otherwise throws the reason. */
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
                throw new SequenceException.Unavailable(context.name(), "interrupted while waiting for the store", why);
            }
            Optional<String> awaited = StoreFailures.waitedFor(reserver.store(), context.patience());
            if (awaited.isPresent()) {
                throw new SequenceException.Unavailable(context.name(), awaited.get(), lastFailure);
            }
            // The reservation waits for what the read has waited for: the read's failure names it.
            if (ticket.failedRead != null
                    && StoreFailures.awaited(reserver.store(), Duration.ZERO).isPresent()) {
                throw ticket.failedRead.again();
            }
            if (served > ticket.servedBefore) {
                throw new SequenceException.Overloaded(
                        context.name(),
                        "no turn within " + context.patience().toMillis()
                                + " ms although the store answers; draw in blocks (ADAPTIVE), combine callers (COMBINED) or wait longer",
                        null);
            }
            throw new SequenceException.Unavailable(
                    context.name(),
                    "no answer from " + reserver.store() + " within "
                            + context.patience().toMillis()
                            + " ms; check that it runs and is reachable, and that no transaction holds the lock on this sequence; the"
                            + " next call tries again",
                    lastFailure);
        } finally {
            lock.unlock();
        }
    }

    private void withdraw(Ticket ticket) {
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
            context.listener().call(l -> l.lost(context.name(), unused));
        }
    }

    /** Returns the failure of a sequence that deals no more, or null. Under the lock. */
    private @Nullable RuntimeException ended() {
        if (shutdown.begun()) {
            return context.closedFailure();
        }
        return stopped == null ? null : stopped.again();
    }

    // When a reservation is due

    /** Sends the reservations that are due. Throws nothing: the caller may hold a value, which would be lost. */
    public void sendDue() {
        sendDue(false);
    }

    /** With {@code byCaller}, this thread's caller waits for the first call, which may run here. */
    private void sendDue(boolean byCaller) {
        try {
            long began = context.timing().now();
            ReservationCall next = nextDue();
            boolean here = byCaller;
            while (next != null) {
                next.start(here);
                here = byCaller && context.timing().now() - began < MAX_LEAD_NANOS;
                next = nextDue();
            }
        } catch (Throwable e) {
            turnAway(e);
        }
    }

    /** Like {@link #sendDue()}, on a thread of the executor. */
    void reserveDue() {
        try {
            ReservationCall next = nextDue();
            while (next != null) {
                next.reserve();
                next = nextDue();
            }
        } catch (Throwable e) {
            turnAway(e);
        }
    }

    /** Returns a new call if one is due. During a back-off, sets one timer for the next try. */
    private @Nullable ReservationCall nextDue() {
        long pause;
        lock.lock();
        try {
            if (shutdown.begun() || suspended || stopped != null) {
                return null;
            }
            if (!isDue()) {
                watch();
                return null;
            }
            pause = retry.pause();
            if (pause <= 0) {
                ReservationCall call = new ReservationCall(this, joined);
                underWay.add(call);
                return call;
            }
            if (!retry.schedule()) {
                return null;
            }
        } finally {
            lock.unlock();
        }
        context.after(pause, this::retryNow, this::noTimer);
        return null;
    }

    /** Whether one more call is due, beside those under way. */
    private boolean isDue() {
        abandonOverdue();
        if (underWay.size() >= maxReservations || (retry.refused() && (waiting.isEmpty() || othersMayServe()))) {
            return false;
        }
        return !startingServeAll() && size(Ticket.values(waiting), underWay.size()) != Stock.NOTHING;
    }

    /** Whether the calls that have not begun will collect all callers that wait. */
    private boolean startingServeAll() {
        int starting = underWay.starting();
        return shares ? starting > 0 : waiting.size() <= starting;
    }

    private boolean othersMayServe() {
        return !underWay.isEmpty() && shares;
    }

    /** Returns how many values to request, beside {@code others} calls under way, or {@link Stock#NOTHING}. */
    private long size(long wanted, int others) {
        if (stock != null) {
            return stock.size(wanted, others, requested);
        }
        if (wanted == 0) {
            return Stock.NOTHING;
        }
        return confirmed == null ? wanted : confirmed.size(wanted);
    }

    private void abandonOverdue() {
        ReservationCall hung = underWay.overdue();
        while (hung != null) {
            underWay.abandon(hung);
            requested -= hung.requested;
            hung = underWay.overdue();
        }
    }

    /** Sets a timer while callers wait behind calls that have begun: such a call may hang, and no other caller may come. */
    private void watch() {
        if (!watched && !waiting.isEmpty() && !underWay.isEmpty() && !startingServeAll()) {
            watched = true;
            context.after(context.patienceNanos() / CHECKS, this::check, noTimer -> watched = false);
        }
    }

    /** Runs on the clock's thread, like {@link #retryNow}: neither may block it. */
    private void check() {
        lock.lock();
        try {
            watched = false;
        } finally {
            lock.unlock();
        }
        sendDue();
    }

    private void retryNow() {
        retryDue();
        sendDue();
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

    /** Fails the callers that wait if no call will be sent for them. A call under way sends the next one when it ends. */
    private void turnAway(Throwable why) {
        try {
            List<Ticket> left = List.of();
            lock.lock();
            try {
                if (underWay.isEmpty()) {
                    SequenceException failure = StoreFailures.ofExecutor(context.name(), why);
                    left = new ArrayList<>(waiting);
                    waiting.clear();
                    left.forEach(ticket -> fail(ticket, failure));
                }
            } finally {
                lock.unlock();
            }
            left.forEach(Ticket::complete);
        } catch (Throwable e) {
            // no memory to report it: the callers time out
        }
    }

    // What a call does to the line

    boolean mayConfirm() {
        return locked(() -> expected(Ticket.values(waiting)) != null);
    }

    void yieldToCallers() {
        readLinger.yieldToCallers(context.timing());
    }

    /**
     * Collects the callers that joined before a place, and decides whether to read or how much to reserve. Returns false, and
     * ends the call, if nothing is due any more.
     */
    boolean collect(ReservationCall call, long before) {
        boolean first = !call.begun();
        lock.lock();
        try {
            awaitCallers();
            if (first && !underWay.begin(call)) {
                return false;
            }
            while (!waiting.isEmpty() && waiting.element().place < before && (shares || call.callers.isEmpty())) {
                call.callers.add(waiting.element());
                waiting.remove();
            }
            long wanted = Ticket.values(call.callers);
            SequenceState expected = expected(wanted);
            long size = expected == null ? sizeFor(wanted) : 0;
            if (size != Stock.NOTHING) {
                long now = context.timing().now();
                call.sent(expected, size, now);
                requested += size;
                if (stock != null) {
                    stock.sent(now, unserved);
                }
                return true;
            }
            backInLine(call); // another reservation will serve them
            if (first) {
                underWay.end(call);
                change.signalAll();
            }
        } finally {
            lock.unlock();
        }
        if (!first) {
            call.end(null, null, null);
        }
        return false;
    }

    private void awaitCallers() {
        if (stock != null || !shares) {
            return;
        }
        if (expected(Ticket.values(waiting)) == null) {
            linger.await(waiting, shutdown);
        } else if (readLinger.worthwhile()) {
            readLinger.await(waiting, shutdown);
        }
    }

    /** Returns the counter that a read must show for the reserved values to be dealt, or null if a reservation is needed. */
    private @Nullable SequenceState expected(long wanted) {
        return confirmed == null ? null : confirmed.expected(wanted);
    }

    private long sizeFor(long wanted) {
        return shutdown.begun() || suspended ? Stock.NOTHING : size(wanted, underWay.size() - 1);
    }

    /** Returns the callers to the head of the line, in order. */
    private void backInLine(ReservationCall call) {
        for (int i = call.callers.size() - 1; i >= 0; i--) {
            if (!call.callers.get(i).withdrawn) {
                waiting.addFirst(call.callers.get(i));
            }
        }
    }

    /** Returns the callers to the line before the store is asked for them, so that others may join. */
    void release(ReservationCall call) {
        lock.lock();
        try {
            releaseLocked(call);
        } finally {
            lock.unlock();
        }
    }

    private void releaseLocked(ReservationCall call) {
        backInLine(call);
        call.released();
    }

    /** A caller that times out before the reservation completes reports this cause. */
    void readFailed(ReservationCall call, SequenceException.Overloaded why) {
        lock.lock();
        try {
            call.callers.forEach(ticket -> ticket.failedRead = why);
        } finally {
            lock.unlock();
        }
    }

    /** Whether a read confirms the reserved values. If not, discards them unless it is late, and returns the callers to the line. */
    boolean confirms(ReservationCall call, @Nullable SequenceState counter, long began) {
        lock.lock();
        try {
            SequenceState expected = call.expected;
            boolean confirms = expected != null
                    && !call.abandoned()
                    && expected.equals(expected(Ticket.values(call.callers)))
                    && expected.equals(counter);
            if (!confirms) {
                if (!call.abandoned()) {
                    Objects.requireNonNull(confirmed).stale(context.timing().now() - began);
                }
                releaseLocked(call);
            }
            return confirms;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Delivers a reservation, a failure, or the reserved values that a read of {@code counter} has confirmed. With none of these,
     * the call has asked for nothing. {@link #reported} must follow.
     */
    void end(
            ReservationCall call,
            @Nullable Reservation reservation,
            @Nullable SequenceException failure,
            @Nullable SequenceState counter) {
        lock.lock();
        try {
            reporting++; // first, since reported() counts down
            if (underWay.end(call)) {
                requested -= call.requested;
            }
            long now = context.timing().now();
            if (counter != null) {
                retry.succeeded();
                readLinger.ended(call.callers.size() + waiting.size(), now - call.sentAt);
                backInLine(call);
                Stock.Unused values = Objects.requireNonNull(confirmed).takeHeld(now - call.sentAt);
                dealToCallers(call, values, counter.usedUp(), true);
            } else if (reservation != null) {
                lingerAfter(call, now);
                retry.succeeded();
                deal(call, reservation, now);
            } else if (failure != null) {
                lingerAfter(call, now);
                fail(call, failure);
                retry.failed(failure);
            }
            call.answered.addAll(turnedAway()); // callers that are back in line because the block was too short
            call.lost.addAll(discarded(false));
        } catch (Throwable e) {
            failRest(call, e);
        } finally {
            lock.unlock();
        }
    }

    private void lingerAfter(ReservationCall call, long now) {
        if (call.begun() && !call.abandoned()) {
            linger.ended(call.callers.size() + waiting.size(), now - call.sentAt);
        }
    }

    void reported() {
        lock.lock();
        try {
            reporting--;
            change.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void deal(ReservationCall call, Reservation reservation, long now) {
        Block block = reservation.block();
        long wanted =
                call.requested == SequenceStore.CACHE ? reservation.definition().cache() : call.requested;
        // A short block may only mean that another session drew in between. The last block ends at the bound.
        boolean last = block.count() < wanted && reservation.definition().endsAt(block.last());
        backInLine(call);
        if (stock != null && mayKeep()) {
            stock.arrived(reservation, now - call.calledAt(), Ticket.values(waiting), unserved, now);
            dealFromStock(call, stock, last);
        } else if (confirmed == null || call.abandoned()) {
            dealToCallers(call, new Stock.Unused(block, reservation.epoch()), last, false);
        } else {
            dealToCallers(call, confirmed.joined(reservation, now - call.sentAt), last, true);
        }
    }

    private boolean mayKeep() {
        return !drained && stopped == null;
    }

    private void dealFromStock(ReservationCall call, Stock values, boolean last) {
        while (!waiting.isEmpty()) {
            Block dealt = values.take(waiting.element().count, last);
            if (dealt == null) {
                return;
            }
            serve(call, waiting.remove(), dealt);
        }
    }

    /** Deals to the callers of the call, and to no others: callers that came later must not get its values. */
    private void dealToCallers(ReservationCall call, Stock.Unused values, boolean last, boolean keeps) {
        Block block = values.block();
        long used = 0;
        for (Ticket ticket : call.callers) {
            long left = block.count() - used;
            if (!ticket.withdrawn && left > 0 && (left >= ticket.count || last)) {
                Block dealt = block.slice(used, Math.min(left, ticket.count));
                used += dealt.count();
                waiting.remove(ticket);
                serve(call, ticket, dealt);
            }
        }
        if (used < block.count()) {
            Stock.Unused rest = new Stock.Unused(block.tail(used), values.epoch());
            if (confirmed != null && keeps && mayKeep()) {
                confirmed.held = rest;
            } else {
                call.lost.add(rest);
            }
        }
    }

    private void serve(ReservationCall call, Ticket ticket, Block dealt) {
        ticket.dealt = dealt;
        served++;
        unserved -= ticket.count;
        call.answered.add(ticket);
    }

    private void fail(ReservationCall call, SequenceException failure) {
        lastFailure = failure;
        if (failure instanceof SequenceException.Regressed regressed) {
            stopped = regressed; // end() turns the other callers away
            call.lost.addAll(discarded(true));
        }
        for (Ticket ticket : failure instanceof SequenceException.Exhausted ? leftWithNothing(call) : call.callers) {
            fail(ticket, failure);
            call.answered.add(ticket);
        }
    }

    /**
     * Returns the callers that are left without a value when the store has no more. Other calls may have fetched the last values:
     * those that have arrived are dealt first, and those that may still arrive are waited for.
     */
    private List<Ticket> leftWithNothing(ReservationCall call) {
        if (!shares || shutdown.begun() || stopped != null) {
            return call.callers;
        }
        backInLine(call);
        if (stock != null) {
            dealFromStock(call, stock, true);
        }
        return othersMayServe()
                ? List.of()
                : call.callers.stream()
                        .filter(ticket -> ticket.withdrawn || waiting.remove(ticket))
                        .toList();
    }

    /** Fails the callers without an answer, because dealing failed, for example without memory. */
    private void failRest(ReservationCall call, Throwable why) {
        SequenceException failure = StoreFailures.ofStore(context.name(), why);
        for (Ticket ticket : call.callers) {
            if (ticket.dealt == null && ticket.failure == null) {
                waiting.remove(ticket);
                fail(ticket, failure);
                call.answered.add(ticket);
            }
        }
    }

    private void fail(Ticket ticket, RuntimeException failure) {
        ticket.failure = failure;
        if (!ticket.withdrawn) {
            unserved -= ticket.count;
        }
    }

    /** Removes and fails the callers, to be completed outside the lock, if the sequence deals no more. */
    private List<Ticket> turnedAway() {
        RuntimeException ended = ended();
        if (ended == null) {
            return List.of();
        }
        List<Ticket> turnedAway = new ArrayList<>(waiting);
        waiting.clear();
        turnedAway.forEach(ticket -> fail(ticket, ended));
        return turnedAway;
    }

    // Closing

    public void close(LongConsumer last) {
        shutdown.run(
                () -> {
                    arrival.signalAll();
                    List<Ticket> turnedAway = turnedAway();
                    return () -> turnedAway.forEach(Ticket::complete);
                },
                this::idle,
                last);
    }

    private boolean idle() {
        return underWay.isEmpty() && reporting == 0;
    }

    /** Gives the values back if asked to, as far as the store accepts them, and reports the rest lost. */
    public void putAway(List<Stock.Unused> left, boolean givesBack, long deadline) {
        Runnable lose = () -> reserver.putAway(left, false);
        if (givesBack
                && !left.isEmpty()
                && locked(() -> stopped == null)) { // else others may have dealt these values again
            shutdown.runLast(() -> reserver.putAway(left, true), lose, deadline);
        } else {
            lose.run();
        }
    }

    /** Removes the unused values, in no order; none the second time. */
    public List<Stock.Unused> drain() {
        return locked(() -> {
            List<Stock.Unused> left = drained ? List.of() : discarded(true);
            drained = true;
            return left;
        });
    }

    /**
     * Suspends reservations, waits for the calls under way, and removes the unused values.
     *
     * @throws SequenceException.Unavailable at the deadline or after an interrupt; then nothing is suspended
     */
    public List<Stock.Unused> suspend(long deadline) {
        locked(() -> suspended = true);
        if (shutdown.await(() -> idle() && !underWay.anyAbandoned(call -> true), deadline)) {
            return locked(() -> discarded(true));
        }
        resume();
        throw new SequenceException.Unavailable(
                context.name(),
                "a reservation has not ended within " + context.patience().toMillis()
                        + " ms, and copies of this process would deal its values twice; repeat the checkpoint when the store answers",
                null);
    }

    public void resume() {
        locked(() -> suspended = false);
        sendDue();
    }

    long held() {
        return locked(() -> confirmed == null || confirmed.held == null
                ? 0L
                : confirmed.held.block().count());
    }

    private List<Stock.Unused> discarded(boolean all) {
        if (stock != null) {
            return stock.discarded(all);
        }
        if (confirmed == null) {
            return List.of();
        }
        List<Stock.Unused> discarded = new ArrayList<>(confirmed.discarded);
        confirmed.discarded.clear();
        if (all && confirmed.held != null) {
            discarded.add(confirmed.held);
            confirmed.held = null;
        }
        return discarded;
    }

    /** Runs work under the lock. Not for work that must be done although no memory is left. */
    public <R> R locked(Supplier<R> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }
}
