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

    /** Does it. A checked exception reaches the caller as the cause of a {@link SequenceException.Misconfigured}, an interrupt as that of an {@link SequenceException.Unavailable}. */
    void prepare(T transaction) throws Exception;
}
