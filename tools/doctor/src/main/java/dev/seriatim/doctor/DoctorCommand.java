// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.cli.ToolCommand;
import dev.seriatim.cli.option.LengthOfTime;
import dev.seriatim.cli.option.NamedColumns;
import dev.seriatim.cli.option.OutputFile;
import dev.seriatim.cli.option.StoreOption;
import dev.seriatim.cli.terminal.ExitCode;
import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.cli.terminal.OutputFormat;
import dev.seriatim.doctor.inventory.DatabaseExamination;
import dev.seriatim.doctor.inventory.InspectionFinding;
import dev.seriatim.doctor.inventory.InspectionFinding.Fault;
import dev.seriatim.doctor.inventory.InspectionLimits;
import dev.seriatim.doctor.inventory.Inventory;
import dev.seriatim.doctor.inventory.NumberSource;
import dev.seriatim.doctor.inventory.Remedy;
import dev.seriatim.doctor.rule.CounterCommands;
import dev.seriatim.doctor.rule.Diagnosis;
import dev.seriatim.doctor.rule.Diagnosis.Forecast;
import dev.seriatim.jdbc.DatabaseAccess;
import dev.seriatim.report.Document;
import dev.seriatim.report.Finding.Level;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.StoreUrl;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Finds faults in what generates numbers in a database. The exit code is 3 if it found an error or a warning. Not thread-safe.
 */
@Command(name = "doctor", description = """
                Examines everything that generates numbers in a database: sequences, identity and AUTO_INCREMENT \
                columns, the sequences of this library, and the server's settings. Finds what fails or repeats \
                numbers, or will.
                It only reads, on a connection of its own, and needs no table of this library.""", footer = """

                It lists what it could not read. A read-only user suffices.

                --mend runs only statements that advance a counter past its column, which is
                safe while others draw. Definitions and settings are yours to change.

                Examples: seriatim doctor --store jdbc:postgresql://HOST/DATABASE
                          seriatim doctor --format json --history numbers.jsonl
                          seriatim doctor --mend --dry-run

                Exit code 3: there is an error or a warning. Notes do not count.""")
public final class DoctorCommand implements ToolCommand {

    /** The time of all statements together, as a multiple of the time of a statement. */
    private static final int STATEMENTS = 60;

    private static final Duration LEAST = Duration.ofMinutes(5);

    private static final Pattern ACCEPTED = Pattern.compile("(\\S+ \\S.*?)\\s+#\\s+(\\S.*)");

    private enum Least {
        ERROR,
        WARNING
    }

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli's to set
    private CommandSpec spec;

    @Mixin
    private final StoreOption storeOption = new StoreOption();

    @Mixin
    private final NamedColumns namedColumns = new NamedColumns();

    @Option(names = "--accept", paramLabel = "FILE", description = """
                    Do not count the findings that a file lists, one a line, such as: unowned shop.orders.id  # REASON""")
    private @Nullable Path accept;

    @Option(names = "--schema", paramLabel = "NAMES", hideParamSyntax = true, split = ",", description = """
                    Leave out what is in other schemas; commas separate names. Settings are in none.""")
    private List<String> schemas = new ArrayList<>();

    @Option(names = "--only", paramLabel = "CODES", hideParamSyntax = true, split = ",", description = """
                    Leave out findings with other codes. Commas separate codes.""")
    private List<Fault> codes = new ArrayList<>();

    @Option(names = "--fail-on", paramLabel = "error|warning", defaultValue = "warning", description = """
                    The least level with exit code 3. Default: ${DEFAULT-VALUE}.""")
    private Least least = Least.WARNING;

    @Option(names = "--scan", description = "Also read columns that no index begins with; each is read in full.")
    private boolean scan;

    @Option(names = "--timeout", paramLabel = "TIME", converter = LengthOfTime.class, description = """
                    The time limit of a statement and its wait for a lock. Default: 5s.""")
    private Duration timeout = Duration.ofSeconds(5);

    @Option(names = "--history", paramLabel = "FILE", description = """
                    Append the next numbers to a file. From the second time on, at least a minute later, say when \
                    numbers run out.""")
    private @Nullable Path history;

    @Option(names = "--mend", description = "Raise what is behind its column, and examine the database again.")
    private boolean mend;

    @Option(names = "--dry-run", description = """
                    With --mend: change nothing, and print the statements that it would run, one a line, and the \
                    other remedies as comments.""")
    private boolean dryRun;

    @Option(names = "--format", paramLabel = "FORMAT", description = OutputFormat.CHOICES)
    private @Nullable OutputFormat format;

    @Option(names = "--json", paramLabel = "FILE", description = "Also write the result to a file, as JSON.")
    private @Nullable Path json;

    @Option(names = "--html", paramLabel = "FILE", description = "Also write the result to a file, as HTML.")
    private @Nullable Path html;

    /** Why findings are accepted, by their codes and subjects. */
    private final Map<String, String> reasons = new LinkedHashMap<>();

