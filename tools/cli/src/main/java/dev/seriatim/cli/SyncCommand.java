// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.cli.option.ColumnOption;
import dev.seriatim.cli.option.SequenceName;
import dev.seriatim.cli.option.StoreCommand;
import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.store.ColumnName;
import dev.seriatim.store.ColumnReader;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.SequenceState;
import java.util.OptionalLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Raises a sequence above the numbers of a column. */
@Command(
        name = "sync",
        description = "Raises a sequence above the highest value of a column, or below the lowest if it descends.",
        footer = """

                The sequence never goes back. If the column holds numbers that are also in the
                sequence's pool (mode POOLED), all numbers up to the column's highest leave the
                pool. Otherwise, numbers that a rollback has returned stay in it.

                Example: seriatim sync invoices --column invoice.number --dry-run""")
final class SyncCommand extends StoreCommand {

    @Mixin
    private final SequenceName name = new SequenceName();

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
        boolean up = store.describe(name.toString()).definition().ascending();
        ColumnName column = columnOption.name();
        String from = OneLine.of(column.toString());
        OptionalLong extreme = columns.extreme(column, up);
        // Read after the column, so that the counter is beyond all numbers that were drawn and stored meanwhile.
        SequenceState state = store.describe(name.toString());
        boolean inPool = PooledInColumn.any(store, name.toString(), column, extreme, up);
        String now = NextValue.sentence(state, store);
        if (extreme.isEmpty()) {
            out().println("nothing to do: " + from + " holds no value, " + OneLine.quoted(name.toString()) + " stays, "
                    + now);
            return;
        }
        Target target = Target.beyond(extreme.getAsLong(), from, state, inPool);
        if (target.reached()) {
            out().println("nothing to do: " + from + " has reached " + extreme.getAsLong() + ", "
                    + OneLine.quoted(name.toString()) + " deals none of its numbers, " + now);
        } else if (dryRun) {
            out().println("would raise " + OneLine.quoted(name.toString())
                    + (inPool ? "" : " from " + state.nextValue()) + " to " + target.value() + ", since " + from
                    + " has reached " + extreme.getAsLong() + (inPool ? " and " + now : ""));
        } else {
            out().println(RaiseCommand.raise(name.toString(), target.value(), store) + ", since " + from
                    + " has reached " + extreme.getAsLong());
        }
    }

    /**
     * The value to which a sequence must be raised so that it deals no number of a column again.
     *
     * @param value the next value that the sequence needs
     * @param reached whether it is already beyond the column
     */
    private record Target(long value, boolean reached) {

        /**
         * Returns the first value of the sequence beyond the column's extreme. Its step counts: databases that share a
         * range deal, for example, every tenth value each.
         *
         * @param inPool whether the column holds numbers of the sequence's pool; the sequence is then not beyond the
         *     column
         * @throws SequenceException.Misconfigured if the value is out of bounds
         */
        static Target beyond(long extreme, String column, SequenceState state, boolean inPool) {
            SequenceDefinition definition = state.definition();
            boolean up = definition.ascending();
            long counter = state.nextValue();
            boolean past = up ? counter > extreme : counter < extreme;
            if (!inPool && (past || (state.usedUp() && counter == extreme))) {
                return new Target(counter, true);
            }
            long step = step(extreme, counter, definition.increment());
            long bound = up ? definition.max() : definition.min();
            // Compared as unsigned distances, so that nothing can overflow.
            boolean fits = up
                    ? extreme <= bound && Long.compareUnsigned(bound - extreme, step) >= 0
                    : extreme >= bound && Long.compareUnsigned(extreme - bound, -step) >= 0;
            if (!fits) {
                String limit = (up ? "max value " : "min value ") + bound;
                throw new SequenceException.Misconfigured(definition.name(), """
                        %s has reached %s, and the sequence's next number is beyond \
                        %s; alter that bound first""".formatted(column, extreme, limit));
            }
            return new Target(extreme + step, false);
        }

        /**
         * Returns the distance from a value to the next one that is a multiple of the increment away from the counter.
         */
        private static long step(long from, long counter, long increment) {
            // Each remainder is between 0 and the increment, so their difference cannot overflow.
            long passed = Math.floorMod(from, increment) - Math.floorMod(counter, increment);
            return increment - Math.floorMod(passed, increment);
        }
    }
}
