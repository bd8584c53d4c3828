// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

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

/** Raises a sequence above what a column holds. */
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
        String now = NextValue.sentence(state, PoolText.of(store, name.toString()));
        if (extreme.isEmpty()) {
            out().println("nothing to do: " + from + " holds no value, " + OneLine.quoted(name.toString()) + " stays, "
                    + now);
            return;
        }
        SyncTarget target = SyncTarget.beyond(extreme.getAsLong(), from, state, inPool);
        if (target.reached()) {
            out().println("nothing to do: " + from + " has reached " + extreme.getAsLong() + ", "
                    + OneLine.quoted(name.toString()) + " deals none of its numbers, " + now);
        } else if (dryRun) {
            out().println("would raise " + OneLine.quoted(name.toString())
                    + (inPool ? "" : " from " + state.nextValue()) + " to " + target.value() + ", since " + from
                    + " has reached " + extreme.getAsLong() + (inPool ? " and " + now : ""));
        } else {
            out().println(Raise.sequence(name.toString(), target.value(), store) + ", since " + from + " has reached "
                    + extreme.getAsLong());
        }
    }
}
