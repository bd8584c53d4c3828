// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.Block;
import dev.seriatim.SequenceException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A handle on the numbers of one sequence that are laid out ahead. At any moment the numbers in committed transactions and
 * those in the pool together are exactly start … counter.
 *
 * <p>Every number laid out has a <em>place</em>: places rise in the order in which numbers are laid out, and none is given
 * twice. Numbers are claimed in the order of their places.
 *
 * <p>Implementations are thread-safe; a transaction is its caller's.
 *
 * @param <T> the handle of a transaction
 */
public interface Pool<T> {

    /**
     * What a claim has brought.
     *
     * @param numbers the numbers, in the order of their places
     * @param place the place of the last of them; when they are fewer than asked for, the place up to which there are no
     *     more
     * @param blind whether the transaction, by its isolation, does not see what has been laid out since it began
     */
    record Claim(List<Long> numbers, long place, boolean blind) {

        /** Keeps a copy of the numbers. */
        public Claim {
            numbers = List.copyOf(numbers);
        }
    }

    /**
     * How far the pool reaches, as far as this handle knows.
     *
     * @param first the first place that may still hold a number
     * @param last the last place from which numbers can be claimed
     * @param laidOut what was laid out just now; null when nothing was
     */
    record Extent(long first, long last, @Nullable Block laidOut) {}

    /**
     * Takes the numbers at the lowest places that no other open transaction holds, inside {@code transaction}: if it rolls
     * back, they are in the pool again. Waits for nobody, and finds fewer, or none, where there are no more. Before
     * {@link #layOut} has been called for the first time it finds none, without asking the database.
     *
     * @param count how many, at least 1
     * @throws SequenceException.Overloaded when another session was in the way; the transaction is to be rolled back and
     *     repeated
     * @throws SequenceException.Unavailable when the store cannot be reached
     */
    Claim claim(T transaction, int count);

    /**
     * As {@link #claim(Object, int)}, and gives up when the store has not answered within the patience and a second. A store
     * that cannot bound that ignores it, as this default does.
     *
     * @throws SequenceException.Unavailable also when the store has not answered then; the transaction is lost
     */
    default Claim claim(T transaction, int count, Duration patience) {
        return claim(transaction, count);
    }

    /**
     * Lays out the next numbers, in a transaction of its own; makes the pool if there is none. If others have laid out
     * numbers since this handle last looked, or if it never has, it only looks: so that many processes that need more at
     * the same moment lay out no more than one of them.
     *
     * <p>When the sequence has no more but some that were laid out are not committed, it does not fail, since they may
     * come back: it then lays out nothing.
     *
     * @param count how many, at least 1; fewer at the end of the sequence
     * @throws SequenceException as {@link SequenceStore#reserve}; when the answer to the commit was lost, the next call
     *     finds out
     */
    Extent layOut(long count);
}
