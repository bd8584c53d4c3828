// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import dev.seriatim.engine.dispatch.Timing;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Plays threads one at a time, driven by a seed. An actor hands over when it waits, takes or releases a lock, calls the
 * store or is called back, and the seed determines which actor continues. Time is virtual: it passes when no actor can
 * run, or when the seed lets it.
 *
 * <p>The same seed plays the same schedule, hand-over by hand-over. No lock may be held at a hand-over, so every lock
 * is free when it is taken, which is checked. Races between two hand-overs, such as those of atomic variables, are not
 * detected.
 *
 * <p>Used by its actors, one of which runs at a time, and by the playing thread while none does.
 */
public final class Schedule implements Timing {

    /** A schedule that does not end within this many hand-overs never ends. */
    private static final int MOST_STEPS = 20_000;

    private static final long NEVER = Long.MAX_VALUE;

    /** Why a waiting actor continues. */
    public enum Wake {
        NEWS,
        TIME,
        INTERRUPT
    }

    /** How this schedule differs from others: the frequency of optional events, in 1024ths. */
    private record Temper(int switching, int passing, int spurious, boolean ranked) {
        static Temper drawn(SplittableRandom random) {
            int[] often = {0, 32, 128, 400, 1024};
            int[] seldom = {0, 0, 8, 40};
            return new Temper(
                    often[random.nextInt(often.length)],
                    seldom[random.nextInt(seldom.length)],
                    random.nextInt(4) == 0 ? 50 : 0,
                    random.nextBoolean());
        }
    }

    /** Something that runs: a caller, a task of the executor, a timer. */
    public static final class Actor {
        final String name;
        private final int id;
        private final int rank;
        private final Runnable body;
        private ActorThreads.@Nullable Hand hand;
        private boolean waits;
        private long until;
        private boolean interruptible;
        private boolean permitted;
        private int locks;
        private Wake wake = Wake.NEWS;
        private String doing = "";

        /** Time spent in calls of the store. */
        public long storeNanos;

        boolean ended;

        private Actor(String name, int id, int rank, Runnable body) {
            this.name = name;
            this.id = id;
            this.rank = rank;
            this.body = body;
        }
    }

    private final SplittableRandom random;
    private final Temper temper;
    private final ActorThreads threads;
    private final @Nullable List<String> trace;
    private final List<Actor> actors = new ArrayList<>();
    private final List<Actor> ready = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();
    private int born;
    private int steps;
    private long now;
    private long passed;
    private long print;
    private @Nullable Actor running;
    private boolean hurried = true;
    private @Nullable ScheduleCourse course;
    private boolean over;

    Schedule(long seed, ActorThreads threads, boolean tracing) {
        random = new SplittableRandom(seed);
        temper = Temper.drawn(random);
        this.threads = threads;
        trace = tracing ? new ArrayList<>() : null;
        now = random.nextLong(4) == 0
                ? -5_000_000L
                : random.nextInt(1_000_000); // as with nanoTime, 0 has no special meaning
    }

    // For plays

    public int pick(int bound) {
        return random.nextInt(bound);
    }

    /** Returns true with the given percentage. */
    public boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    /** Adds an actor that may run from now on. */
    Actor start(String name, Runnable body) {
        Actor actor = new Actor(name + "-" + born, born++, random.nextInt(1000), body);
        actors.add(actor);
        return actor;
    }

    /** Runs until all actors have ended or wait forever. */
    void play() {
        Actor first = choose(null);
        if (first != null) {
            if (!threads.play(this, first)) {
                Actor stuck = running;
                fault("no hand-over for " + ActorThreads.LONGEST_STEP_SECONDS + " s of real time, at "
                        + (stuck == null ? "the end" : stuck.name + ", " + stuck.doing));
                over = true;
            }
        }
    }

    /** Returns the actors that have not ended. */
    List<Actor> left() {
        return List.copyOf(actors);
    }

    /** Describes what an actor waits for. */
    static String shown(Actor actor) {
        return actor.name + " (" + actor.doing + ")";
    }

    public void fault(String what) {
        note("FAULT: " + what);
        faults.add(what);
    }

    List<String> faults() {
        return faults;
    }

    /** Adds a line to the trace. */
    public void note(String what) {
        if (trace != null) {
            trace.add(String.format("%12.6f ms  %-12s %s", now / 1e6, running == null ? "" : running.name, what));
        }
    }

    public boolean tracing() {
        return trace != null;
    }

    List<String> trace() {
        return trace == null ? List.of() : trace;
    }

    /** Returns a fingerprint that distinguishes schedules. */
    long print() {
        return print;
    }

    int steps() {
        return steps;
    }

    /** Returns the time that passed although an actor could have run, as on a slow machine. */
    long passed() {
        return passed;
    }

    /** From now on, actors can switch at every hand-over, time passes only when none can run, and a course decides who continues. */
    void follow(ScheduleCourse decides) {
        calm();
        course = decides;
    }

    /** From now on, time passes only when no actor can run. */
    void calm() {
        hurried = false;
    }

    /** Returns whether the schedule was abandoned after a fault. */
    boolean over() {
        return over;
    }

