// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.block;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceListener;
import dev.seriatim.engine.dispatch.Listeners;
import dev.seriatim.engine.dispatch.SequenceContext;
import dev.seriatim.engine.dispatch.Timing;
import dev.seriatim.engine.line.Reserver;
import dev.seriatim.engine.sizing.FixedSizing;
import dev.seriatim.internal.DrawFuture;
import dev.seriatim.store.ImmediateStore;
import dev.seriatim.store.Reservation;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Races of two operations on real processors, to find what a model checker with sequentially consistent memory cannot.
 * In this package for its package-private classes.
 */
public final class Races {

    private static final SequenceDefinition DEFINITION = SequenceDefinition.of("s");

    private Races() {}

    /**
     * Tracks which values, at most 62 from 1 on, have been reserved, dealt and lost. An actor's own values are plain
     * fields; lost values are not.
     */
    private static final class Account implements SequenceListener, ImmediateStore {
        private final AtomicLong next = new AtomicLong(1);
        private final AtomicLong lost = new AtomicLong();
        private final AtomicInteger faults = new AtomicInteger();
        private final long size;
        private final Hand first = new Hand();
        private final Hand second = new Hand();

        Account(long size) {
            this.size = size;
        }

        private long with(long values, Block block) {
            long all = values;
            for (long i = 0; i < block.count(); i++) {
                long value = 1L << block.get(i);
                if ((all & value) != 0) {
                    faults.incrementAndGet();
                }
                all |= value;
            }
            return all;
        }

        /** The values that one actor has drawn. */
        private final class Hand {
            private long values;

            void take(@Nullable Block block) {
                if (block != null) {
                    values = with(values, block);
                }
            }

            void next(Sequence sequence) {
                take(new Block(sequence.next(), 1, 1));
            }
        }

        @Override
        public void lost(String sequence, Block values) {
            long all = with(0, values);
            if ((lost.getAndUpdate(before -> before | all) & all) != 0) {
                faults.incrementAndGet();
            }
        }

        @Override
        public Reservation reserve(String name, long count) {
            return new Reservation(new Block(next.getAndAdd(count), count, 1), DEFINITION, 1);
        }

        @Override
        public Optional<Reservation> reserveNow(String name, long count) {
            return Optional.of(reserve(name, count));
        }

        Sequence sequence(long mark) {
            Listeners listeners = new Listeners(this);
            return new BlockSequence(
                    new SequenceContext("s", listeners, Runnable::run, Timing.JVM, Duration.ofSeconds(10), () -> {}),
                    new Reserver("s", this, listeners, Timing.JVM),
                    new FixedSizing(size, mark),
                    false);
        }

        String verdict() {
            long gone = lost.get();
            if (faults.get() > 0
                    || (first.values & second.values) != 0
                    || (first.values & gone) != 0
                    || (second.values & gone) != 0) {
                return "twice";
            }
            long all = (1L << next.get()) - 2;
            return (first.values | second.values | gone) == all ? "right, " + Long.bitCount(gone) + " lost" : "missing";
        }
    }

    /** The allowed results of a race; the arbiters below are alike because each must be in its own class. */
    @Outcome(id = "right.*", expect = ACCEPTABLE, desc = "Each value is accounted for once.")
    @Outcome(expect = FORBIDDEN, desc = "A value is missing, was dealt twice, or is below one drawn before.")
    public static final class EachOnce {
        private EachOnce() {}
    }

    /** Draws while the other thread closes; null if the sequence is closed. */
    private static @Nullable Block unlessClosed(Sequence sequence) {
        try {
            return new Block(sequence.next(), 1, 1);
        } catch (IllegalStateException closed) {
            return null;
        }
    }

    /**
     * Returns a sequence without an only thread. Otherwise, closing waits until that thread is outside every draw of
     * any sequence, and a jcstress worker rarely is.
     */
    private static Sequence amongSeveral(Account account, long mark) {
        Sequence sequence = account.sequence(mark);
        account.first.take(sequence.next(1));
        return sequence;
    }

