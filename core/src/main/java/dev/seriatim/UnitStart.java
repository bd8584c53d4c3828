// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

/**
 * What happens in the transaction before each unit of a {@link GroupedSequence}: sets what every unit must start with, such as
 * the tenant that row-level security asks for. Units share their transaction, so a unit that sets nothing sees what the one
 * before it has set.
 *
 * <p>Runs on the caller's own thread, in its turn, as the beginning of its unit: it is repeated and undone with the unit, and
 * what it throws goes to the caller. Thread-safe.
 *
 * @param <T> the handle of the transaction
 */
@FunctionalInterface
public interface UnitStart<T> {

    /**
     * Prepares the transaction for a unit. The caller gets an unchecked exception as it is, an {@link InterruptedException} as the
     * cause of {@link SequenceException.Unavailable}, and any other checked exception as the cause of {@link
     * SequenceException.Misconfigured}.
     */
    void prepare(T transaction) throws Exception;
}