    public Actor me() {
        Actor me = running;
        if (me == null) {
            throw new IllegalStateException("no actor is running");
        }
        return me;
    }

    /** Lets time pass for this actor. */
    public void sleep(long nanos, String doing) {
        Actor me = me();
        long end = now + nanos;
        while (end - now > 0) {
            await(me, end, false, doing);
        }
    }

    /** Waits until woken, until a deadline, or until interrupted. */
    public Wake await(long nanos, boolean interruptible, String doing) {
        return await(me(), nanos == NEVER ? NEVER : now + nanos, interruptible, doing);
    }

    public void wake(Actor actor) {
        rouse(actor, Wake.NEWS);
    }

    void interrupt(Actor actor) {
        ActorThreads.Hand hand = actor.hand;
        if (hand == null || actor.ended) {
            return;
        }
        hand.interrupt();
        if (actor.interruptible) {
            rouse(actor, Wake.INTERRUPT);
        }
    }

    /**
     * Called where the store, a listener or a caller's code is called, so that another actor may run: the actor must
     * not hold a lock.
     */
    public void offer(String doing) {
        Actor me = running;
        if (me != null && me.locks > 0) {
            fault(me.name + " calls while holding a lock: " + doing);
        }
        turn(doing);
    }

    private void turn(String doing) {
        Actor me = running;
        if (me != null && me.locks == 0 && (course != null || random.nextInt(1024) < temper.switching)) {
            me.doing = doing;
            handOver(me);
        }
    }

    // Implements Timing

    @Override
    public long now() {
        return now;
    }

    @Override
    public ReentrantLock lock() {
        return new SwitchingLock();
    }

    @Override
    public void park(Object waiting, long nanos) {
        Actor me = me();
        if (!me.permitted && !Thread.currentThread().isInterrupted() && nanos > 0) {
            await(me, now + nanos, true, "parks");
        }
        me.permitted = false;
    }

    @Override
    public void unpark(Thread thread) {
        if (thread instanceof ActorThreads.Hand hand && hand.actor() != null) {
            Actor actor = hand.actor();
            actor.permitted = true;
            rouse(actor, Wake.NEWS);
        }
    }

    @Override
    public void yieldUntil(BooleanSupplier done, long nanos) {
        // threads switch elsewhere
    }

    @Override
    public void after(long nanos, Runnable step) {
        timer("timer", nanos, step);
        turn("has set a timer");
    }

