// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

/**
 * Runs in the transaction before each unit of a {@link GroupedSequence}, to set what every unit must start with, such
 * as the tenant that row-level security requires. Otherwise a unit sees what an earlier unit has set.
 *
 * <p>Runs on the caller's thread, as the beginning of its unit: it is repeated and undone with the unit, and the caller
 * receives what it throws. Implementations must be thread-safe.
 *
 * @param <T> the transaction handle
 */
@FunctionalInterface
public interface UnitStart<T> {

    /**
     * Prepares the transaction for a unit. The caller receives an unchecked exception unchanged, an
     * {@link InterruptedException} as the cause of {@link SequenceException.Unavailable}, and any other checked
     * exception as the cause of {@link SequenceException.Misconfigured}.
     */
    void prepare(T transaction) throws Exception;
}
