// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import java.util.Optional;

/**
 * Capability of a store that supports gapless numbers in every mode, with one transaction handle. A database that does not
 * support all of this reports it on use: {@link #pool} throws if there is no {@code SKIP LOCKED}, and
 * {@link #whyNotGapless} returns why no gapless mode is available. Implementations are thread-safe.
 *
 * @param <T> the transaction handle
 */
public interface GaplessStore<T> extends TransactionScope<T>, GroupingStore<T>, PoolingStore<T> {

    /** Returns why this store cannot deal gapless numbers, such as an engine with unreliable rollbacks; usually empty. */
    default Optional<String> whyNotGapless() {
        return Optional.empty();
    }
}
