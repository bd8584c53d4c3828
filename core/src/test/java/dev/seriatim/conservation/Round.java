// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.conservation;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.store.SequenceState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads that draw in every way, over a store, an executor and a listener that fail at random; interrupts, a closing, an
 * administrator's changes in between. Then nothing fails any more: it must deal again, and every number is accounted for.
 */
abstract class Round<T> {

    private static final long LAST_CHANCE_NANOS = TimeUnit.SECONDS.toNanos(40);
    private static final long RECOVERY_NANOS = TimeUnit.SECONDS.toNanos(9);
    private static final int MOST_FAULTS = 5;

    static final ExecutorService THREADS = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "conservation");
        thread.setDaemon(true);
        return thread;
    });

    /** What a caller does. */
    @FunctionalInterface
    interface Call {
        void run() throws Exception;
    }

    final Ground<T> ground;
    final Chance chance;
    final String name;
    final StringBuilder plan = new StringBuilder();
    private final Queue<String> faults = new ConcurrentLinkedQueue<>();
    private final AtomicInteger working = new AtomicInteger();
    private final AtomicInteger changing = new AtomicInteger();
    private volatile long lastReturn;

    Round(Ground<T> ground, Chance chance) {
        this.ground = ground;
        this.chance = chance;
        name = ground.name();
    }

    /** Whether an administrator may do only what leaves no gap. */
    abstract boolean onlyBounds();

    /** How often each thread acts. */
    abstract int actions();

    /** No action may take longer, although the store is slow and the machine busy. */
    abstract Duration longest();

    /** The shortest patience, in milliseconds, which is enough when nothing fails. */
    int shortest() {
        return ground.leastPatience();
    }

    /** The longest patience. */
    abstract Duration patient();

    /** One action of a thread. Expects what is the store's, the sequence's or the test's own fault, and nothing else. */
    abstract void act(Chance chance);

    /** What a thread does when it has acted for the last time. */
    void leave() {}

    /** Closes one, or all, at any time. */
    void closeOne() throws Exception {}

    /** Draws once when nothing fails any more. */
    abstract void drawOne() throws Exception;

    /** Closes all. */
    void close() throws Exception {}

    /** What does not balance now that all have come to rest; empty when everything does. */
    abstract String account(Changes changes) throws Exception;

    /** What went wrong; empty when nothing did. */
    final String fault() throws Exception {
        plan.append(", failures ").append(chance.failures()).append(" %");
        boolean closing = chance.oneIn(4);
        boolean interrupting = chance.oneIn(4);
        Changes changes = new Changes(ground.catalog(), name, chance.split(), onlyBounds());
        List<Thread> threads = callers();
        Thread administrator = chance.oneIn(2) ? administrator(changes, chance.split()) : new Thread("idle");
        chance.pause(3_000);
        if (closing) {
            plan.append(", closed meanwhile");
            expectNothing("closing", this::closeOne);
        }
        join(threads, interrupting);
        join(List.of(administrator), false);
        plan.append(", changes ").append(changes.made());
        chance.calm();
        ground.calm();
        if (!closing && faults.isEmpty()) {
            drawsAgain();
        }
        expectNothing("closing", this::close);
        awaitWork();
        String account = faults.isEmpty() ? account(changes) : "";
        return faults.isEmpty() && account.isEmpty() ? "" : plan + ": " + String.join("; ", faults) + account;
    }

    private List<Thread> callers() {
        int count = 1 + chance.pick(3);
        plan.append(", threads ").append(count);
        int actions = actions();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Chance own = chance.split();
            threads.add(started("caller-" + i, () -> {
                for (int action = 0; action < actions && faults.isEmpty(); action++) {
                    timed(() -> act(own));
                }
                leave();
            }));
            if (chance.oneIn(2)) {
                chance.pause(300);
            }
        }
        return threads;
    }

    private Thread administrator(Changes changes, Chance own) {
        return started("administrator", () -> {
            for (int left = own.pick(5); left > 0; left--) {
                own.pause(2_000);
                changing.incrementAndGet(); // before it, since it may take effect before it is made
                changes.makeOne();
            }
        });
    }

    private Thread started(String what, Call work) {
        Thread thread = new Thread(() -> expectNothing(what, work), what);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void timed(Call call) throws Exception {
        long began = System.nanoTime();
        call.run();
        long returned = System.nanoTime();
        lastReturn = returned;
        long took = returned - began;
        if (took > longest().toNanos()) {
            fault("a call took " + TimeUnit.NANOSECONDS.toMillis(took) + " ms");
        }
    }

    /** A thread hangs when no call returns for long; how long all take together depends on the machine. */
    private void join(List<Thread> threads, boolean interrupting) throws InterruptedException {
        lastReturn = System.nanoTime();
        for (Thread thread : threads) {
            while (thread.isAlive() && System.nanoTime() - lastReturn < LAST_CHANCE_NANOS) {
                if (interrupting) {
                    thread.interrupt();
                    LockSupport.parkNanos(300_000);
                } else {
                    thread.join(10);
                }
            }
            if (thread.isAlive()) {
                fault(thread.getName() + " hangs at " + Arrays.toString(thread.getStackTrace()));
            }
        }
    }

    /** A sequence whose store has come back deals again: at once, or when the last pause after a failure is over. */
    private void drawsAgain() {
        long end = System.nanoTime() + RECOVERY_NANOS;
        while (true) {
            try {
                drawOne();
                return;
            } catch (SequenceException.Exhausted e) {
                checkNothingLeft(e, true);
                return;
            } catch (SequenceException.OutOfRange e) {
                return;
            } catch (Exception | Error e) {
                if (e instanceof SequenceException.Regressed || System.nanoTime() > end) {
                    fault("nothing fails any more, and yet " + e);
                    return;
                }
                LockSupport.parkNanos(1_000_000);
            }
        }
    }

    /** What could still be dealt, so that nobody may hear that the sequence is exhausted; empty when nothing could. */
    String left() throws Exception {
        return "";
    }

    /** Nothing may be left behind who heard that; {@code settled} when no administrator is there any more. */
    final void checkNothingLeft(SequenceException.Exhausted heard, boolean settled) {
        // On a thread of its own, which nobody interrupts.
        awaitUninterrupted(started("looking what is left", () -> {
            String left = left();
            if (!left.isEmpty() && (settled || changing.get() == 0)) {
                fault(heard.getMessage() + ", and yet " + left);
            }
        }));
    }

    private static void awaitUninterrupted(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    final void fault(String what) {
        if (faults.size() < MOST_FAULTS) {
            faults.add(what);
        }
    }

    /** A failure that callers may meet: everything but a regression, which no round has. */
    void expected(SequenceException failure) {
        if (failure instanceof SequenceException.Regressed) {
            fault(failure.toString());
        }
    }

    final void unexpected(Throwable thrown) {
        fault(thrown + " at " + Arrays.toString(thrown.getStackTrace()));
    }

    private void expectNothing(String what, Call call) {
        try {
            call.run();
        } catch (Throwable e) {
            fault(what);
            unexpected(e);
        }
    }

    /** Long, short, or shorter than the store is slow. */
    final Duration patience() {
        Duration patience = switch (chance.pick(4)) {
            case 0 -> Duration.ofMillis(shortest());
            case 1 -> patient();
            default -> Duration.ofMillis(200);
        };
        plan.append(", patience ").append(patience);
        return patience;
    }

    /** How the sequence looks. */
    final SequenceDefinition definition(boolean mayCycle) {
        SequenceDefinition.Builder definition = SequenceDefinition.named(name).cache(1 + chance.pick(60));
        boolean down = chance.oneIn(8);
        if (down) {
            definition.incrementBy(-1L - chance.pick(3)).startWith(-3L);
        } else {
            definition.incrementBy(chance.oneIn(4) ? 2L + chance.pick(3) : 1).startWith(3L);
        }
        if (chance.oneIn(5)) {
            long end = 20L + chance.pick(1000);
            definition = down ? definition.minValue(-end) : definition.maxValue(end);
            definition.cycle(mayCycle && chance.oneIn(2));
        }
        return definition.build();
    }

    final SequenceState create(SequenceDefinition definition) {
        ground.catalog().create(definition);
        plan.append(", ").append(definition);
        return ground.catalog().describe(name);
    }

    /** An instance of an application, without what only some rounds vary. */
    final StoreSequences.Builder instance(Ledger ledger, Duration patience) {
        return StoreSequences.builder(ground.store(chance.split(), ledger))
                .listener(Listening.to(ledger, chance.split()))
                .executor(executor(chance.split()))
                .patience(patience);
    }

    /** What reservations run on. */
    private Executor executor(Chance own) {
        return work -> {
            if (own.strikes()) {
                switch (own.pick(4)) {
                    case 0 -> throw new OutOfMemoryError("unable to create native thread");
                    case 1 -> throw new RejectedExecutionException("full");
                    case 2 -> {
                        start(work);
                        throw new OutOfMemoryError("after it has taken the work");
                    }
                    default -> own.pause(100);
                }
            }
            start(work);
        };
    }

    private void start(Runnable work) {
        working.incrementAndGet();
        THREADS.execute(() -> {
            try {
                work.run();
            } finally {
                working.decrementAndGet();
            }
        });
    }

    /** Closing waits no longer than patience lasts; what a store does after that is in the account all the same. */
    private void awaitWork() {
        long end = System.nanoTime() + LAST_CHANCE_NANOS;
        while (working.get() > 0) {
            if (System.nanoTime() > end) {
                fault(working + " reservations hang");
                return;
            }
            LockSupport.parkNanos(100_000);
        }
    }
}
