// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.Block;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * How the pool of a sequence stands: which of its numbers are laid out and not in a committed transaction.
 *
 * <p>Immutable and thread-safe.
 *
 * @param laidOut the numbers, as runs, in the order in which they are claimed
 * @param claimed how many of them are claimed by transactions that are open right now
 */
public record PoolState(List<Block> laidOut, long claimed) {

    /** Keeps a copy of the runs. */
    public PoolState {
        laidOut = List.copyOf(laidOut);
    }

    /** From single numbers, in the order in which they are claimed; {@code increment} is the step between most of them. */
    public static PoolState of(List<Long> numbers, long increment, long claimed) {
        List<Block> runs = new ArrayList<>();
        int from = 0;
        for (int to = 1; to <= numbers.size(); to++) {
            if (to == numbers.size() || numbers.get(to) - numbers.get(to - 1) != increment) {
                runs.add(new Block(numbers.get(from), to - from, increment));
                from = to;
            }
        }
        return new PoolState(runs, claimed);
    }

    /** How many numbers are laid out. */
    public long count() {
        return laidOut.stream().mapToLong(Block::count).sum();
    }

    /** The lowest number that is not committed: the first in the order of claiming. Empty when all are. */
    public OptionalLong lowest() {
        return laidOut.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(laidOut.get(0).first());
    }
}
