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

                It reads the column and the sequence in one snapshot, and changes nothing.

                A gap is a number that was dealt and is missing while a later one is present.
                Numbers missing at the end, after the last one present, are listed separately:
                they may belong to blocks in use or to open transactions. They are a fault only
                with --gapless. Several instances with blocks also leave gaps before the end:
                stop them before the audit.

                Numbers in the pool of the mode POOLED are not missing. One that is also in the
                column is yet to be dealt, and would be dealt twice. To read the pool, the user
                needs SELECT on its table, which is called like that of the sequences, with
                _pool appended.

                With --ordered-by, a row of a later time must not have a lower number. Rows of
                the same time may have any order.

                In JSON, 64-bit numbers are strings.

                Example: seriatim audit invoices --column invoice.number --gapless

                Exit code 3: there is a duplicate, a gap, a number that the sequence does not
                deal or has yet to deal, or one out of order.""")
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
        Progress progress = progress(passed);
        Audit audit;
        try {
            audit = scanner.scan(name(), column, state -> {
                Dealt dealt = dealt(state, column);
                return new Audit(dealt, limit, report(column, dealt), passed);
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

    private AuditReport report(NumberColumn column, Dealt dealt) {
        return format == OutputFormat.JSON
                ? new JsonAudit(name(), column, dealt, out())
                : new TextAudit(name(), column, out());
    }

    /** A few findings stay in the output's buffer until the end; more would mix with the progress line. */
    private Progress progress(AtomicLong passed) {
        return limit <= SHOWN
                ? Progress.start("auditing", passed::get, 0)
                : Progress.startUnlessOutputShows("auditing", passed::get, 0);
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
