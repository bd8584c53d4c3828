// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.cli.option.SequenceCommand;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.SequenceState;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Changes a sequence's definition. */
@Command(name = "alter", description = """
                Changes the definition of a sequence; its next value stays. Running programs notice with their next \
                block.""", footer = """

                The range of a permutation is part of its key, so new bounds do not change it:
                permuted numbers (next --permute-key-file) keep their --permute-range.

                Example: seriatim alter invoices --max-value 9999999 --no-cycle""")
final class AlterCommand extends SequenceCommand {

    @Mixin
    private final DefinitionOptions options = new DefinitionOptions();

    @Override
    protected void check() {
        if (options.none() && !url().contains("skip-range-")) { // which is the URL's
            throw usage("""
                    nothing to alter: give at least one of --start-with, --increment-by, --min-value, --max-value, \
                    --cycle, --no-cycle, --cache""");
        }
    }

    @Override
    protected void run(OpenStore store) {
        SequenceState state = store.alter(name(), definition -> options.over(definition.toBuilder()));
        out().println("altered " + quoted() + ", " + StateReport.sentence(state, store));
    }
}
