// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.line;

import dev.seriatim.Block;
import dev.seriatim.SequenceException;
import dev.seriatim.engine.dispatch.StoreFailures;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SequenceStore;
import java.util.ArrayList;
import java.util.List;

/** What the callers of a reservation get: values or a failure. Under the line's lock, except {@link #report}. */
final class Delivery {

    private final WaitingLine line;
    private final Stock stock;
    private final List<Ticket> callers = new ArrayList<>();
    private final List<Ticket> ready = new ArrayList<>();
    private final List<Stock.Held> lost = new ArrayList<>();

    Delivery(WaitingLine line) {
        this.line = line;
        this.stock = line.stock;
    }

    /** Takes callers out of the line, as many as share a reservation, among those who came before a place. */
    void collect(long before) {
        while (!line.waiting.isEmpty()
                && line.waiting.element().place < before
                && callers.size() < stock.callersPerReservation()) {
            callers.add(line.waiting.element());
            line.waiting.remove();
        }
    }

    int callers() {
        return callers.size();
    }

    /** How many values its callers wait for. */
    long values() {
        return Ticket.values(callers);
    }

    /** They came first, and are served first. */
    void backInLine() {
        for (int i = callers.size() - 1; i >= 0; i--) {
            if (!callers.get(i).withdrawn) {
                line.waiting.addFirst(callers.get(i));
            }
        }
    }

    /**
     * Deals what a reservation brought.
     *
     * @param asked how many values it asked for
     * @param tookNanos from when it was called for
     * @param answerNanos from when it was sent
     * @param late whether others no longer waited for it
     */
    void deal(Reservation reservation, long asked, long tookNanos, long answerNanos, long now, boolean late) {
        Block block = reservation.block();
        long wanted = asked == SequenceStore.CACHE ? reservation.definition().cache() : asked;
        // One that others drew in between has values left behind it, and says nothing about the end.
        boolean shortened = block.count() < wanted && reservation.definition().endsAt(block.last());
        backInLine();
        boolean kept = !line.drained
                && line.stopped == null
                && stock.arrived(reservation, tookNanos, Ticket.values(line.waiting), line.unserved, now);
        if (kept) {
            dealFromStock(shortened);
        } else if (late) {
            dealToCallers(new Stock.Held(block, reservation.epoch()), shortened, false);
        } else {
            dealToCallers(stock.joined(reservation, answerNanos), shortened, true);
        }
    }

    /** Deals the values in hand after a read has confirmed them. */
    void dealConfirmed(SequenceState counter, long tookNanos) {
        backInLine();
        dealToCallers(stock.confirmed(tookNanos), counter.usedUp(), true);
    }

    /** Lets the callers hear why a read failed, should their patience end before a reservation does. */
    void readFailed(SequenceException.Overloaded why) {
        callers.forEach(ticket -> ticket.failedRead = why);
    }

    /** Nothing was asked for the callers after all: they go back in line. */
    void release() {
        backInLine();
        callers.clear();
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

    /** To the callers it was sent for, and to no others: those who came later must not get its values. */
    private void dealToCallers(Stock.Held values, boolean shortened, boolean keeps) {
        Block block = values.block();
        long used = 0;
        for (Ticket ticket : callers) {
            long left = block.count() - used;
            if (!ticket.withdrawn && left > 0 && (left >= ticket.count || shortened)) {
                Block dealt = block.slice(used, Math.min(left, ticket.count));
                used += dealt.count();
                line.waiting.remove(ticket);
                serve(ticket, dealt);
            }
        }
        if (used < block.count()) {
            Stock.Held rest = new Stock.Held(block.tail(used), values.epoch());
            boolean kept = keeps && !line.drained && line.stopped == null && stock.keep(rest);
            if (!kept) {
                lost.add(rest);
            }
        }
    }

    private void serve(Ticket ticket, Block dealt) {
        ticket.dealt = dealt;
        line.served++;
        line.unserved -= ticket.count;
        ready.add(ticket);
    }

    void fail(SequenceException failure, Reservations others) {
        line.lastFailure = failure;
        if (failure instanceof SequenceException.Regressed regressed) {
            line.stopped = regressed;
            lost.addAll(stock.drain()); // those who wait hear it as they are turned away
        }
        for (Ticket ticket : failure instanceof SequenceException.Exhausted ? leftWithNothing(others) : callers) {
            line.fail(ticket, failure);
            ready.add(ticket);
        }
    }

    /**
     * Who gets no value although others may have fetched the last ones: this answer can have overtaken theirs, or theirs
     * this one. What they have brought is dealt; what they may still bring is waited for.
     */
    private List<Ticket> leftWithNothing(Reservations others) {
        if (stock.callersPerReservation() == 1 || line.shutdown.begun() || line.stopped != null) {
            return callers;
        }
        backInLine();
        dealFromStock(true);
        return others.mayServeMore()
                ? List.of()
                : callers.stream()
                        .filter(ticket -> ticket.withdrawn || line.waiting.remove(ticket))
                        .toList();
    }

    /** Dealing failed, as for want of memory: callers who have got nothing hear it. */
    void failRest(Throwable why) {
        SequenceException failure = StoreFailures.ofStore(line.context.name, why);
        for (Ticket ticket : callers) {
            if (ticket.dealt == null && ticket.failure == null) {
                line.waiting.remove(ticket);
                line.fail(ticket, failure);
                ready.add(ticket);
            }
        }
    }

    /** Nothing more is dealt. */
    void close() {
        ready.addAll(line.turnedAway()); // whoever is back in line, since the block was too short
        lost.addAll(stock.swept());
    }

    /** Wakes the callers and reports what is lost. Not under the lock. */
    void report() {
        ready.forEach(Ticket::complete);
        lost.forEach(held -> line.context.listener.tell(l -> l.lost(line.context.name, held.block())));
    }
}
