// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import java.time.Duration;
import java.util.Optional;

/**
 * A capability of a store whose calls wait for something before they reach the database, such as a connection of a pool: it
 * tells what, so that the error of a caller who gave up names it.
 *
 * <p>Implementations are thread-safe.
 */
@FunctionalInterface
public interface AwaitingStore {

    /**
     * What calls of this store wait for now, the first of them for at least so long. Asks nothing of the database, and waits
     * for nothing.
     *
     * @return what it is, why, and the remedy, in one line without secrets that goes on after "waited for"; empty when no call
     *     waits so long
     */
    Optional<String> awaits(Duration atLeast);
}
