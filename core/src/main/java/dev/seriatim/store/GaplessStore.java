// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import java.util.Optional;

/**
 * A capability: a store whose numbers can be gapless, in each way there is. It draws inside transactions of its callers, groups callers in
 * transactions of its own, lays numbers out for them, and opens transactions, all with the same handle.
 *
 * <p>A database that cannot do one of them says so when it is asked: {@link #pool} refuses where there is no {@code SKIP LOCKED}, and
 * {@link #whyNotGapless} tells what stands in the way of all of them.
 *
 * <p>Implementations are thread-safe.
 *
 * @param <T> the handle of a transaction
 */
public interface GaplessStore<T> extends TransactionScope<T>, GroupingStore<T>, PoolingStore<T> {

    /** What keeps this store from dealing gapless numbers at all, such as an engine whose rollbacks cannot be trusted; usually empty. */
    default Optional<String> whyNotGapless() {
        return Optional.empty();
    }
}
