// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.auditing;

import dev.seriatim.SequenceException;
import dev.seriatim.cli.option.ColumnOption;
import dev.seriatim.cli.option.StoreOption;
import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.cli.terminal.OutputFormat;
import dev.seriatim.cli.terminal.Progress;
import dev.seriatim.cli.terminal.WholeNumber;
import dev.seriatim.store.ColumnScanner;
import dev.seriatim.store.NumberColumn;
import dev.seriatim.store.OpenStore;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Compares a column with its sequence. Exits with 0, with 1 if that failed, or with 3 if it found a fault. Not thread-safe. */
@Command(
        name = "audit",
        description = {
            "Compares the numbers in a column with those that their sequence has dealt. Finds duplicates, gaps,"
                    + " numbers that the sequence does not deal, and numbers out of order."
        },
        footer = """

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
public final class AuditCommand implements Callable<Integer> {

    private static final int DONE = 0;
    private static final int FOUND = 3;
    private static final long SHOWN = 20;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Mixin
    private final StoreOption storeOption = new StoreOption();

    @Parameters(index = "0", paramLabel = "NAME", description = "The sequence.")
    private String name = "";

    @Mixin
    private final ColumnOption columnOption = new ColumnOption();

    @Option(
            names = "--ordered-by",
            paramLabel = "COLUMN",
            description = "The column of the same table with the time of the row. Default: do not check the order.")
    private @Nullable String time;

    @Option(names = "--first", paramLabel = "NUMBER", description = """
                    The first number to check, if older rows were archived or the step was changed. Default: the \
                    sequence's start value.""")
    private @Nullable Long first;

    @Option(names = "--from", paramLabel = "NUMBER", hidden = true, description = "An older name of --first.")
    @SuppressWarnings("unused") // called by picocli
    private void from(String typed) {
        try {
            first = new WholeNumber().convert(typed);
        } catch (TypeConversionException e) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--from, an older name of --first, takes a number, not " + OneLine.quoted(typed)
                            + "; name the column with --column");
        }
    }

    @Option(names = "--gapless", description = "Count numbers missing at the end as a fault.")
    private boolean gapless;

    @Option(
            names = "--limit",
            paramLabel = "COUNT",
            description = "Maximum findings of each kind to list. Default: ${DEFAULT-VALUE}. All are counted.")
    private long limit = SHOWN;

    @Option(names = "--format", paramLabel = "FORMAT", description = "One of: ${COMPLETION-CANDIDATES}. Default: text.")
    private OutputFormat format = OutputFormat.TEXT;

    private final AtomicLong passed = new AtomicLong();

    /** Called by the command line. */
    public AuditCommand() {}

    @Override
    public Integer call() {
        if (limit < 0) {
            throw new ParameterException(spec.commandLine(), "--limit must not be negative, but is " + limit);
        }
        NumberColumn audited = new NumberColumn(
                columnOption.name(),
                Optional.ofNullable(time).map(name -> columnOption.beside("--ordered-by", name)),
                first == null ? OptionalLong.empty() : OptionalLong.of(first));
        PrintWriter out = spec.commandLine().getOut();
        AuditReport report = format == OutputFormat.JSON ? new JsonAudit(out) : new TextAudit(out);
        AuditResult outcome;
        try (OpenStore store = storeOption.open()) {
            outcome = audited(store, audited, report);
        }
        report.end(outcome);
        List<String> faults = outcome.faults(gapless);
        if (faults.isEmpty()) {
            return DONE;
        }
        out.flush();
        spec.commandLine()
                .getErr()
                .println("seriatim: sequence " + OneLine.quoted(name) + ": "
                        + OneLine.of(audited.numbers().toString()) + " has " + String.join(", ", faults));
        return FOUND;
    }

    private AuditResult audited(OpenStore store, NumberColumn audited, AuditReport report) {
        if (!(store instanceof ColumnScanner scanner)) {
            throw new SequenceException.Misconfigured(
                    "audit: " + store + " has no tables beside the sequences; name a database with --store");
        }
        Progress progress = progress();
        try {
            Audit audit = scanner.scan(name, audited, state -> {
                Dealt dealt = Audit.dealt(state, audited);
                report.begin(name, audited, dealt);
                return new Audit(audited, dealt, new FindingTally(limit, report::found), passed);
            });
            return audit.end();
        } finally {
            progress.close();
        }
    }

    /** A few findings stay in the output's buffer until the end; more would mix with the progress line. */
    private Progress progress() {
        return limit <= SHOWN
                ? Progress.start("auditing", passed::get, 0)
                : Progress.startUnlessOutputShows("auditing", passed::get, 0);
    }
}
