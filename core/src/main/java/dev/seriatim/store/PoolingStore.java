// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.SequenceException;
import java.util.Optional;

/**
 * Port to a database in which numbers can be laid out ahead, so that many transactions can claim numbers concurrently.
 * Implementations are thread-safe.
 *
 * @param <T> the transaction handle
 */
public interface PoolingStore<T> extends TransactionalStore<T> {

    /**
     * Returns a handle on the pool of a sequence. Does not access the database.
     *
     * @throws SequenceException.Misconfigured if this database does not support pools; the message gives the reason and
     *     an alternative
     */
    Pool<T> pool(String name);

    /** Returns the state of a sequence's pool, read outside transactions; empty if it has none. Does not block claims. */
    Optional<PoolState> poolState(String name);
}
