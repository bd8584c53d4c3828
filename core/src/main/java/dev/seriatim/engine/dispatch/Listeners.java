// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.dispatch;

import dev.seriatim.SequenceListener;
import java.util.function.Consumer;

/** Tells a listener what happened; whatever it throws is logged and dropped, so that it cannot cost a number. Thread-safe. */
public final class Listeners {

    private static final SequenceListener SILENT = new SequenceListener() {};
    private static final System.Logger LOG = System.getLogger("dev.seriatim");

    private final SequenceListener listener;

    public Listeners(SequenceListener listener) {
        this.listener = listener;
    }

    public static Listeners silent() {
        return new Listeners(SILENT);
    }

    public void tell(Consumer<SequenceListener> news) {
        if (listener == SILENT) {
            return;
        }
        try {
            news.accept(listener);
        } catch (Throwable e) {
            dropped(e);
        }
    }

    private static void dropped(Throwable thrown) {
        try {
            LOG.log(System.Logger.Level.WARNING, "a sequence listener threw; what it threw is dropped", thrown);
        } catch (Throwable e) {
            // a logger that fails, too, must not cost a number either
        }
    }
}
