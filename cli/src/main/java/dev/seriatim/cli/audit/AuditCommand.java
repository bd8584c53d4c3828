// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.audit;

import dev.seriatim.SequenceException;
import dev.seriatim.cli.store.ColumnOption;
import dev.seriatim.cli.store.StoreOption;
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

/** Compares a column with its sequence. Ends with 0, with 1 when that failed, with 3 when it found a fault. Not thread-safe. */
@Command(
        name = "audit",
        description = {
            "Compares the numbers in a column with those that their sequence has dealt: finds duplicates, gaps, "
                    + "numbers that are none of the sequence's, and numbers out of order."
        },
        footer = {
            "",
            "It reads both as they stand at one moment, and changes nothing.",
            "",
            "A gap is a number that was dealt and is missing although a later one is",
            "there. Numbers missing at the end, after the last one that is there, are",
            "shown apart: they may be blocks in hand, or transactions under way, and",
            "count as a fault only with --gapless. Several instances that hold blocks",
            "leave gaps before the end, too: audit while they are closed, or a sequence",
            "that is drawn from inside transactions.",
            "",
            "Numbers that are laid out in the pool of the mode POOLED are not missing; one",
            "that is in the column as well is yet to deal, and would come twice. Reading",
            "the pool takes the right to SELECT from its table, named as the sequences'",
            "with _pool behind it.",
            "",
            "In order: by the time of its row, a number must not go back. Rows of the",
            "same time may come in any order.",
            "",
            "In JSON, numbers of 64 bits are strings.",
            "",
            "Example: seriatim audit invoices --column invoice.number --gapless",
            "",
            "Exit code 3: there is a duplicate, a gap, a number that is none of the",
            "sequence's or that it has yet to deal, or one out of order."
        })
public final class AuditCommand implements Callable<Integer> {

    private static final int DONE = 0;
    private static final int FOUND = 3;
    private static final long SHOWN = 20;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli's to set
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
            description = "The column with the time of a row. Default: the order is not looked at.")
    private @Nullable String time;

    @Option(
            names = "--first",
            paramLabel = "NUMBER",
            description = "Begin with this number, say where older rows were archived, or the step was changed. "
                    + "Default: what the sequence starts with.")
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

    @Option(names = "--gapless", description = "Numbers missing at the end are a fault, too.")
    private boolean gapless;

    @Option(
            names = "--limit",
            paramLabel = "COUNT",
            description = "Show so many findings of each kind. Default: ${DEFAULT-VALUE}. All are counted.")
    private long limit = SHOWN;

    @Option(names = "--format", description = "One of: ${COMPLETION-CANDIDATES}. Default: text.")
    private OutputFormat format = OutputFormat.TEXT;

    private final AtomicLong passed = new AtomicLong();

    /** For the command line. */
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

    /** So few findings as usual stay in the output's buffer to the end; more would run into the progress line. */
    private Progress progress() {
        return limit <= SHOWN
                ? Progress.start("auditing", passed::get, 0)
                : Progress.startUnlessOutputShows("auditing", passed::get, 0);
    }
}
