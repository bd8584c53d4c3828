// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import java.time.Duration;
import java.util.concurrent.Executor;

/** What a pooled sequence works with: its name, its store, and what its {@link Sequences} shares. Thread-safe. */
record PoolContext<T>(
        String name,
        PoolingStore<T> store,
        Pool<T> pool,
        Listeners listener,
        Executor executor,
        Timing timing,
        Duration patience,
        Runnable onClose) {}
