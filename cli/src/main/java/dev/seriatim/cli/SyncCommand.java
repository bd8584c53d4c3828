// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.SequenceException;
import dev.seriatim.cli.store.SequenceName;
import dev.seriatim.cli.store.StoreCommand;
import dev.seriatim.cli.terminal.OneLine;
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
        description = "Raises a sequence above the highest value of a column, or below the lowest when it counts down.",
        footer = {
            "",
            "It never goes back. Where the column holds numbers that are in the sequence's",
            "pool (the mode POOLED), all numbers up to the column's highest leave the pool;",
            "those that a rollback has put back stay there otherwise.",
            "",
            "Example: seriatim sync invoices --from invoice.number --dry-run"
        })
final class SyncCommand extends StoreCommand {

    @Mixin
    private final SequenceName name = new SequenceName();

    @Option(names = "--from", paramLabel = "TABLE.COLUMN", required = true, description = "The column.")
    private String from = "";

    @Option(names = "--dry-run", description = "Say what would be done, and do nothing.")
    private boolean dryRun;

    @Override
    protected void check() {
        int dot = from.indexOf('.');
        if (dot <= 0 || dot != from.lastIndexOf('.') || dot == from.length() - 1) {
            throw usage("--from is written as TABLE.COLUMN, not " + OneLine.quoted(from));
        }
    }

    @Override
    protected void run(OpenStore store) {
        if (!(store instanceof ColumnReader columns)) {
            throw new SequenceException.Misconfigured(
                    "sync: " + store + " has no tables beside the sequences; use raise");
        }
        boolean up = store.describe(name.toString()).definition().ascending();
        int dot = from.indexOf('.');
        String table = from.substring(0, dot);
        String column = from.substring(dot + 1);
        OptionalLong extreme = columns.extreme(table, column, up);
        // After the column, so that the counter has passed whatever was drawn from it and stored meanwhile.
        SequenceState state = store.describe(name.toString());
        boolean inPool = PooledInColumn.any(store, name.toString(), table, column, extreme, up);
        String now = NextValue.sentence(state, PoolText.of(store, name.toString()));
        if (extreme.isEmpty()) {
            out().println("nothing to do: " + from + " holds no value, " + OneLine.quoted(name.toString()) + " stays, "
                    + now);
            return;
        }
        SyncTarget target = SyncTarget.beyond(extreme.getAsLong(), from, state, inPool);
        if (target.reached()) {
            out().println("nothing to do: " + from + " has come to " + extreme.getAsLong() + ", "
                    + OneLine.quoted(name.toString()) + " deals none of its numbers, " + now);
        } else if (dryRun) {
            out().println("would raise " + OneLine.quoted(name.toString())
                    + (inPool ? "" : " from " + state.nextValue()) + " to " + target.value() + ", since " + from
                    + " has come to " + extreme.getAsLong() + (inPool ? " and " + now : ""));
        } else {
            out().println(Raise.sequence(name.toString(), target.value(), store) + ", since " + from + " has come to "
                    + extreme.getAsLong());
        }
    }
}
