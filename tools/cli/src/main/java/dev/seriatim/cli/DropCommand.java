// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.cli.option.SequenceCommand;
import dev.seriatim.cli.option.StripesOption;
import dev.seriatim.store.OpenStore;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Removes a sequence. */
@Command(name = "drop", description = "Removes a sequence. This cannot be undone.", footer = """

                Example: seriatim drop invoices""")
final class DropCommand extends SequenceCommand {

    @Mixin
    private final StripesOption stripes = new StripesOption();

    @Override
    protected void check() {
        refuse(stripes.wrong());
    }

    @Override
    protected void run(OpenStore store) {
        stripes.of(name()).ifPresentOrElse(striping -> striping.drop(store), () -> store.drop(name()));
        out().println("dropped " + quoted() + stripes + " from " + store);
    }
}
