// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.Block;
import dev.seriatim.SequenceException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A handle on the pool of one sequence: the numbers that are laid out ahead. A number leaves the pool when the
 * transaction that has claimed it commits. So in every committed state, the numbers in the pool and those drawn by
 * committed transactions together are exactly start … counter.
 *
 * <p>Every number laid out has a <em>place</em>. Places increase in the order in which numbers are laid out. No place
 * is used twice, but if a sequence is dropped and created again, the places of its pool may begin lower. Claims take
 * numbers in the order of their places; concurrent claims may deviate slightly.
 *
 * <p>Implementations are thread-safe; the caller is responsible for the transaction's thread-safety. A call of {@link
 * #layOut} may begin while an earlier one has not returned.
 *
 * @param <T> the transaction handle
 */
public interface Pool<T> {

    /**
     * The result of a claim.
     *
     * @param numbers the numbers, in the order of their places
     * @param place the place of the last number; if fewer were found than requested, the place up to which the claim
     *     found no more
     * @param blind whether a claim that found too few may have missed numbers that were laid out after its transaction
     *     began, because of the transaction's isolation level
     */
    record Claim(List<Long> numbers, long place, boolean blind) {

        public Claim {
            numbers = List.copyOf(numbers);
        }
    }

    /**
     * The places of the pool's numbers, as known to this handle, and the effect of a call of {@link #layOut}.
     *
     * @param first the place at which claims begin; numbers before it are claimed, though rollbacks may return some
     * @param last the last place from which numbers can be claimed; less than {@code first} if there are none
     * @param laidOut the block that the call laid out; null if it laid out nothing
     * @param ended whether it laid out nothing because the sequence has no more values; false if it only read the pool
     */
    record Extent(long first, long last, @Nullable Block laidOut, boolean ended) {}

    /**
     * Takes the numbers at the lowest places that no other open transaction holds, inside {@code transaction}: a
     * rollback returns them to the pool. Never waits for other transactions; returns fewer numbers, or none, if there
     * are no more. Before the first call of {@link #layOut}, it returns none without asking the database.
     *
     * <p>Claims may pass over numbers that rollbacks have returned, but not forever: concurrent claims only for a
     * limited number of claims. A transaction that has claimed before may get only later numbers.
     *
     * @param count the number of values, at least 1
     * @throws SequenceException.Overloaded if another session caused a conflict; roll the transaction back and retry it
     * @throws SequenceException.Unavailable if the store cannot be reached
     */
    Claim claim(T transaction, int count);

    /**
     * Like {@link #claim(Object, int)}. A store that can limit the time waits at most for the patience plus one second.
     *
     * @throws SequenceException.Unavailable also if the store has not answered by then; the transaction is lost
     */
    default Claim claim(T transaction, int count, Duration patience) {
        return claim(transaction, count);
    }

    /**
     * Lays out the next numbers in a separate transaction. Creates the pool if it does not exist. Lays out nothing, and
     * reads the pool instead, if other processes have laid out numbers since this handle last read it, or it never has,
     * and some are left. Simultaneous requests of several processes thus lay out no more than one would.
     *
     * <p>If the sequence has no more values but some of those laid out are not committed, it lays out nothing and does
     * not fail, because they are in the pool or a rollback may return them: {@link Extent#ended} is then true.
     *
     * @param count the number of values, at least 1; fewer are laid out if the sequence has fewer values left
     * @throws SequenceException as {@link SequenceStore#reserve}, {@link SequenceException.Exhausted} only if no value
     *     is left in the pool either; if the answer to the commit was lost, the next call determines the outcome
     */
    Extent layOut(long count);

    /**
     * Called in a transaction that has found the sequence exhausted, and keeps it locked. Until the next {@link
     * #layOut}, claims also take the last numbers laid out, which a store may otherwise hold back.
     */
    default void sawEnd() {}
}
