// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor;

import dev.seriatim.SequenceException;
import dev.seriatim.cli.option.LengthOfTime;
import dev.seriatim.cli.option.NamedColumns;
import dev.seriatim.cli.option.OutputFile;
import dev.seriatim.cli.option.StoreOption;
import dev.seriatim.cli.terminal.ExitCode;
import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.cli.terminal.OutputFormat;
import dev.seriatim.doctor.rule.CounterCommands;
import dev.seriatim.doctor.rule.Diagnosis;
import dev.seriatim.doctor.rule.Facts;
import dev.seriatim.doctor.rule.Forecast;
import dev.seriatim.jdbc.DatabaseInspection;
import dev.seriatim.jdbc.inspect.InspectionFinding;
import dev.seriatim.jdbc.inspect.InspectionLimits;
import dev.seriatim.jdbc.inspect.Inventory;
import dev.seriatim.store.ColumnName;
import dev.seriatim.store.StoreUrl;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Finds what is wrong with what generates numbers in a database. The exit code is 3 if it found something. Not thread-safe.
 */
@Command(
        name = "doctor",
        description = {
            "Examines everything that generates numbers in a database: sequences, identity and AUTO_INCREMENT"
                    + " columns, the sequences of this library, and the server's settings. Finds what fails or repeats"
                    + " numbers, or will.",
            "It only reads, on a connection of its own, and needs no table of this library."
        },
        footer = {
            "",
            "It reads the highest number of a column only through an index, unless --scan is",
            "given. What it could not read is listed; a user who may only read suffices.",
            "",
            "--mend runs the statements that move a counter further away from what a column",
            "holds, which is safe beside draws, and then examines the database again. It runs",
            "nothing else: definitions and settings are yours to change.",
            "",
            "In JSON, 64-bit numbers are strings. Fields: product, database, examined_at,",
            "seconds, columns, native_sequences, counters (how many there are), errors,",
            "warnings; findings, notes and mended, each with fault, level, subject, what,",
            "remedy and remedy_kind (raises, changes, command, advice); skipped; generators,",
            "each with kind, name, next_value, increment, last_value, used_percent and",
            "used_up_on.",
            "",
            "Examples: seriatim doctor --store jdbc:postgresql://HOST/DATABASE",
            "          seriatim doctor --format json --history numbers.jsonl",
            "          seriatim doctor --mend --dry-run",
            "",
            "Exit code 3: there is an error or a warning. Notes do not count."
        })
public final class DoctorCommand implements Callable<Integer> {

    /** How many statements' time the whole may take, and at least how long. */
    private static final int STATEMENTS = 60;

    private static final Duration LEAST = Duration.ofMinutes(5);

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli's to set
    private CommandSpec spec;

    @Mixin
    private final StoreOption storeOption = new StoreOption();

    @Mixin
    private final NamedColumns namedColumns = new NamedColumns();

