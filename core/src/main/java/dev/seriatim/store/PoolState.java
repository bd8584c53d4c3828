// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.Block;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The state of a sequence's pool: the numbers that are laid out and not in a committed transaction. Immutable and
 * thread-safe.
 *
 * @param laidOut the numbers, as blocks, in the order in which they are claimed
 * @param claimed the number of them that open transactions have claimed
 */
public record PoolState(List<Block> laidOut, long claimed) {

    public PoolState {
        laidOut = List.copyOf(laidOut);
    }

    /** Builds a state from numbers in the order in which they are claimed, usually {@code increment} apart. */
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

    /** Returns how many numbers are laid out. */
    public long count() {
        return laidOut.stream().mapToLong(Block::count).sum();
    }

    /** Returns the first uncommitted number in the order of claiming; empty if all are committed. */
    public OptionalLong lowest() {
        return laidOut.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(laidOut.get(0).first());
    }
}
