// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.cli.option.CatalogCommand;
import dev.seriatim.cli.terminal.ExitCode;
import dev.seriatim.cli.terminal.JsonText;
import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.cli.terminal.OutputFormat;
import dev.seriatim.cli.terminal.TextTable;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.SequenceState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists the sequences of a store. */
@Command(name = "list", description = "Lists all sequences and their next values.", footer = """

                Example: seriatim list --format json""")
final class ListCommand extends CatalogCommand {

    @Option(names = "--format", paramLabel = "FORMAT", description = OutputFormat.CHOICES)
    private OutputFormat format = OutputFormat.TEXT;

    @Override
    protected void run(OpenStore store) {
        List<SequenceState> states = store.list((name, why) -> {
            err().println("seriatim: " + OneLine.message(String.valueOf(why.getMessage())));
            endWith(ExitCode.FAILED);
        });
        if (format == OutputFormat.JSON) {
            new JsonText(out())
                    .print(states.stream().map(StateReport::properties).toList());
            out().println();
        } else if (states.isEmpty()) {
            err().println("no sequences in " + store + "; 'create NAME' with the same store creates one");
        } else {
            table(states);
        }
    }

    private void table(List<SequenceState> states) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("NAME", "NEXT VALUE", "STEP", "MIN", "MAX", "CYCLE", "CACHE", "USED", "LEFT"));
        for (SequenceState state : states) {
            Map<String, @Nullable Object> properties = StateReport.properties(state);
            properties.remove("start with");
            rows.add(properties.values().stream().map(StateReport::text).toList());
        }
        TextTable.print(out(), rows, column -> column == 0);
    }
}
