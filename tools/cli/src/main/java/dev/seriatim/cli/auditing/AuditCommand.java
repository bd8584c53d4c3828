// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.auditing;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.cli.option.ColumnOption;
import dev.seriatim.cli.option.SequenceCommand;
import dev.seriatim.cli.terminal.ExitCode;
import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.cli.terminal.OutputFormat;
import dev.seriatim.cli.terminal.Progress;
import dev.seriatim.store.ColumnScanner;
import dev.seriatim.store.NumberColumn;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.SequenceState;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Compares a column with its sequence. Not thread-safe. */
@Command(name = "audit", description = """
                Compares the numbers in a column with those that their sequence has dealt. Finds duplicates, gaps, \
                numbers that the sequence does not deal, and numbers out of order.""", footer = """

                It reads the column and the sequence in one snapshot, and changes nothing. Rows
                with the same time may have any order.

                Numbers missing after the last one present may belong to blocks in use or to
                open transactions, and are a fault only with --gapless. Several instances with
                blocks also leave gaps before the end: stop them first. Numbers in the pool of
                the mode POOLED are not missing; the user needs SELECT on the pool's table.

                In JSON, 64-bit numbers are strings. Exit code 3: there is a fault.

                Example: seriatim audit invoices --column invoice.number --gapless""")
public final class AuditCommand extends SequenceCommand {

    private static final long SHOWN = 20;

    @Mixin
    private final ColumnOption columnOption = new ColumnOption();

    @Option(names = "--ordered-by", paramLabel = "COLUMN", description = """
                    The column of the same table with the time of the row. Default: do not check the order.""")
    private @Nullable String time;

    @Option(names = "--first", paramLabel = "NUMBER", description = """
                    The first number to check, if older rows were archived or the step was changed. Default: the \
                    sequence's start value.""")
    private @Nullable Long first;

    @Option(names = "--gapless", description = "Count numbers missing at the end as a fault.")
    private boolean gapless;

    @Option(names = "--limit", paramLabel = "COUNT", description = """
                    Maximum findings of each kind to list. Default: ${DEFAULT-VALUE}. All are counted.""")
    private long limit = SHOWN;

    @Option(names = "--format", paramLabel = "FORMAT", description = OutputFormat.CHOICES)
    private OutputFormat format = OutputFormat.TEXT;

    @Override
    protected void check() {
        if (limit < 0) {
            throw usage("--limit " + limit + " is negative");
        }
        column();
    }

    private NumberColumn column() {
        return new NumberColumn(
                columnOption.name(),
                Optional.ofNullable(time).map(name -> columnOption.beside("--ordered-by", name)),
                first == null ? OptionalLong.empty() : OptionalLong.of(first));
    }

    @Override
    protected void run(OpenStore store) {
        if (!(store instanceof ColumnScanner scanner)) {
            throw new Misconfigured(
                    "audit: " + store + " has no tables beside the sequences; name a database with --store");
        }
        NumberColumn column = column();
        AtomicLong passed = new AtomicLong();
        // A few findings stay in the output's buffer until the end; more would mix with the progress line.
        Progress progress = limit <= SHOWN
                ? Progress.start("auditing", passed::get, 0)
                : Progress.startUnlessOutputShows("auditing", passed::get, 0);
        Audit audit;
        try {
            audit = scanner.scan(name(), column, state -> {
                Dealt dealt = dealt(state, column);
                Audit.Report report = format == OutputFormat.JSON
                        ? new JsonAudit(name(), column, dealt, out())
                        : new TextAudit(name(), column, out());
                return new Audit(dealt, limit, report, passed);
            });
        } finally {
            progress.close();
        }
        audit.end();
        String faults = TextAudit.faults(audit, gapless);
        if (!faults.isEmpty()) {
            out().flush();
            err().println("seriatim: sequence " + quoted() + ": "
                    + OneLine.of(column.numbers().toString()) + " has " + faults);
            endWith(ExitCode.WRONG_NUMBERS);
        }
    }

    private static Dealt dealt(SequenceState state, NumberColumn column) {
        SequenceDefinition definition = state.definition();
        if (definition.cycle()) {
            throw new Misconfigured(definition.name(), """
                    it cycles, so duplicates and numbers beyond its counter are not faults; audit a sequence that does \
                    not cycle""");
        }
        long from = column.from().orElse(definition.start());
        return new Dealt(from, definition.increment(), state.nextValue(), state.usedUp());
    }
}
