// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import org.jspecify.annotations.Nullable;

/**
 * The work of a {@link GroupedSequence#commit} caller: draws numbers and stores them, in a transaction shared with
 * other callers.
 *
 * <p><b>It must be repeatable.</b> If the transaction is lost to a conflict or to another caller's unit, the unit runs
 * again in another transaction, on the same thread, and may draw other numbers. Only the last run counts. The unit must
 * therefore have no effect outside its transaction that must not happen twice.
 *
 * @param <T> the transaction handle
 * @param <R> the type of the result
 * @param <X> the type of the exception that the unit may throw
 */
@FunctionalInterface
public interface UnitOfWork<T, R extends @Nullable Object, X extends Exception> {

    /**
     * Runs the unit. If it throws, all its work in the transaction is undone, and the caller receives the exception.
     */
    R run(Turn<T> turn) throws X;
}
