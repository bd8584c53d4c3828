// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.cli.store.SequenceName;
import dev.seriatim.cli.store.StoreCommand;
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
        description = "Shows what a sequence is and how far it has come; and its pool, where it has one.",
        footer = {
            "",
            "In JSON, numbers of 64 bits are strings; next_value is null when the last",
            "value has been drawn.",
            "",
            "Example: seriatim show invoices --format json"
        })
final class ShowCommand extends StoreCommand {

    @Mixin
    private final SequenceName name = new SequenceName();

    @Option(names = "--format", description = "One of: ${COMPLETION-CANDIDATES}. Default: text.")
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
