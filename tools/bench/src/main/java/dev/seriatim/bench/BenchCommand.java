// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.bench.load.ScratchSequence;
import dev.seriatim.bench.load.Site;
import dev.seriatim.bench.result.BenchDocument;
import dev.seriatim.bench.result.CompareCommand;
import dev.seriatim.bench.result.CsvReport;
import dev.seriatim.bench.result.Measurements;
import dev.seriatim.bench.result.MeasurementsJson;
import dev.seriatim.bench.run.PlanRunner;
import dev.seriatim.bench.run.Session;
import dev.seriatim.bench.run.TextReport;
import dev.seriatim.bench.run.WorkloadOptions;
import dev.seriatim.cli.ToolCommand;
import dev.seriatim.cli.option.Interruption;
import dev.seriatim.cli.option.OutputFile;
import dev.seriatim.cli.option.ShownCommand;
import dev.seriatim.cli.option.StoreOption;
import dev.seriatim.cli.terminal.OutputFormat;
import dev.seriatim.report.Document;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Measures the throughput of the modes on a store, and checks the numbers that they draw. The exit code is 1 if a run could
 * not be measured, and 3 if a check failed. Not thread-safe.
 */
@Command(name = "bench", abbreviateSynopsis = true, subcommands = CompareCommand.class, description = """
                Measures how fast the modes draw numbers on this store, and checks that they keep their promises.
                Creates temporary sequences, and drops them at the end.""", footer = """

                Examples: seriatim bench --mode ASYNC_BATCH,ADAPTIVE --threads 50
                          seriatim bench --mode ADAPTIVE,ATOMIC_LONG --rate 4000/s --duration 5s
                          seriatim bench --mode SYNC,GROUPED --insert-rows --app-latency 0ms
                          seriatim bench --scenario mariadb --html report.html --json after.json
                          seriatim bench compare before.json after.json

                Exit code 3: a check found duplicates, order violations or gaps.""")
public final class BenchCommand implements ToolCommand {

    private final AtomicBoolean stop;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli's to set
    private CommandSpec spec;

    @Mixin
    private final StoreOption storeOption = new StoreOption();

    @Mixin
    private final WorkloadOptions workload = new WorkloadOptions();

    @Option(names = "--format", paramLabel = "FORMAT", description = OutputFormat.CHOICES)
    private OutputFormat format = OutputFormat.TEXT;

    @Option(names = "--json", paramLabel = "FILE", description = "The figures, JSON.")
    private @Nullable Path json;

    @Option(names = "--csv", paramLabel = "FILE", description = "The figures, CSV.")
    private @Nullable Path csv;

    @Option(names = "--html", paramLabel = "FILE", description = "Report with plots.")
    private @Nullable Path html;

    @Option(names = "--svg", paramLabel = "FILE", description = "The main chart.")
    private @Nullable Path svg;

    public BenchCommand() {
        this(new AtomicBoolean());
    }

    BenchCommand(AtomicBoolean stop) {
        this.stop = stop;
    }

    @Override
    @SuppressWarnings("try") // closing the interruption is its only use
    public Integer call() {
        workload.check();
        if (workload.ofFeeds() && (csv != null || svg != null)) {
            throw new ParameterException(spec.commandLine(), "--scenario feeds has --json and --html only");
        }
        OutputFile jsonFile = new OutputFile("--json", json);
        OutputFile csvFile = new OutputFile("--csv", csv);
        OutputFile htmlFile = new OutputFile("--html", html);
        OutputFile svgFile = new OutputFile("--svg", svg);
        OutputFile.distinct(null, jsonFile, csvFile, htmlFile, svgFile);
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        boolean isText = format == OutputFormat.TEXT;
        try (Interruption interruption = new Interruption(stop, ScratchSequence.PREFIX);
                Site site = Site.open(storeOption.url(), workload.mostClients())) {
            if (site.clients() < workload.mostClients()) {
                err.println("seriatim: up to " + workload.mostClients() + " clients share " + site.clients()
                        + " connections, the maximum that the server or the URL allows");
            }
            String command = ShownCommand.of(spec.commandLine(), List.of(storeOption.url()));
            if (workload.ofFeeds()) {
                Document document = workload.feeds(site, command, stop).run();
                document.print(format, out);
                jsonFile.write(() -> document.json() + "\n");
                htmlFile.write(document::html);
                return 0;
            }
            Session session = new Session(
                    new PlanRunner(site, stop),
                    stop,
                    new TextReport(isText ? out : new PrintWriter(Writer.nullWriter())),
                    err,
                    command);
            int code = session.run(workload.comparisons());
            Measurements measured = session.measurements();
            if (!isText) {
                out.println(MeasurementsJson.write(measured));
            }
            out.flush();
            jsonFile.write(() -> MeasurementsJson.write(measured) + "\n");
            csvFile.write(() -> CsvReport.of(measured));
            htmlFile.write(() -> BenchDocument.html(measured));
            svgFile.write(() -> BenchDocument.svg(measured).orElseThrow(() -> new Misconfigured("""
                    --svg: these runs have no chart; leave it out""")));
            return code;
        }
    }
}
