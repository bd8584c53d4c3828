// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.dispatch;

import dev.seriatim.SequenceException;
import dev.seriatim.internal.Messages;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * What a sequence works with beside its store: its name, and what the sequences of a store share. Immutable and thread-safe.
 *
 * <p>Its executor has threads that are never interrupted. Work is handed over rather than run on the thread at hand, since that may be a
 * caller's, who must not wait for the store beyond its patience.
 */
public final class SequenceContext {

    private static final Duration MAX_HERE = Duration.ofSeconds(1);

    public final String name;
    public final Listeners listener;
    public final Timing timing;
    public final Duration patience;
    private final Executor executor;
    private final Runnable onClose;

    /** {@code onClose} runs once, when the sequence has closed. */
    public SequenceContext(
            String name, Listeners listener, Executor executor, Timing timing, Duration patience, Runnable onClose) {
        this.name = name;
        this.listener = listener;
        this.executor = executor;
        this.timing = timing;
        this.patience = patience;
        this.onClose = onClose;
    }

    /** Runs a step on the executor; it is refused when the executor throws. Runs or refuses it once, and throws nothing else. */
    public void hand(Step step) {
        HandOff.of(step, executor);
    }

    /** Runs a step after a pause, on the clock's thread, which it must leave at once. */
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

    /**
     * Whether this thread, a caller's, may call the store itself: not if it is interrupted, and not if it is virtual, since an interrupt
     * closes the socket on which a virtual thread waits.
     */
    public static boolean mayCallHere() {
        return !Thread.currentThread().isInterrupted() && !VirtualThreads.isCurrent();
    }

    /** How long a caller's own thread waits for the store before it leaves the rest to the executor: a second at most. */
    public static Duration maxHere(Duration atMost) {
        return atMost.compareTo(MAX_HERE) < 0 ? atMost : MAX_HERE;
    }

    /** Thrown to callers of a sequence that is closed. */
    public IllegalStateException closedFailure() {
        return new IllegalStateException(
                "sequence " + Messages.quoted(name) + " is closed; open it anew to draw from it");
    }

    /** Refuses to wait inside a callback of the sequence's listener, whose end others may await. */
    public void checkMayWait() {
        if (listener.callsHere()) {
            throw new SequenceException.Misconfigured(
                    name,
                    "its listener " + listener
                            + " draws from it inside a callback, which would wait for itself; draw with nextAsync, or from another"
                            + " sequence");
        }
    }

    /** The sequence has closed. */
    public void forget() {
        onClose.run();
    }
}