    /**
     * A second thread draws while the only thread starts, fills its run and deals from it; then the only thread closes.
     */
    @JCStressTest
    @JCStressMeta(EachOnce.class)
    @State
    public static class ASecondThreadJoinsTheOnlyOne {
        private final Account account = new Account(40);
        private final Sequence sequence = account.sequence(FixedSizing.NO_MARK);
        private volatile long joined;
        private boolean fell;

        @Actor
        public void only() {
            for (int i = 0; i < 5; i++) {
                long before = joined;
                long value = sequence.next();
                fell |= value <= before;
                account.first.take(new Block(value, 1, 1));
            }
            sequence.close();
        }

        @Actor
        public void second() {
            Block value = unlessClosed(sequence);
            joined = value == null ? 0 : value.first();
            account.second.take(value);
        }

        @Arbiter
        public void settle(L_Result result) {
            result.r1 = fell ? "fell" : account.verdict();
        }
    }

    /** The only thread returns its run to draw a block, while a second thread joins; then it closes. */
    @JCStressTest
    @JCStressMeta(EachOnce.class)
    @State
    public static class TheRunGoesBackWhileASecondThreadJoins {
        private final Account account = new Account(48);
        private final Sequence sequence = account.sequence(FixedSizing.NO_MARK);

        @Actor
        public void only() {
            account.first.next(sequence);
            account.first.take(sequence.next(4));
            account.first.next(sequence);
            sequence.close();
        }

        @Actor
        public void second() {
            for (int i = 0; i < 2; i++) {
                account.second.take(unlessClosed(sequence));
            }
        }

        @Arbiter
        public void settle(L_Result result) {
            result.r1 = account.verdict();
        }
    }

    /** Closing takes the unused values and the arriving block while another thread draws. */
    @JCStressTest
    @JCStressMeta(EachOnce.class)
    @State
    public static class ClosingMeetsDraws {
        private final Account account = new Account(6);
        private final Sequence sequence = amongSeveral(account, 3);

        @Actor
        public void draws() {
            for (int i = 0; i < 5; i++) {
                account.first.take(unlessClosed(sequence));
            }
        }

        @Actor
        public void closing() {
            sequence.close();
        }

        @Arbiter
        public void settle(L_Result result) {
            result.r1 = account.verdict();
        }
    }

    /** Both fill a cursor's run from the same block, and give up the rest. */
    @JCStressTest
    @JCStressMeta(EachOnce.class)
    @State
    public static class ACursorAndADraw {
        private final Account account = new Account(20);
        private final Sequence sequence = amongSeveral(account, FixedSizing.NO_MARK);

        @Actor
        public void cursor() {
            Sequence cursor = sequence.local();
            account.first.next(cursor);
            account.first.take(cursor.next(3));
            cursor.close();
        }

        @Actor
        public void draw() {
            account.second.next(sequence);
            account.second.take(sequence.next(3));
        }

        @Arbiter
        public void settle(L_Result result) {
            sequence.close();
            result.r1 = account.verdict();
        }
    }

    /** Both reach the mark and the end of a block while the next block arrives. */
    @JCStressTest
    @JCStressMeta(EachOnce.class)
    @State
    public static class TheMarkIsPassedWhileTheNextBlockArrives {
        private final Account account = new Account(3);
        private final Sequence sequence = amongSeveral(account, 2);

        @Actor
        public void first() {
            account.first.next(sequence);
            account.first.next(sequence);
            account.first.take(sequence.next(4));
        }

        @Actor
        public void second() {
            account.second.next(sequence);
            account.second.next(sequence);
            account.second.take(sequence.next(2));
        }

        @Arbiter
        public void settle(L_Result result) {
            sequence.close();
            result.r1 = account.verdict();
        }
    }

    /** The rest of a span is returned while another thread draws from it. */
    @JCStressTest
    @JCStressMeta(EachOnce.class)
    @State
    public static class ASteppingBackMeetsASteppingOn {
        private final Account account = new Account(20);
        private final Span span = new Span(account.reserve("s", 20).block(), 1);

        @Actor
        public void back() {
            long place = span.step(4);
            account.first.take(span.block.slice(place, 2));
            if (!span.stepBack(place + 4, place + 2)) {
                account.lost("s", span.block.slice(place + 2, 2));
            }
        }

