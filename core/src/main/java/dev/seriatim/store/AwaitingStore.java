// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import java.time.Duration;
import java.util.Optional;

/**
 * Capability of a store whose calls may wait before they reach the database, for example for a pooled connection. The
 * error of a caller that times out then names the reason. Implementations are thread-safe.
 */
@FunctionalInterface
public interface AwaitingStore {

    /**
     * Returns what calls of this store are currently waiting for, if one has waited for at least this long. Neither
     * queries the database nor blocks.
     *
     * @return what calls wait for, why, and the remedy, as one line without secrets that continues "waited for"
     */
    Optional<String> awaits(Duration atLeast);
}
