// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.SequenceException;
import java.util.Optional;

/**
 * The port to a database in which numbers can be laid out ahead, each to be claimed by a transaction of a caller's, many of
 * them at the same time.
 *
 * <p>Implementations are thread-safe.
 *
 * @param <T> the handle of a transaction
 */
public interface PoolingStore<T> extends TransactionalStore<T> {

    /**
     * A handle on the pool of a sequence. Asks nothing of the database.
     *
     * @throws SequenceException.Misconfigured when this database cannot pool; says why, and what to use instead
     */
    Pool<T> pool(String name);

    /**
     * How the pool of a sequence stands, outside of transactions. Keeps nobody from claiming.
     *
     * @return empty when the sequence has no pool, as none has in a database that cannot pool
     */
    Optional<PoolState> poolState(String name);
}
