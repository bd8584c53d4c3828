// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * What a sequence works with: its name, its store, and what its {@link Sequences} shares. Opaque outside this package.
 *
 * <p>Immutable and thread-safe.
 */
public final class SequenceContext {

    final String name;
    final Reserver reserver;
    final Listeners listener;
    final Executor executor;
    final Timing timing;
    final Duration patience;
    final boolean giveBack;
    final Runnable onClose;

    SequenceContext(
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
