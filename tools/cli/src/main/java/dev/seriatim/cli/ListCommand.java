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
@Command(
        name = "list",
        description = "Lists all sequences and their next values.",
        footer = {"", "Example: seriatim list --format json"})
final class ListCommand extends StoreCommand {

    @Option(names = "--format", paramLabel = "FORMAT", description = "One of: ${COMPLETION-CANDIDATES}. Default: text.")
    private OutputFormat format = OutputFormat.TEXT;

    @Override
    protected void run(OpenStore store) {
        List<SequenceState> states = store.list();
        if (format == OutputFormat.JSON) {
            StateJson.write(states, out());
        } else if (states.isEmpty()) {
            err().println("no sequences in " + store + "; 'create NAME' with the same store creates one");
        } else {
            StateText.table(states, out());
        }
    }
}
