// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.Block;
import dev.seriatim.SequenceException;
import dev.seriatim.cli.option.ColumnOption;
import dev.seriatim.cli.option.SequenceCommand;
import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.store.ColumnName;
import dev.seriatim.store.ColumnReader;
import dev.seriatim.store.ColumnScanner;
import dev.seriatim.store.NumberColumn;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.PoolState;
import dev.seriatim.store.SequenceState;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Raises a sequence above the numbers of a column. */
@Command(name = "sync", description = """
                Raises a sequence above the highest value of a column, or below the lowest if it descends.""", footer = """

                The sequence never goes back. If the column holds numbers that are also in the
                sequence's pool (mode POOLED), all numbers up to the column's highest leave the
                pool. Otherwise, numbers that a rollback has returned stay in it.

                Example: seriatim sync invoices --column invoice.number --dry-run""")
final class SyncCommand extends SequenceCommand {

    @Mixin
    private final ColumnOption columnOption = new ColumnOption();

    @Option(names = "--dry-run", description = "Print what would be done, and change nothing.")
    private boolean dryRun;

    @Override
    protected void check() {
        columnOption.name();
    }

    @Override
    protected void run(OpenStore store) {
        if (!(store instanceof ColumnReader columns)) {
            throw new SequenceException.Misconfigured(
                    "sync: " + store + " has no tables beside the sequences; use raise");
        }
        boolean up = store.describe(name()).definition().ascending();
        ColumnName column = columnOption.name();
        String shown = OneLine.of(column.toString());
        OptionalLong read = columns.extreme(column, up);
        // Read after the column, so that the counter is beyond all numbers that were drawn and stored meanwhile.
        SequenceState state = store.describe(name());
        String now = StateReport.sentence(state, store);
        if (read.isEmpty()) {
            out().println("nothing to do: " + shown + " holds no value, " + quoted() + " stays, " + now);
            return;
        }
        long extreme = read.getAsLong();
        String reached = shown + " has reached " + extreme;
        boolean inPool = holdsNumbersOfThePool(store, column, extreme, up);
        if (!inPool && state.isBeyond(extreme)) {
            out().println("nothing to do: " + reached + ", " + quoted() + " deals none of its numbers, " + now);
            return;
        }
        long next = state.nextBeyond(extreme);
        if (dryRun) {
            out().println("would raise " + quoted() + (inPool ? "" : " from " + state.nextValue()) + " to " + next
                    + ", since " + reached + (inPool ? " and " + now : ""));
        } else {
            out().println(RaiseCommand.raise(name(), next, store) + ", since " + reached);
        }
    }

    /**
     * Returns whether a column holds numbers that are also in the sequence's pool, which would deal them again. Numbers of
     * the pool below the column's highest do not prove it, since a rollback may have returned them.
     */
    private boolean holdsNumbersOfThePool(OpenStore store, ColumnName column, long extreme, boolean up) {
        List<Block> runs =
                StateReport.pool(store, name()).map(PoolState::laidOut).orElse(List.of());
        LongStream ends = runs.stream().flatMapToLong(run -> LongStream.of(run.first(), run.last()));
        OptionalLong first = up ? ends.min() : ends.max();
        if (first.isEmpty() || !(store instanceof ColumnScanner scanner)) {
            return false;
        }
        boolean isBefore = up ? first.getAsLong() <= extreme : first.getAsLong() >= extreme;
        NumberColumn numbers = new NumberColumn(column, Optional.empty(), first);
        return isBefore && scanner.scan(name(), numbers, state -> new PooledNumbers()).found;
    }

    /** Finds the numbers of a column that are also in the pool. */
    private static final class PooledNumbers implements ColumnScanner.Visitor {

        private final Set<Long> pool = new HashSet<>();
        private boolean found;

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
}
