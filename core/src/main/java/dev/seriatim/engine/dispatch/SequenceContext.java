// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.dispatch;

import dev.seriatim.SequenceException;
import dev.seriatim.internal.Messages;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A sequence's name, and what all sequences of a store share. Calls to the store run on the executor, whose threads are never
 * interrupted, because a caller must not wait longer than the patience. Immutable and thread-safe.
 *
 * @param onClose runs once, when the sequence has closed
 */
public record SequenceContext(
        String name, Listeners listener, Executor executor, Timing timing, Duration patience, Runnable onClose) {

    private static final Duration MAX_HERE = Duration.ofSeconds(1);

    /** {@code Thread.isVirtual}, or null before Java 21. */
    private static final @Nullable MethodHandle IS_VIRTUAL = isVirtual();

    /** Runs a step on the executor, or refuses it if the executor throws: one of them, once. Throws nothing. */
    public void execute(Step step) {
        HandOff handOff = null;
        try {
            handOff = new HandOff(step);
            executor.execute(handOff);
        } catch (Throwable e) {
            if (handOff == null || handOff.takes()) {
                step.refused(e);
            }
        }
    }

    /** An executor may throw although it has queued the step, and run it later. The first thread to take the step runs or refuses it. */
    private static final class HandOff implements Runnable {
        private final Step step;
        private final AtomicBoolean taken = new AtomicBoolean();

        HandOff(Step step) {
            this.step = step;
        }

        boolean takes() {
            return !taken.getAndSet(true);
        }

        @Override
        public void run() {
            if (takes()) {
                step.run();
            }
        }
    }

    /** Runs a step after a pause on the clock's thread, which it must not block. */
    public void after(long nanos, Runnable step, Consumer<Throwable> noTimer) {
        try {
            timing.after(nanos, step);
        } catch (Throwable e) { // no thread for the clock
            noTimer.accept(e);
        }
    }

    public long patienceNanos() {
        return patience.toNanos();
    }

    /** Returns when a wait that begins now ends, on the clock. */
    public long deadline() {
        return timing.now() + patienceNanos();
    }

    /** Whether this thread may call the store. An interrupt closes the socket on which a virtual thread waits. */
    public static boolean mayCallHere() {
        Thread thread = Thread.currentThread();
        try {
            return !thread.isInterrupted() && (IS_VIRTUAL == null || !(boolean) IS_VIRTUAL.invokeExact(thread));
        } catch (Throwable e) {
            throw new AssertionError("isVirtual throws nothing", e);
        }
    }

    private static @Nullable MethodHandle isVirtual() {
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    /** Returns how long a caller's thread waits for the store before the executor takes over: a second at most. */
    public static Duration maxHere(Duration atMost) {
        return atMost.compareTo(MAX_HERE) < 0 ? atMost : MAX_HERE;
    }

    public IllegalStateException closedFailure() {
        return new IllegalStateException("sequence " + Messages.quoted(name) + " is closed; reopen it");
    }

    /** Refuses to wait inside a callback of the listener, which other threads may wait for. */
    public void checkMayWait() {
        if (listener.callsHere()) {
            throw new SequenceException.Misconfigured(
                    name,
                    "its listener " + listener
                            + " draws from it inside a callback, which would wait for itself; draw with nextAsync, or from another"
                            + " sequence");
        }
    }
}
