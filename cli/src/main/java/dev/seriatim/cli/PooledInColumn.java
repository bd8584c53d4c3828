// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.Block;
import dev.seriatim.store.ColumnName;
import dev.seriatim.store.ColumnScanner;
import dev.seriatim.store.NumberColumn;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.PoolState;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Looks whether a column holds numbers that are in the sequence's pool: the pool would deal them again. That numbers of the pool
 * lie before the column's highest is no sign of it: one that a rollback has put back does, too. Not thread-safe.
 */
final class PooledInColumn implements ColumnScanner.Visitor {

    private final Set<Long> pool = new HashSet<>();
    private boolean found;

    private PooledInColumn() {}

    /** Whether there is such a number. Where the store cannot show the column, any number before its extreme counts. */
    static boolean any(OpenStore store, String name, ColumnName column, OptionalLong extreme, boolean up) {
        OptionalLong lowest =
                PoolText.of(store, name).map(pool -> first(pool, up)).orElse(OptionalLong.empty());
        if (lowest.isEmpty() || extreme.isEmpty()) {
            return false;
        }
        boolean before = up ? lowest.getAsLong() <= extreme.getAsLong() : lowest.getAsLong() >= extreme.getAsLong();
        if (!before || !(store instanceof ColumnScanner scanner)) {
            return before;
        }
        NumberColumn numbers = new NumberColumn(column, Optional.empty(), lowest);
        return scanner.scan(name, numbers, state -> new PooledInColumn()).found;
    }

    /** The first in the direction of the sequence. */
    private static OptionalLong first(PoolState pool, boolean up) {
        return up
                ? pool.laidOut().stream()
                        .mapToLong(run -> Math.min(run.first(), run.last()))
                        .min()
                : pool.laidOut().stream()
                        .mapToLong(run -> Math.max(run.first(), run.last()))
                        .max();
    }

    @Override
    public void laidOut(List<Block> numbers) {
        numbers.forEach(run -> run.forEach(pool::add));
    }

    @Override
    public void withoutNumber(long rows) {}

    @Override
    public void number(long number) {
        found |= pool.contains(number);
    }

    @Override
    public void inTime(long number, Supplier<String> time) {}
}
