// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.cli.option.SequenceCommand;
import dev.seriatim.cli.option.StripesOption;
import dev.seriatim.store.OpenStore;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Creates a sequence. */
@Command(name = "create", description = "Creates a sequence, and its table if that is missing.", footer = """

                Without options it counts 1, 2, 3, ... to 9223372036854775807.

                With --stripes, the values are spread over K counters, each a sequence of its
                own, for more load than one row can take. They are not ordered.

                Example: seriatim create invoices --start-with 1000 --max-value 999999""")
final class CreateCommand extends SequenceCommand {

    @Mixin
    private final DefinitionOptions options = new DefinitionOptions();

    @Mixin
    private final StripesOption stripes = new StripesOption();

    @Option(names = "--if-not-exists", description = "Succeed, and change nothing, if the sequence exists.")
    private boolean ifNotExists;

    @Override
    protected void check() {
        refuse(stripes.wrong());
    }

    @Override
    protected void run(OpenStore store) {
        SequenceDefinition definition = options.over(store.newDefinition(name()));
        try {
            stripes.create(store, definition);
            out().println("created " + quoted() + stripes + " in " + store);
        } catch (SequenceException.AlreadyExists e) {
            if (!ifNotExists) {
                throw e;
            }
            out().println(quoted() + " already exists in " + store + ", nothing was changed");
        }
    }
}
