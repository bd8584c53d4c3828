// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The threads that run the actors of schedules, one schedule after another. Only one of them runs at a time; the others
 * wait for the baton. Used by one playing thread.
 */
final class ActorThreads {

    /** Maximum time an actor may run between two hand-overs, in seconds. */
    static final long LONGEST_STEP_SECONDS = 60;

    private final ArrayDeque<Hand> idle = new ArrayDeque<>();
    private @Nullable Thread player;
    private volatile boolean rests;

    /** A thread that runs one actor at a time. */
    final class Hand extends Thread {
        private volatile boolean baton;
        private @Nullable Schedule schedule;
        private Schedule.@Nullable Actor actor;

        private Hand() {
            super("actor");
            setDaemon(true);
        }

        Schedule.@Nullable Actor actor() {
            return actor;
        }

        /** Waits for its turn; interrupts are kept for later. */
        void await() {
            boolean interrupted = false;
            while (!baton) {
                LockSupport.park(this);
                interrupted |= Thread.interrupted();
            }
            baton = false;
            if (interrupted) {
                interrupt();
            }
        }

        @Override
        public void run() {
            while (true) {
                await();
                Schedule played = schedule;
                if (played == null) {
                    return;
                }
                Schedule.Actor ended = Objects.requireNonNull(actor);
                played.run(ended);
                boolean unused = Thread.interrupted();
                actor = null;
                schedule = null;
                idle.push(this);
                wake(played, played.next(ended));
            }
        }
    }

    /** Runs from this actor until no actor can continue; returns false if one of them does not hand over. */
    boolean play(Schedule schedule, Schedule.Actor first) {
        player = Thread.currentThread();
        rests = false;
        wake(schedule, first);
        int steps = schedule.steps();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_STEP_SECONDS);
        while (!rests) {
            LockSupport.parkNanos(this, TimeUnit.SECONDS.toNanos(LONGEST_STEP_SECONDS));
            if (!rests && System.nanoTime() - end > 0) {
                if (schedule.steps() == steps) {
                    return false;
                }
                steps = schedule.steps();
                end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_STEP_SECONDS);
            }
        }
        return true;
    }

    /** Ends the idle threads. */
    void close() {
        idle.forEach(hand -> {
            hand.baton = true;
            LockSupport.unpark(hand);
        });
        idle.clear();
    }

    /** Passes the baton to an actor, or back to the playing thread. */
    void wake(Schedule schedule, Schedule.@Nullable Actor next) {
        if (next == null) {
            rests = true;
            LockSupport.unpark(player);
            return;
        }
        Hand hand = schedule.handOf(next);
        if (hand == null) {
            hand = idle.poll();
            if (hand == null) {
                hand = new Hand();
                hand.start();
            }
            hand.schedule = schedule;
            hand.actor = next;
            schedule.lend(next, hand);
        }
        hand.baton = true;
        if (hand != Thread.currentThread()) {
            LockSupport.unpark(hand);
        }
    }
}
