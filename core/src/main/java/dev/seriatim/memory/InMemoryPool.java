// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.memory;

import dev.seriatim.Block;
import dev.seriatim.store.Pool;
import dev.seriatim.store.PoolState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** The numbers of one row that are laid out ahead. Thread-safe. */
final class InMemoryPool {

    private final TreeMap<Long, Long> free = new TreeMap<>();
    private final TreeMap<Long, Long> claimed = new TreeMap<>();
    private long last;

    /** Returns the extent of the pool, without laying out anything. */
    Pool.Extent look() {
        return extent(null, false);
    }

    /** Lays out a block; null if the sequence has no more values. */
    Pool.Extent layOut(@Nullable Block block) {
        return extent(block, block == null);
    }

    private synchronized Pool.Extent extent(@Nullable Block block, boolean ended) {
        if (block != null) {
            for (long number : block) {
                free.put(++last, number);
            }
        }
        Map.Entry<Long, Long> first = free.firstEntry();
        return new Pool.Extent(first == null ? last + 1 : first.getKey(), last, block, ended);
    }

    synchronized long last() {
        return last;
    }

    /** Returns whether a matching number is in the pool, free or claimed. */
    synchronized boolean has(LongPredicate which) {
        return free.values().stream().anyMatch(which::test)
                || claimed.values().stream().anyMatch(which::test);
    }

    /** Takes the lowest numbers and adds their places to {@code places}; {@link #settle} ends the claims. */
    synchronized Pool.Claim claim(int count, List<Long> places) {
        List<Long> numbers = new ArrayList<>();
        long place = last;
        while (numbers.size() < count && !free.isEmpty()) {
            Map.Entry<Long, Long> lowest = free.pollFirstEntry();
            claimed.put(lowest.getKey(), lowest.getValue());
            places.add(lowest.getKey());
            numbers.add(lowest.getValue());
            place = lowest.getKey();
        }
        return new Pool.Claim(numbers, numbers.size() < count ? last : place, false);
    }

    /** Ends claims: the numbers were committed, or return to the pool. */
    synchronized void settle(List<Long> places, boolean committed) {
        for (Long place : places) {
            Long number = claimed.remove(place);
            if (number != null && !committed) {
                free.put(place, number);
            }
        }
    }

    /** Removes numbers, including claimed ones: a rollback does not return them. */
    synchronized void remove(LongPredicate which) {
        free.values().removeIf(which::test);
        claimed.values().removeIf(which::test);
    }

    /** Returns the state of the pool; empty if nothing was ever laid out. */
    synchronized Optional<PoolState> state(long increment) {
        TreeMap<Long, Long> all = new TreeMap<>(free);
        all.putAll(claimed);
        return last == 0
                ? Optional.empty()
                : Optional.of(PoolState.of(List.copyOf(all.values()), increment, claimed.size()));
    }
}
