// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.cli.option.StoreCommand;
import dev.seriatim.cli.terminal.ExitCode;
import dev.seriatim.cli.terminal.JsonText;
import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.cli.terminal.OutputFormat;
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
final class ListCommand extends StoreCommand {

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

    /** The first column is aligned left, all others right. */
    private void table(List<SequenceState> states) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("NAME", "NEXT VALUE", "STEP", "MIN", "MAX", "CYCLE", "CACHE", "USED", "LEFT"));
        for (SequenceState state : states) {
            Map<String, @Nullable Object> properties = StateReport.properties(state);
            properties.remove("start with");
            rows.add(properties.values().stream().map(StateReport::text).toList());
        }
        int columns = rows.get(0).size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], length(row.get(i)));
            }
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                String padding = " ".repeat(widths[i] - length(row.get(i)));
                line.append(i == 0 ? row.get(i) + padding : "  " + padding + row.get(i));
            }
            out().println(line);
        }
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }
}
