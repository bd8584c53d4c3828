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
 * Finds out whether a column holds numbers that are also in the sequence's pool, which would deal them again. Numbers
 * of the pool below the column's highest do not prove it: a rollback may have returned them. Not thread-safe.
 */
final class PooledInColumn implements ColumnScanner.Visitor {

    private final Set<Long> pool = new HashSet<>();
    private boolean found;

    private PooledInColumn() {}

    /**
     * Returns whether there is such a number; if the store cannot scan columns, any number before the extreme counts.
     */
    static boolean any(OpenStore store, String name, ColumnName column, OptionalLong extreme, boolean up) {
        OptionalLong lowest =
                NextValue.pool(store, name).map(pool -> first(pool, up)).orElse(OptionalLong.empty());
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

    /** Returns the first number in the direction of the sequence. */
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
