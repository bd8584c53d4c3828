// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.cli.option.CatalogCommand;
import dev.seriatim.cli.option.StripesOption;
import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.SchemaInstaller;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Creates sequences. */
@Command(name = "create", description = "Creates sequences, and their table if that is missing.", footer = """

                Without options they count 1, 2, 3, ... to 9223372036854775807.

                With --stripes, the values are spread over K counters, each a sequence of its
                own, for more load than one row can take. They are not ordered.

                Example: seriatim create invoices --start-with 1000 --max-value 999999
                Example: seriatim create invoices orders --print""")
final class CreateCommand extends CatalogCommand {

    @Parameters(arity = "1..*", paramLabel = "NAME", description = "The sequences.")
    private List<String> names = List.of();

    @Mixin
    private final DefinitionOptions options = new DefinitionOptions();

    @Mixin
    private final StripesOption stripes = new StripesOption();

    @Option(names = "--if-not-exists", description = "Skip existing sequences.")
    private boolean ifNotExists;

    @Option(names = "--print", description = "Print SQL for a migration instead.")
    private boolean print;

    @Override
    protected void check() {
        refuse(stripes.wrong());
    }

    @Override
    protected void run(OpenStore store) {
        Stream<SequenceDefinition> wanted = names.stream().map(name -> options.over(store.newDefinition(name)));
        if (!print) {
            wanted.toList().forEach(definition -> create(store, definition));
        } else if (store instanceof SchemaInstaller installer) {
            out().print(installer.migration(wanted.flatMap(stripes::counters).toList()));
        } else {
            throw new SequenceException.Misconfigured("""
                    %s has no SQL to print; omit --print""".formatted(store));
        }
    }

    private void create(OpenStore store, SequenceDefinition definition) {
        String quoted = OneLine.quoted(definition.name());
        try {
            stripes.create(store, definition);
            out().println("created " + quoted + stripes + " in " + store);
        } catch (SequenceException.AlreadyExists e) {
            if (!ifNotExists) {
                throw e;
            }
            out().println(quoted + " already exists in " + store + ", nothing was changed");
        }
    }
}
