// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.cli.option.SequenceCommand;
import dev.seriatim.cli.terminal.JsonText;
import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.cli.terminal.OutputFormat;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.PoolState;
import dev.seriatim.store.SequenceDetails;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows one sequence. */
@Command(name = "show", description = """
                Shows the definition and the state of a sequence, and of its pool if it has one.""", footer = """

                In JSON, 64-bit numbers are strings; next_value is null after the last value.

                Example: seriatim show invoices --format json""")
final class ShowCommand extends SequenceCommand {

    @Option(names = "--format", paramLabel = "FORMAT", description = OutputFormat.CHOICES)
    private OutputFormat format = OutputFormat.TEXT;

    @Override
    protected void run(OpenStore store) {
        Map<String, @Nullable Object> properties = StateReport.properties(store.describe(name()));
        Optional<PoolState> pool = StateReport.pool(store, name());
        Map<String, String> details = store instanceof SequenceDetails more ? more.details(name()) : Map.of();
        if (format == OutputFormat.JSON) {
            json(properties, pool, details);
            return;
        }
        properties.forEach((what, value) -> line(what.replace(" ratio", ""), StateReport.text(value)));
        pool.ifPresent(numbers -> {
            OptionalLong lowest = numbers.lowest();
            line("laid out", numbers.count());
            line("claimed", numbers.claimed() + ", by open transactions");
            line("uncommitted", lowest.isPresent() ? "from " + lowest.getAsLong() : "none");
        });
        details.forEach((what, value) -> line(what, OneLine.of(value)));
    }

    private void line(String what, Object value) {
        out().println(what + " ".repeat(Math.max(1, 14 - what.length())) + value);
    }

    private void json(Map<String, @Nullable Object> fields, Optional<PoolState> pool, Map<String, String> details) {
        pool.ifPresent(numbers -> {
            OptionalLong lowest = numbers.lowest();
            fields.put("laid out", numbers.count());
            fields.put("claimed", numbers.claimed());
            fields.put("lowest uncommitted", lowest.isPresent() ? lowest.getAsLong() : null);
        });
        if (!details.isEmpty()) {
            fields.put("details", details);
        }
        new JsonText(out()).print(fields);
        out().println();
    }
}