    @Option(names = "--scan", description = "Also read columns that no index begins with; each is read in full.")
    private boolean scan;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "5s",
            converter = LengthOfTime.class,
            description = "How long a statement may take, and wait for a lock. Default: ${DEFAULT-VALUE}.")
    private Duration timeout = Duration.ZERO;

    @Option(
            names = "--history",
            paramLabel = "FILE",
            description = "Append what is generated next to a file. From the second time on, at least a minute later,"
                    + " say when numbers run out.")
    private @Nullable Path history;

    @Option(names = "--mend", description = "Raise what is behind its column, and examine the database again.")
    private boolean mend;

    @Option(
            names = "--dry-run",
            description = "With --mend: change nothing, and print the statements that it would run, one a line, and the"
                    + " other remedies as comments.")
    private boolean dryRun;

    @Option(names = "--format", paramLabel = "FORMAT", description = "One of: ${COMPLETION-CANDIDATES}. Default: text.")
    private @Nullable OutputFormat format;

    @Option(names = "--json", paramLabel = "FILE", description = "Also write the result to a file, as JSON.")
    private @Nullable Path json;

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Also write the result to a file, as a single page without scripts.")
    private @Nullable Path html;

    /** Creates the command. */
    public DoctorCommand() {}

    @Override
    public Integer call() {
        check();
        OutputFile jsonFile = json == null ? null : new OutputFile("--json", json);
        OutputFile htmlFile = html == null ? null : new OutputFile("--html", html);
        if (history != null) {
            new OutputFile("--history", history);
        }
        SampleHistory past = history == null ? null : SampleHistory.of(history);
        Patient patient = patient();
        Diagnosis diagnosis = diagnosis(patient, past);
        List<InspectionFinding> mended = new ArrayList<>();
        if (mend && !dryRun && !diagnosis.raising().isEmpty()) {
            mended.addAll(mended(patient, diagnosis));
            diagnosis = diagnosis(patient, past);
        }
        if (past != null) {
            past.append(
                    place(diagnosis),
                    diagnosis.at(),
                    diagnosis.outlooks().stream().map(Diagnosis.Outlook::source).toList());
        }
        if (jsonFile != null) {
            jsonFile.write(JsonDiagnosis.write(diagnosis, mended) + "\n");
        }
        if (htmlFile != null) {
            htmlFile.write(HtmlDiagnosis.of(diagnosis));
        }
        print(diagnosis, mended);
        return diagnosis.findings().isEmpty() ? ExitCode.DONE : ExitCode.WRONG_NUMBERS;
    }

    private void check() {
        if (dryRun && !mend) {
            throw wrong("--dry-run says what --mend would do; add --mend");
        }
        if (dryRun && format != null) {
            throw wrong("--dry-run prints statements, in no other format; leave --format out, or add --json FILE");
        }
        if (timeout.toMillis() < 1) {
            throw wrong("--timeout must be at least 1ms");
        }
    }

    private ParameterException wrong(String what) {
        return new ParameterException(spec.commandLine(), what);
    }

    private Patient patient() {
        String url = storeOption.url();
        Map<String, ColumnName> columns = namedColumns.columns();
        if (!DatabaseInspection.takes(url)) {
            return new OtherStore(url, columns);
        }
        Duration longest = timeout.multipliedBy(STATEMENTS);
        InspectionLimits limits = new InspectionLimits(timeout, longest.compareTo(LEAST) < 0 ? LEAST : longest, scan);
        return new Patient.Database(DatabaseInspection.of(url), limits, columns);
    }

    private Diagnosis diagnosis(Patient patient, @Nullable SampleHistory past) {
        long begun = System.nanoTime();
        Patient.Read read = patient.read();
        Duration took = Duration.ofNanos(System.nanoTime() - begun);
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        String url = storeOption.url();
        Forecast forecast = past == null ? Forecast.NONE : past.forecast(place(read.inventory()), now);
        return Diagnosis.of(
                new Facts(read.inventory(), read.tables(), read.engine(), CounterCommands.on(url), forecast),
                now,
                took);
    }

    private List<InspectionFinding> mended(Patient patient, Diagnosis diagnosis) {
        List<InspectionFinding> done = new ArrayList<>();
        for (InspectionFinding finding : diagnosis.raising()) {
            try {
                patient.mend(finding.remedy().orElseThrow());
                done.add(finding);
            } catch (SequenceException.Misconfigured e) { // the others may be this user's to raise
                String why = StoreUrl.scrub(storeOption.url(), String.valueOf(e.getMessage()));
                spec.commandLine().getErr().println("seriatim: " + OneLine.message(why));
            }
        }
        return done;
    }

    private void print(Diagnosis diagnosis, List<InspectionFinding> mended) {
        PrintWriter out = spec.commandLine().getOut();
        if (dryRun) {
            Statements.print(diagnosis, out);
        } else if (format == OutputFormat.JSON) {
            out.println(JsonDiagnosis.write(diagnosis, mended));
        } else {
            mended.forEach(finding -> out.println("raised " + OneLine.of(finding.subject()) + ": "
                    + OneLine.of(finding.remedy().orElseThrow().text())));
            if (mend) {
                out.println(mended.isEmpty() ? "raised nothing" : "");
            }
            TextDiagnosis.print(diagnosis, out);
            return;
        }
        out.flush();
        if (!diagnosis.findings().isEmpty()) {
            spec.commandLine()
                    .getErr()
                    .println("seriatim: " + OneLine.of(place(diagnosis)) + " has " + Summary.of(diagnosis));
        }
    }

    private static String place(Diagnosis diagnosis) {
        return place(diagnosis.inventory());
    }

    private static String place(Inventory inventory) {
        return inventory.database().isEmpty() ? inventory.product() : inventory.database();
    }
}
