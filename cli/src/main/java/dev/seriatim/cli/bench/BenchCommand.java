// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.bench;

import dev.seriatim.OpenStore;
import dev.seriatim.cli.OutputFormat;
import dev.seriatim.cli.StoreOption;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Measures what the modes reach on a store, and checks the numbers while at it. Ends with 0, with 1 when nothing could be
 * measured in a run, with 3 when a check failed. Not thread-safe.
 */
@Command(
        name = "bench",
        description = {
            "Measures how fast the modes draw numbers on this store, and checks that they keep their promises.",
            "It draws from sequences of its own, which it drops at the end."
        },
        footer = {
            "",
            "Examples: seriatim bench --mode ASYNC_BATCH,ADAPTIVE --threads 50",
            "          seriatim bench --mode ADAPTIVE,ATOMIC_LONG --rate 4000/s --duration 5s",
            "          seriatim bench --mode SYNC,GROUPED --threads 32 --insert-rows --app-latency 0ms",
            "",
            "Exit code 3: a check found duplicates, order violations or gaps."
        })
public final class BenchCommand implements Callable<Integer> {

    private final StopSignal stop;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli's to set
    private CommandSpec spec;

    @Mixin
    private final StoreOption storeOption = new StoreOption();

    @Mixin
    private final WorkloadOptions workload = new WorkloadOptions();

    @Option(names = "--format", description = "One of: ${COMPLETION-CANDIDATES}. Default: text.")
    private OutputFormat format = OutputFormat.TEXT;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the figures to a file as well, as JSON.")
    private @Nullable Path json;

    /** For the command line. */
    public BenchCommand() {
        this(new StopSignal());
    }

    BenchCommand(StopSignal stop) {
        this.stop = stop;
    }

    @Override
    @SuppressWarnings("try") // the interruption is there to be closed
    public Integer call() {
        List<RunPlan> plans = workload.plans();
        Report report = report();
        try (Interruption interruption = new Interruption(stop);
                OpenStore store = storeOption.open()) {
            PrintWriter err = spec.commandLine().getErr();
            return new Session(new Laboratory(store, stop, workload.insertRows()), stop, report, err).run(plans);
        }
    }

    private Report report() {
        PrintWriter out = spec.commandLine().getOut();
        List<Report> reports = new ArrayList<>();
        reports.add(
                format == OutputFormat.JSON
                        ? new JsonReport(text -> {
                            out.println(text);
                            out.flush();
                        })
                        : new TextReport(out));
        if (json != null) {
            reports.add(new JsonReport(new JsonFile(json)::write));
        }
        return Report.all(reports);
    }
}
