// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.pool;

import dev.seriatim.engine.StoreSequences;
import dev.seriatim.engine.dispatch.Listeners;
import dev.seriatim.engine.dispatch.Timing;
import dev.seriatim.store.Pool;
import dev.seriatim.store.PoolingStore;
import java.time.Duration;
import java.util.concurrent.Executor;

/** What a pooled sequence works with: its name, its store, and what its {@link StoreSequences} shares. Thread-safe. */
public record PoolContext<T>(
        String name,
        PoolingStore<T> store,
        Pool<T> pool,
        Listeners listener,
        Executor executor,
        Timing timing,
        Duration patience,
        Runnable onClose) {}
