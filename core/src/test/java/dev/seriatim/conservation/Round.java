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
 * Threads that draw in every way, over a store, an executor and a listener that fail at random, with interrupts, a
 * close and an administrator's changes in between. Then failures end: the sequence must deal again, and every number is
 * accounted for.
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

    /** An action of a caller. */
    @FunctionalInterface
    interface Call {
        void run() throws Exception;
    }

    final Ground<T> ground;
    final RandomChoices chance;
    final String name;
    final StringBuilder plan = new StringBuilder();
    private final Queue<String> faults = new ConcurrentLinkedQueue<>();
    private final AtomicInteger working = new AtomicInteger();
    private final AtomicInteger changing = new AtomicInteger();
    private volatile long lastReturn;

    Round(Ground<T> ground, RandomChoices chance) {
        this.ground = ground;
        this.chance = chance;
        name = ground.name();
    }

    /** Returns whether an administrator may only make changes that leave no gap. */
    abstract boolean onlyBounds();

    /** Returns the number of actions per thread. */
    abstract int actions();

    /** Returns the maximum duration of an action, given a slow store and a busy machine. */
    abstract Duration longest();

    /** Returns the shortest patience, in milliseconds, that is enough without failures. */
    int shortest() {
        return ground.leastPatience();
    }

    /** Returns the longest patience. */
    abstract Duration patient();

    /** Performs one action of a thread. Expects only failures of the store, the sequence or the test itself. */
    abstract void act(RandomChoices chance);

    /** Called after the last action of a thread. */
    void leave() {}

    /** Closes one instance, or all, at any time. */
    void closeOne() throws Exception {}

    /** Draws once after failures have ended. */
    abstract void drawOne() throws Exception;

    /** Closes all instances. */
    void close() throws Exception {}

    /** Returns what does not balance after all threads have ended; empty if everything does. */
    abstract String account(Changes changes) throws Exception;

    /** Plays the round and returns its faults; empty if there are none. */
    final String fault() throws Exception {
        plan.append(", failures ").append(chance.failures()).append(" %");
        boolean closing = chance.oneIn(4);
        boolean interrupting = chance.oneIn(4);
        Changes changes = new Changes(ground.catalog(), name, chance.split(), onlyBounds());
        List<Thread> threads = callers();
        Thread administrator = chance.oneIn(2) ? administrator(changes, chance.split()) : new Thread("idle");
        chance.pause(3_000);
        if (closing) {
            plan.append(", closed in between");
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
            RandomChoices own = chance.split();
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

    private Thread administrator(Changes changes, RandomChoices own) {
        return started("administrator", () -> {
            for (int left = own.pick(5); left > 0; left--) {
                own.pause(2_000);
                changing.incrementAndGet(); // before the change, because it may take effect before the call returns
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

    /** A thread hangs if no call returns for long; the total time depends on the machine. */
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

    /** After the store has recovered, a sequence deals again: at once, or when the last pause after a failure ends. */
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
                    fault("failures have ended, but " + e);
                    return;
                }
                LockSupport.parkNanos(1_000_000);
            }
        }
    }

    /**
     * Returns what could still be dealt, in which case no caller may be told that the sequence is exhausted; empty if
     * nothing could.
     */
    String left() throws Exception {
        return "";
    }

    /**
     * Checks that nothing is left if a caller was told so; {@code settled} if there are no more administrative changes.
     */
    final void checkNothingLeft(SequenceException.Exhausted heard, boolean settled) {
        // On a separate thread that is never interrupted.
        awaitUninterrupted(started("checking what is left", () -> {
            String left = left();
            if (!left.isEmpty() && (settled || changing.get() == 0)) {
                fault(heard.getMessage() + ", but " + left);
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

    /** A failure that callers may see: any except a regression, which no round causes. */
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

    /** Returns a patience: long, short, or shorter than a slow call of the store. */
    final Duration patience() {
        Duration patience = switch (chance.pick(4)) {
            case 0 -> Duration.ofMillis(shortest());
            case 1 -> patient();
            default -> Duration.ofMillis(200);
        };
        plan.append(", patience ").append(patience);
        return patience;
    }

    /** Returns a random definition. */
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

    /** Returns an instance of an application, without what only some rounds vary. */
    final StoreSequences.Builder instance(Ledger ledger, Duration patience) {
        return StoreSequences.builder(ground.store(chance.split(), ledger))
                .listener(Listening.to(ledger, chance.split()))
                .executor(executor(chance.split()))
                .patience(patience);
    }

    /** Returns the executor of reservations. */
    private Executor executor(RandomChoices own) {
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

    /** Closing waits at most as long as the patience; the account includes what a store does after that. */
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