        @Actor
        public void on() {
            account.second.take(span.block.slice(span.step(), 1));
            account.second.take(span.block.slice(span.stepExactly(2), 2));
        }

        @Arbiter
        public void settle(L_Result result) {
            account.first.take(span.takeRest());
            result.r1 = account.verdict();
        }
    }

    /** The rest of a span is taken while others draw from it. */
    @JCStressTest
    @JCStressMeta(EachOnce.class)
    @State
    public static class TheRestIsTakenWhileAnotherDraws {
        private final Account account = new Account(5);
        private final Span span = new Span(account.reserve("s", 5).block(), 1);

        @Actor
        public void rest() {
            account.first.take(span.takeRest());
        }

        @Actor
        public void draw() {
            long piece = span.stepExactly(2);
            if (piece >= 0) {
                account.second.take(span.block.slice(piece, 2));
            }
            long place = span.step();
            if (place < span.count) {
                account.second.take(span.block.slice(place, 1));
            }
        }

        @Arbiter
        public void settle(L_Result result) {
            result.r1 = span.remaining() == 0 ? account.verdict() : "left";
        }
    }

    /** A remainder becomes the current block again, with another mark, while a draw still holds it. */
    @JCStressTest
    @JCStressMeta(EachOnce.class)
    @State
    public static class ARemainderIsTakenUpAgainWhileADrawHoldsIt {
        private final Account account = new Account(3);
        private final ReentrantLock lock = new ReentrantLock();
        private final BlockStock stock = new BlockStock(new FixedSizing(3, 2)) {};

        public ARemainderIsTakenUpAgainWhileADrawHoldsIt() {
            stock.arrived(account.reserve("s", 3), 0, 0, 0, 0);
            account.reserve("s", 1); // so that the next reservation does not merge with it
            account.first.take(new Block(4, 1, 1));
            stock.arrived(account.reserve("s", 5), 0, 0, 0, 0);
        }

        @Actor
        public void piece() {
            lock.lock();
            try {
                account.first.take(stock.take(4, false));
                account.first.take(stock.take(2, false));
            } finally {
                lock.unlock();
            }
        }

        @Actor
        public void draws() {
            for (int i = 0; i < 3; i++) {
                Span span = stock.current;
                long place = span.step();
                if (place < span.trigger || place < span.count) {
                    account.second.take(span.block.slice(place, 1));
                } else {
                    moveOn(span);
                }
            }
        }

        private void moveOn(Span spent) {
            lock.lock();
            try {
                boolean unused = stock.current != spent || stock.beginNext();
            } finally {
                lock.unlock();
            }
        }

        @Arbiter
        public void settle(L_Result result) {
            stock.discarded(true).forEach(unused -> account.first.take(unused.block()));
            result.r1 = account.verdict();
        }
    }

    /** The caller cancels while its value arrives: either it has the value, or the value is lost, exactly once. */
    @JCStressTest
    @Outcome(id = "dealt", expect = ACCEPTABLE, desc = "The value came first.")
    @Outcome(id = "lost", expect = ACCEPTABLE, desc = "The caller was first: the value is lost, once.")
    @Outcome(expect = FORBIDDEN, desc = "Both, neither, or twice.")
    @State
    public static class ADrawIsCancelledWhileItsValueArrives {
        private final AtomicInteger withdrawn = new AtomicInteger();
        private final DrawFuture<Long> drawn = DrawFuture.pending();

        @Actor
        public void arrives() {
            drawn.withdrawnBy(withdrawn::incrementAndGet);
            drawn.deliver(() -> 1L);
        }

        @Actor
        public void cancels() {
            drawn.cancel(false);
        }

        @Arbiter
        public void settle(L_Result result) {
            boolean dealt = !drawn.isCompletedExceptionally();
            result.r1 = dealt && withdrawn.get() == 0
                    ? "dealt"
                    : !dealt && withdrawn.get() == 1 ? "lost" : dealt + ", withdrawn " + withdrawn.get();
        }
    }
}
