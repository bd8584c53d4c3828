// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.OpenStore;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Removes a sequence. */
@Command(
        name = "drop",
        description = "Removes a sequence. There is no way back.",
        footer = {"", "Example: seriatim drop invoices"})
final class DropCommand extends StoreCommand {

    @Mixin
    private final SequenceName name = new SequenceName();

    @Override
    void run(OpenStore store) {
        store.drop(name.toString());
        out().println("dropped " + OneLine.quoted(name.toString()) + " from " + store);
    }
}
