// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.OpenStore;
import dev.seriatim.SequenceState;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Sets a sequence to a value, also backwards. */
@Command(
        name = "restart",
        description =
                "Deals a value next, even if it was dealt before: numbers may come twice. To only go forward, use raise.",
        footer = {"", "Example: seriatim restart invoices --with 1000"})
final class RestartCommand extends StoreCommand {

    @Mixin
    private final SequenceName name = new SequenceName();

    @Option(names = "--with", paramLabel = "N", description = "The next value. Default: the sequence's start value.")
    private @Nullable Long value;

    @Override
    void run(OpenStore store) {
        long next = value != null
                ? value
                : store.describe(name.toString()).definition().start();
        SequenceState state = store.restart(name.toString(), next);
        out().println("restarted " + OneLine.quoted(name.toString()) + ", " + NextValue.sentence(state));
    }
}
