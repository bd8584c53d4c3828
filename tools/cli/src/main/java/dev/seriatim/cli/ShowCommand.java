// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.cli.option.SequenceName;
import dev.seriatim.cli.option.StoreCommand;
import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.cli.terminal.OutputFormat;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.PoolState;
import dev.seriatim.store.SequenceDetails;
import dev.seriatim.store.SequenceState;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows one sequence. */
@Command(
        name = "show",
        description = "Shows the definition and the state of a sequence, and of its pool if it has one.",
        footer = """

                In JSON, 64-bit numbers are strings; next_value is null after the last value.

                Example: seriatim show invoices --format json""")
final class ShowCommand extends StoreCommand {

    @Mixin
    private final SequenceName name = new SequenceName();

    @Option(names = "--format", paramLabel = "FORMAT", description = "One of: ${COMPLETION-CANDIDATES}. Default: text.")
    private OutputFormat format = OutputFormat.TEXT;

    @Override
    protected void run(OpenStore store) {
        SequenceState state = store.describe(name.toString());
        Optional<PoolState> pool = PoolText.of(store, name.toString());
        if (format == OutputFormat.JSON) {
            StateJson.write(state, pool, details(store), out());
        } else {
            StateText.lines(state, out());
            pool.ifPresent(numbers -> PoolText.lines(numbers, out()));
            details(store).forEach((what, value) -> StateText.line(out(), what, OneLine.of(value)));
        }
    }

    private Map<String, String> details(OpenStore store) {
        return store instanceof SequenceDetails more ? more.details(name.toString()) : Map.of();
    }
}
