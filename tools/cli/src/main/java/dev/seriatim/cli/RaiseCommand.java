// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.cli.option.SequenceCommand;
import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.SequenceState;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Moves a sequence forward, never back. */
@Command(name = "raise", description = """
                Moves a sequence forward to a value, never back. Safe while others draw.""", footer = """

                A descending sequence moves down.

                Example: seriatim raise invoices --to 5000""")
final class RaiseCommand extends SequenceCommand {

    @Option(names = "--to", paramLabel = "N", required = true, description = """
                    The next value, unless the sequence is already beyond it.""")
    private long value;

    @Override
    protected void run(OpenStore store) {
        out().println(raise(name(), value, store));
    }

    /** Raises a sequence together with its pool, and describes the result. */
    static String raise(String name, long value, OpenStore store) {
        SequenceState before = store.describe(name);
        boolean up = before.definition().ascending();
        boolean pooled = StateReport.pool(store, name)
                .map(pool -> pool.laidOut().stream().anyMatch(run -> up ? run.first() < value : run.first() > value))
                .orElse(false);
        SequenceState after = store.raise(name, value);
        boolean moved =
                !after.usedUp() && after.nextValue() == value && (before.usedUp() || before.nextValue() != value);
        return (moved || pooled ? "raised " : "already beyond: ") + OneLine.quoted(name) + ", "
                + StateReport.sentence(after, store);
    }
}
