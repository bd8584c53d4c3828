// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.cli.option.SequenceName;
import dev.seriatim.cli.option.StoreCommand;
import dev.seriatim.store.OpenStore;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Moves a sequence forward, never back. */
@Command(
        name = "raise",
        description = "Moves a sequence forward to a value, never back. Safe while others draw.",
        footer = """

                A descending sequence moves down.

                Example: seriatim raise invoices --to 5000""")
final class RaiseCommand extends StoreCommand {

    @Mixin
    private final SequenceName name = new SequenceName();

    @Option(
            names = "--to",
            paramLabel = "N",
            required = true,
            description = "The next value, unless the sequence is already beyond it.")
    private long value;

    @Override
    protected void run(OpenStore store) {
        out().println(Raise.sequence(name.toString(), value, store));
    }
}