    @Override
    public Integer call() {
        check();
        OutputFile jsonFile = new OutputFile("--json", json);
        OutputFile htmlFile = new OutputFile("--html", html);
        OutputFile.distinct(accept, new OutputFile("--history", history), jsonFile, htmlFile);
        SampleHistory past = history == null ? null : SampleHistory.of(history);
        Diagnosis diagnosis = diagnosis(past);
        List<InspectionFinding> mended = List.of();
        if (mend && !dryRun && !diagnosis.raising().isEmpty()) {
            mended = mended(diagnosis);
            diagnosis = diagnosis(past);
        }
        if (past != null) {
            Inventory read = diagnosis.inventory();
            past.append(place(read), diagnosis.at(), read.sources());
        }
        Document report = DoctorReport.of(diagnosis, mended);
        jsonFile.write(() -> report.json() + "\n");
        htmlFile.write(report::html);
        boolean fails = diagnosis.count(Level.ERROR) + (least == Least.ERROR ? 0 : diagnosis.count(Level.WARNING)) > 0;
        print(diagnosis, report, mended, fails);
        return fails ? ExitCode.WRONG_NUMBERS : ExitCode.DONE;
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
        readReasons();
    }

    private ParameterException wrong(String what) {
        return new ParameterException(spec.commandLine(), what);
    }

    private DatabaseExamination examination(String url) {
        Duration total = timeout.multipliedBy(STATEMENTS);
        InspectionLimits limits = new InspectionLimits(timeout, total.compareTo(LEAST) < 0 ? LEAST : total, scan);
        return new DatabaseExamination(DatabaseAccess.of(url), limits, namedColumns.columns());
    }

    private Diagnosis diagnosis(@Nullable SampleHistory past) {
        long begun = System.nanoTime();
        String url = storeOption.url();
        Inventory inventory = DatabaseAccess.takes(url) ? examination(url).read() : ofOtherStore(url);
        if (inventory.remedies().isEmpty() && !namedColumns.columns().isEmpty()) {
            throw new Misconfigured("--column: no columns are examined on " + inventory.product() + "; leave it out");
        }
        Duration took = Duration.ofNanos(System.nanoTime() - begun);
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        Forecast forecast = past == null ? Forecast.NONE : past.forecast(place(inventory), now);
        for (String schema : schemas) {
            if (inventory.sources().stream()
                    .noneMatch(source ->
                            !schema.isEmpty() && schema.equals(source.name().schema()))) {
                throw wrong("--schema: nothing in " + OneLine.quoted(schema) + " generates numbers; correct it");
            }
        }
        return Diagnosis.of(inventory, CounterCommands.on(url), forecast, this::isChosen, reasons, now, took);
    }

    private boolean isChosen(InspectionFinding finding) {
        String schema = finding.place().table().schema();
        return (codes.isEmpty() || codes.contains(finding.fault()))
                && (schemas.isEmpty() || schema.isEmpty() || schemas.contains(schema));
    }

    private void readReasons() {
        try {
            String text = accept == null ? "" : new String(Files.readAllBytes(accept), StandardCharsets.UTF_8);
            List<String> lines = List.of(text.replace("\ufeff", "").split("\\h*\\R\\h*"));
            for (String line : lines) {
                Matcher accepted = ACCEPTED.matcher(line);
                if (accepted.matches()) {
                    reasons.put(accepted.group(1), accepted.group(2));
                } else if (!line.isEmpty() && !line.startsWith("#")) {
                    String place = accept + ":" + (lines.indexOf(line) + 1);
                    throw new Misconfigured("--accept: " + place + " has no reason; write CODE SUBJECT  # REASON");
                }
            }
        } catch (IOException e) {
            throw new Misconfigured("--accept: '" + accept + "': " + OneLine.why(e) + "; name a file of text", e);
        }
    }

    /** Reads this library's sequences in a store that is no SQL database. */
    private Inventory ofOtherStore(String url) {
        try (OpenStore store = StoreOption.open(url)) {
            List<InspectionFinding> broken = new ArrayList<>();
            List<NumberSource> counters =
                    store.list((name, why) -> broken.add(InspectionFinding.broken(name, why))).stream()
                            .map(state -> NumberSource.of(state, Optional.empty(), Optional.empty()))
                            .toList();
            List<String> unread = url.startsWith("spanner:")
                    ? List.of("native sequences and identity columns: only read by JDBC, --store jdbc:cloudspanner:/"
                            + StoreUrl.parse(url).place())
                    : List.of();
            return Inventory.of(store.toString(), "", counters, broken, unread);
        }
    }

    private List<InspectionFinding> mended(Diagnosis diagnosis) {
        List<InspectionFinding> done = new ArrayList<>(diagnosis.raising());
        List<Remedy> raises =
                done.stream().flatMap(finding -> finding.remedy().stream()).toList();
        examination(storeOption.url()).mend(raises).forEach((remedy, why) -> {
            done.removeIf(finding -> finding.remedy().equals(Optional.of(remedy)));
            String line = OneLine.message(StoreUrl.scrub(storeOption.url(), why));
            spec.commandLine().getErr().println("seriatim: " + line);
        });
        return done;
    }

    private void print(Diagnosis diagnosis, Document report, List<InspectionFinding> mended, boolean fails) {
        PrintWriter out = spec.commandLine().getOut();
        if (dryRun) {
            DoctorReport.printStatements(diagnosis, out);
        } else if (format == OutputFormat.JSON) {
            out.println(report.json());
        } else {
            mended.forEach(finding -> out.println("raised " + OneLine.of(finding.subject()) + ": "
                    + OneLine.of(finding.remedy().orElseThrow().text())));
            if (mend) {
                out.println(mended.isEmpty() ? "raised nothing" : "");
            }
            report.print(out);
            return;
        }
        out.flush();
        if (fails) {
            String place = OneLine.of(place(diagnosis.inventory()));
            spec.commandLine().getErr().println("seriatim: " + place + " has " + DoctorReport.outcome(diagnosis));
        }
    }

    private static String place(Inventory inventory) {
        return inventory.database().isEmpty() ? inventory.product() : inventory.database();
    }
}
