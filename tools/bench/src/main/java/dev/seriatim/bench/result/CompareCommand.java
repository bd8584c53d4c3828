// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import dev.seriatim.cli.terminal.OutputFormat;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Compares two measurements, run by run. Not thread-safe. */
@Command(
        name = "compare",
        description = {
            "Compares two files that 'bench --json' wrote, run by run: numbers per second, and p99 latency.",
            "Ratios are the second divided by the first."
        },
        footer = {"", "Example: seriatim bench compare before.json after.json"})
public final class CompareCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli's to set
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "A.json", description = "The first measurement.")
    @SuppressWarnings("NullAway.Init") // picocli's to set
    private Path first;

    @Parameters(index = "1", paramLabel = "B.json", description = "The second measurement.")
    @SuppressWarnings("NullAway.Init") // picocli's to set
    private Path second;

    @Option(names = "--format", description = "One of: ${COMPLETION-CANDIDATES}. Default: text.")
    private OutputFormat format = OutputFormat.TEXT;

    /** Creates the command. */
    public CompareCommand() {}

    @Override
    public Integer call() {
        Comparison comparison = Comparison.of(MeasurementsFile.read(first), MeasurementsFile.read(second));
        PrintWriter out = spec.commandLine().getOut();
        if (format == OutputFormat.JSON) {
            out.println(ComparisonJson.write(comparison));
        } else {
            new ComparisonText(first.toString(), second.toString(), out).print(comparison);
        }
        out.flush();
        return 0;
    }
}
