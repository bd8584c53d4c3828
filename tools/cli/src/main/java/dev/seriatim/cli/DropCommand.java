// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.cli.option.SequenceName;
import dev.seriatim.cli.option.StoreCommand;
import dev.seriatim.cli.option.StripesOption;
import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.store.OpenStore;
import dev.seriatim.striped.Striping;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Removes a sequence. */
@Command(
        name = "drop",
        description = "Removes a sequence. This cannot be undone.",
        footer = {"", "Example: seriatim drop invoices"})
final class DropCommand extends StoreCommand {

    @Mixin
    private final SequenceName name = new SequenceName();

    @Mixin
    private final StripesOption stripes = new StripesOption();

    @Override
    protected void check() {
        String wrong = stripes.wrong();
        if (!wrong.isEmpty()) {
            throw usage(wrong);
        }
    }

    @Override
    protected void run(OpenStore store) {
        if (stripes.given()) {
            new Striping(name.toString(), stripes.count()).drop(store);
        } else {
            store.drop(name.toString());
        }
        out().println("dropped " + OneLine.quoted(name.toString()) + stripes + " from " + store);
    }
}
