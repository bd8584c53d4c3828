// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import org.jspecify.annotations.Nullable;

/**
 * What a caller of {@link GroupedSequence#commit} does in its turn: draws numbers and stores them, in a transaction that it
 * shares with others.
 *
 * <p><b>It must be repeatable.</b> When the transaction is lost to a conflict, or to another caller's unit, it runs again in
 * another one, on the same thread, perhaps with other numbers; only the last run counts. So it has no effect outside its
 * transaction that must not happen twice.
 *
 * @param <T> the handle of the transaction
 * @param <R> what it returns
 * @param <X> what it throws
 */
@FunctionalInterface
public interface UnitOfWork<T, R extends @Nullable Object, X extends Exception> {

    /** Does it. When it throws, everything it did in the transaction is undone, and its caller gets the exception. */
    R run(Turn<T> turn) throws X;
}
