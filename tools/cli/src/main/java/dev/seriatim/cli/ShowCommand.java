// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.cli.option.SequenceCommand;
import dev.seriatim.cli.terminal.OutputFormat;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.PoolState;
import dev.seriatim.store.SequenceDetails;
import dev.seriatim.store.SequenceState;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows one sequence. */
@Command(
        name = "show",
        description = "Shows the definition and the state of a sequence, and of its pool if it has one.",
        footer = """

                In JSON, 64-bit numbers are strings; next_value is null after the last value.

                Example: seriatim show invoices --format json""")
final class ShowCommand extends SequenceCommand {

    @Option(names = "--format", paramLabel = "FORMAT", description = OutputFormat.CHOICES)
    private OutputFormat format = OutputFormat.TEXT;

    @Override
    protected void run(OpenStore store) {
        SequenceState state = store.describe(name());
        Optional<PoolState> pool = NextValue.pool(store, name());
        Map<String, String> details = store instanceof SequenceDetails more ? more.details(name()) : Map.of();
        if (format == OutputFormat.TEXT) {
            StateReport.lines(state, pool, details, out());
            return;
        }
        Map<String, @Nullable Object> properties = StateReport.properties(state);
        pool.ifPresent(numbers -> {
            properties.put("laid out", numbers.count());
            properties.put("claimed", numbers.claimed());
            properties.put(
                    "lowest uncommitted",
                    numbers.lowest().isPresent() ? numbers.lowest().getAsLong() : null);
        });
        if (!details.isEmpty()) {
            properties.put("details", details);
        }
        StateReport.json(properties, out());
    }
}
