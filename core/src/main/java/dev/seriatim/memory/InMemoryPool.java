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
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** The numbers of one row that are laid out ahead. Thread-safe. */
final class InMemoryPool {

    private final ReentrantLock lock = new ReentrantLock();
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

    private Pool.Extent extent(@Nullable Block block, boolean ended) {
        lock.lock();
        try {
            if (block != null) {
                for (long number : block) {
                    free.put(++last, number);
                }
            }
            Map.Entry<Long, Long> first = free.firstEntry();
            return new Pool.Extent(first == null ? last + 1 : first.getKey(), last, block, ended);
        } finally {
            lock.unlock();
        }
    }

    long last() {
        lock.lock();
        try {
            return last;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether a matching number is in the pool, free or claimed. */
    boolean has(LongPredicate which) {
        lock.lock();
        try {
            return free.values().stream().anyMatch(which::test)
                    || claimed.values().stream().anyMatch(which::test);
        } finally {
            lock.unlock();
        }
    }

    /** Takes the lowest numbers and adds their places to {@code places}; {@link #settle} ends the claims. */
    Pool.Claim claim(int count, List<Long> places) {
        lock.lock();
        try {
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
        } finally {
            lock.unlock();
        }
    }

    /** Ends claims: the numbers were committed, or return to the pool. */
    void settle(List<Long> places, boolean committed) {
        lock.lock();
        try {
            for (Long place : places) {
                Long number = claimed.remove(place);
                if (number != null && !committed) {
                    free.put(place, number);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Removes numbers, including claimed ones: a rollback does not return them. */
    void remove(LongPredicate which) {
        lock.lock();
        try {
            free.values().removeIf(which::test);
            claimed.values().removeIf(which::test);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the state of the pool; empty if nothing was ever laid out. */
    Optional<PoolState> state(long increment) {
        lock.lock();
        try {
            TreeMap<Long, Long> all = new TreeMap<>(free);
            all.putAll(claimed);
            return last == 0
                    ? Optional.empty()
                    : Optional.of(PoolState.of(List.copyOf(all.values()), increment, claimed.size()));
        } finally {
            lock.unlock();
        }
    }
}