    @Override
    public <R> R await(CompletableFuture<R> future, long nanos)
            throws ExecutionException, InterruptedException, TimeoutException {
        Actor me = me();
        long end = now + nanos;
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (!future.isDone()) {
            CompletionStage<R> stage = future;
            stage.whenComplete((result, failure) -> wake(me));
            while (!future.isDone()) {
                if (end - now <= 0) {
                    throw new TimeoutException();
                }
                if (await(me, end, true, "waits for its number") == Wake.INTERRUPT && Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
        }
        return future.get();
    }

    @Override
    public <R> CompletableFuture<R> endAfter(CompletableFuture<R> future, long nanos) {
        Actor timer = timer("timeout", nanos, () -> future.completeExceptionally(new TimeoutException()));
        CompletionStage<R> stage = future;
        stage.whenComplete((result, failure) -> {
            if (timer.hand == null) {
                actors.remove(timer);
            }
        });
        return future;
    }

    @Override
    public long jitter(long bound) {
        return random.nextLong(bound);
    }

    // Hand-overs

    private Actor timer(String name, long nanos, Runnable step) {
        Actor timer = start(name, step);
        timer.waits = true;
        timer.until = now + nanos;
        return timer;
    }

    private Wake await(Actor me, long until, boolean interruptible, String doing) {
        if (me.locks > 0) {
            fault(me.name + " waits while holding a lock: " + doing);
        }
        if (interruptible && Thread.currentThread().isInterrupted()) {
            return Wake.INTERRUPT;
        }
        me.waits = true;
        me.until = until;
        me.interruptible = interruptible;
        me.doing = doing;
        me.wake = Wake.TIME;
        handOver(me);
        return me.wake;
    }

    private static void rouse(Actor actor, Wake why) {
        if (actor.waits && actor.hand != null) {
            actor.waits = false;
            actor.wake = why;
        }
    }

    private void handOver(Actor me) {
        Actor next = choose(me);
        if (next != me) {
            ActorThreads.Hand hand = Objects.requireNonNull(me.hand);
            threads.wake(this, next);
            hand.await();
        }
    }

    ActorThreads.@Nullable Hand handOf(Actor actor) {
        return actor.hand;
    }

    void lend(Actor actor, ActorThreads.Hand hand) {
        actor.hand = hand;
    }

    /** Runs an actor on a thread. */
    void run(Actor actor) {
        try {
            actor.body.run();
        } catch (Throwable e) {
            fault(actor.name + " ended by " + e + " at " + e.getStackTrace()[0]);
        }
        if (actor.locks > 0) {
            fault(actor.name + " ended while holding a lock");
        }
        actor.ended = true;
        actors.remove(actor);
    }

    /** Returns the actor that continues after one that has ended; null if none can. */
    @Nullable
    Actor next(Actor ended) {
        return choose(ended);
    }

    private @Nullable Actor choose(@Nullable Actor from) {
        if (++steps > MOST_STEPS && !over) {
            fault("the schedule does not end");
            over = true;
        }
        if (over) {
            running = null;
            return null;
        }
        while (true) {
            ready.clear();
            for (Actor actor : actors) {
                if (!actor.waits) {
                    ready.add(actor);
                }
            }
            if (!ready.isEmpty()) {
                if (hurried && temper.passing > 0 && random.nextInt(1024) < temper.passing) {
                    letPass();
                    continue;
                }
                return handedTo(from, ready.get(ready.size() == 1 ? 0 : course == null ? chosen() : decided(from)));
            }
            long earliest = earliest();
            if (earliest == NEVER) {
                running = null;
                return null;
            }
            now = Math.max(now, earliest);
            rouseDue();
        }
    }

    /** The actor that runs continues, or else the youngest, unless the course decides otherwise. */
    private int decided(@Nullable Actor from) {
        Collections.reverse(ready);
        if (from != null && ready.remove(from)) {
            ready.add(0, from);
        }
        return Objects.requireNonNull(course).among(ready.size());
    }

    private int chosen() {
        if (!temper.ranked || random.nextInt(8) == 0) {
            return random.nextInt(ready.size());
        }
        int first = 0;
        for (int i = 1; i < ready.size(); i++) {
            if (ready.get(i).rank > ready.get(first).rank) {
                first = i;
            }
        }
        return first;
    }

    private Actor handedTo(@Nullable Actor from, Actor next) {
        print = print * 1_000_003 + (next.id + 1) * 31L + now;
        if (trace != null && from != next) {
            note(from == null || from.ended ? "→ " + next.name : from.doing + " → " + next.name);
        }
        running = next;
        return next;
    }

    /** Lets time pass although an actor could run. */
    private void letPass() {
        long step = random.nextInt(4) == 0 ? Math.min(earliest() - now, 60_000_000_000L) : random.nextInt(3_000_000);
        if (step > 0) {
            now += step;
            passed += step;
        }
        rouseDue();
        if (random.nextInt(1024) < temper.spurious) {
            rouseOne();
        }
    }

    /** Wakes an actor spuriously. */
    private void rouseOne() {
        Actor actor = actors.get(random.nextInt(actors.size()));
        if (actor.interruptible) {
            rouse(actor, Wake.NEWS);
        }
    }

    private long earliest() {
        long earliest = NEVER;
        for (Actor actor : actors) {
            if (actor.waits && actor.until < earliest) {
                earliest = actor.until;
            }
        }
        return earliest;
    }

    private void rouseDue() {
        for (Actor actor : actors) {
            if (actor.waits && actor.until != NEVER && actor.until <= now) {
                actor.waits = false;
                actor.wake = Wake.TIME;
            }
        }
    }

    /** A lock with hand-overs before and after it; it must be free whenever it is taken. */
    private final class SwitchingLock extends ReentrantLock {
        private static final long serialVersionUID = 1L;

        @Override
        public void lock() {
            turn("is about to lock");
            take();
        }

        @Override
        public void unlock() {
            drop();
            turn("has unlocked");
        }

        private void take() {
            if (!tryLock()) {
                fault("a lock was held at a hand-over");
                super.lock();
            }
            if (running != null) {
                running.locks++;
            }
        }

        private void drop() {
            super.unlock();
            if (running != null) {
                running.locks--;
            }
        }

        @Override
        public Condition newCondition() {
            return new SwitchingCondition(this);
        }
    }

    private final class SwitchingCondition implements Condition {
        private final SwitchingLock lock;
        private final List<Actor> waiting = new ArrayList<>();

        SwitchingCondition(SwitchingLock lock) {
            this.lock = lock;
        }

        @Override
        public long awaitNanos(long nanos) throws InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            Actor me = me();
            long end = now + nanos;
            waiting.add(me);
            lock.drop();
            Wake why = Schedule.this.await(me, end, true, "waits for a signal");
            waiting.remove(me);
            lock.take();
            if (why == Wake.INTERRUPT && Thread.interrupted()) {
                throw new InterruptedException();
            }
            return end - now;
        }

        @Override
        public void signal() {
            if (!waiting.isEmpty()) {
                wake(waiting.remove(0));
            }
        }

        @Override
        public void signalAll() {
            while (!waiting.isEmpty()) {
                signal();
            }
        }

        @Override
        public void await() {
            throw new UnsupportedOperationException("no wait is unlimited");
        }

        @Override
        public void awaitUninterruptibly() {
            throw new UnsupportedOperationException("no wait is unlimited");
        }

        @Override
        public boolean await(long time, TimeUnit unit) {
            throw new UnsupportedOperationException("the product uses awaitNanos");
        }

        @Override
        public boolean awaitUntil(Date deadline) {
            throw new UnsupportedOperationException("the product uses awaitNanos");
        }
    }
}
