// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.line;

import dev.seriatim.engine.StoreSequences;
import dev.seriatim.engine.dispatch.Listeners;
import dev.seriatim.engine.dispatch.Timing;
import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * What a sequence works with: its name, its store, and what its {@link StoreSequences} shares. Opaque outside this package.
 *
 * <p>Immutable and thread-safe.
 */
public final class SequenceContext {

    public final String name;
    public final Reserver reserver;
    public final Listeners listener;
    final Executor executor;
    public final Timing timing;
    final Duration patience;
    public final boolean giveBack;
    public final Runnable onClose;

    public SequenceContext(
            String name,
            Reserver reserver,
            Listeners listener,
            Executor executor,
            Timing timing,
            Duration patience,
            boolean giveBack,
            Runnable onClose) {
        this.name = name;
        this.reserver = reserver;
        this.listener = listener;
        this.executor = executor;
        this.timing = timing;
        this.patience = patience;
        this.giveBack = giveBack;
        this.onClose = onClose;
    }
}
