// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.cli.option.StoreCommand;
import dev.seriatim.cli.terminal.OutputFormat;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.SequenceState;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists the sequences of a store. */
@Command(name = "list", description = "Lists all sequences and their next values.", footer = """

                Example: seriatim list --format json""")
final class ListCommand extends StoreCommand {

    @Option(names = "--format", paramLabel = "FORMAT", description = OutputFormat.CHOICES)
    private OutputFormat format = OutputFormat.TEXT;

    @Override
    protected void run(OpenStore store) {
        List<SequenceState> states = store.list();
        if (format == OutputFormat.JSON) {
            StateReport.json(states.stream().map(StateReport::properties).toList(), out());
        } else if (states.isEmpty()) {
            err().println("no sequences in " + store + "; 'create NAME' with the same store creates one");
        } else {
            StateReport.table(states, out());
        }
    }
}
