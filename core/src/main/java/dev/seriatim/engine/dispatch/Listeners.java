// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.dispatch;

import dev.seriatim.SequenceListener;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Calls the listener of a sequence. Logs and drops exceptions, so that no number is lost. Thread-safe. */
public final class Listeners {

    private static final SequenceListener SILENT = new SequenceListener() {};
    private static final System.Logger LOG = System.getLogger("dev.seriatim");

    /** The callbacks that this thread runs, innermost first. */
    private static final ThreadLocal<@Nullable Callback> CALLBACKS = new ThreadLocal<>();

    private final SequenceListener listener;

    private record Callback(Listeners listener, @Nullable Callback outer) {}

    public Listeners(SequenceListener listener) {
        this.listener = listener;
    }

    public static Listeners silent() {
        return new Listeners(SILENT);
    }

    public void call(Consumer<SequenceListener> news) {
        if (listener == SILENT) {
            return;
        }
        Callback outer = CALLBACKS.get();
        try {
            CALLBACKS.set(new Callback(this, outer));
            news.accept(listener);
        } catch (Throwable e) {
            dropped(e);
        } finally {
            CALLBACKS.set(outer);
        }
    }

    /** Whether this thread runs a callback for this sequence, and so must not wait for the sequence. */
    boolean callsHere() {
        Callback callback = CALLBACKS.get();
        while (callback != null && callback.listener != this) {
            callback = callback.outer;
        }
        return callback != null;
    }

    /** Returns a thread whose work is part of the callbacks that this thread runs. */
    public static Thread thread(Runnable work) {
        Callback here = CALLBACKS.get();
        return new Thread(() -> {
            CALLBACKS.set(here);
            work.run();
        });
    }

    @Override
    public String toString() {
        return listener.getClass().getName();
    }

    private static void dropped(Throwable thrown) {
        try {
            LOG.log(System.Logger.Level.WARNING, "a sequence listener threw; the exception is dropped", thrown);
        } catch (Throwable e) {
            // a logger that fails must not cost a number either
        }
    }
}
