// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.Block;
import dev.seriatim.SequenceException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A handle on the numbers of one sequence that are laid out ahead. At any moment, the numbers in committed transactions
 * and those in the pool together are exactly start … counter.
 *
 * <p>Every number laid out has a <em>place</em>. Places increase in the order in which numbers are laid out, and no
 * place is used twice. Numbers are claimed in the order of their places.
 *
 * <p>Implementations are thread-safe; the caller is responsible for the transaction's thread-safety.
 *
 * @param <T> the transaction handle
 */
public interface Pool<T> {

    /**
     * The result of a claim.
     *
     * @param numbers the numbers, in the order of their places
     * @param place the place of the last number; if fewer were found than requested, the place up to which there are no
     *     more
     * @param blind whether the transaction's isolation level hides what has been laid out since it began
     */
    record Claim(List<Long> numbers, long place, boolean blind) {

        /** Copies the numbers. */
        public Claim {
            numbers = List.copyOf(numbers);
        }
    }

    /**
     * The extent of the pool, as known to this handle.
     *
     * @param first the first place that may still hold a number
     * @param last the last place from which numbers can be claimed
     * @param laidOut what was just laid out; null if nothing was
     * @param ended whether nothing was laid out because the sequence has no more values
     */
    record Extent(long first, long last, @Nullable Block laidOut, boolean ended) {}

    /**
     * Takes the numbers at the lowest places that no other open transaction holds, inside {@code transaction}: a
     * rollback returns them to the pool. Never waits for other transactions; returns fewer numbers, or none, if there
     * are no more. Concurrent claims may pass over numbers that were put back, for a limited number of claims. Before the first call of {@link #layOut}, it returns none without asking the database.
     *
     * @param count how many, at least 1
     * @throws SequenceException.Overloaded if another session caused a conflict; roll the transaction back and retry it
     * @throws SequenceException.Unavailable if the store cannot be reached
     */
    Claim claim(T transaction, int count);

    /**
     * Like {@link #claim(Object, int)}, but fails if the store has not answered within the patience plus one second. A
     * store that cannot limit the time ignores the patience, as this default implementation does.
     *
     * @throws SequenceException.Unavailable also if the store has not answered by then; the transaction is lost
     */
    default Claim claim(T transaction, int count, Duration patience) {
        return claim(transaction, count);
    }

    /**
     * Lays out the next numbers in a separate transaction. Creates the pool if it does not exist. If others have laid
     * out numbers since this handle last looked, or if it never has, it only looks; so when many processes need numbers
     * at the same moment, they lay out no more than one of them would.
     *
     * <p>If the sequence has no more values but some of those laid out are not committed, it lays out nothing and does
     * not fail, because a rollback may return them.
     *
     * @param count how many, at least 1; fewer at the end of the sequence
     * @throws SequenceException as {@link SequenceStore#reserve}; if the answer to the commit was lost, the next call
     *     determines the outcome
     */
    Extent layOut(long count);
}
