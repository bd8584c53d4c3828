// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.advise;

import dev.seriatim.bench.load.PerSecond;
import dev.seriatim.bench.simulation.Simulation;
import dev.seriatim.bench.simulation.SimulationPlan;
import dev.seriatim.cli.ToolCommand;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.cli.draw.ModeNames;
import dev.seriatim.cli.option.LengthOfTime;
import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.cli.terminal.OutputFormat;
import dev.seriatim.report.Document;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Recommends a mode, block size and low-water mark, and simulates instances that use them. Opens no store. Not thread-safe. */
@Command(name = "advise", description = """
                Recommends a mode, block size and low-water mark for a rate and a reservation latency.""", footer = """

                The rate is that of one instance. The latency is how long one reservation
                takes; for gapless numbers, how long the caller's whole transaction takes.

                Example: seriatim advise --rate 75/s --instances 40 --latency 2ms \\
                             --guarantee ordered

                --simulate lets the instances draw from one row, in simulated time. Its keys:
                  regions=N      the regions they are spread over; the row is in the first
                  rtt=TIME       the round trip between two regions
                  threads=N      instead of a rate: N threads per instance draw, work, repeat
                  work=TIME      how long they work; in the transaction, if a mode draws there
                  row=TIME       how much of the latency a reservation keeps the row; the
                                 default is all of it, so that nothing overlaps
                  batch=N        values per block, for modes with a block size
                  mark=N         values left when the next block is fetched
                  duration=TIME  the simulated time; the default takes seconds to simulate

                Examples: seriatim advise --rate 500/s --instances 10000 --latency 10ms \\
                              --simulate regions=3,rtt=80ms
                          seriatim advise --latency 10ms --mode COMBINED --simulate threads=50
                          seriatim bench --store 'memory:?latency=10ms&read-latency=1ms' \\
                              --json runs.json
                          seriatim advise --against runs.json""")
public final class AdviseCommand implements ToolCommand {

    private static final long USUAL_SEED = 1;

    /** The options that {@code --against} takes from its file. */
    private static final List<String> OF_THE_FILE =
            List.of("--rate", "--instances", "--latency", "--read-latency", "--guarantee", "--simulate", "--mode");

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli's to set
    private CommandSpec spec;

    @Option(names = "--rate", converter = PerSecond.class, paramLabel = "N/s", description = "Values per second.")
    private @Nullable BigDecimal rate;

    @Option(names = "--instances", paramLabel = "N", description = "Instances, each at the rate. Default: 1.")
    private int instances = 1;

    @Option(names = "--latency", converter = LengthOfTime.class, paramLabel = "D", description = """
                    The duration of a reservation or transaction: a whole number and ns, us, ms, s, m or h, such as 10ms.""")
    private @Nullable Duration latency;

    @Option(names = "--read-latency", converter = LengthOfTime.class, paramLabel = "D", description = """
                    The duration of a read of the counter, for ordered numbers. Default: that of --latency, so that \
                    nothing is promised that was not measured.""")
    private @Nullable Duration readLatency;

    @Option(names = "--guarantee", paramLabel = "GUARANTEE", description = """
                    The guarantee: ${COMPLETION-CANDIDATES}. Default: unique.""")
    private @Nullable Guarantee guarantee;

    @Option(names = "--simulate", arity = "0..1", fallbackValue = "regions=1", paramLabel = "KEYS", description = """
                    Simulate the instances.""")
    private @Nullable String simulate;

    @Option(names = "--mode", paramLabel = "MODE", completionCandidates = SimulatedModes.class, description = """
                    The mode to simulate: ${COMPLETION-CANDIDATES}. Default: the recommended one.""")
    private @Nullable String mode;

    @Option(names = "--seed", paramLabel = "N", description = "Seed of the simulation's random numbers. Default: 1.")
    private @Nullable Long seed;

    @Option(names = "--against", paramLabel = "FILE", description = """
                    Simulate the runs that 'bench --json FILE' measured, and print the error.""")
    private @Nullable Path against;

    @Option(names = "--format", paramLabel = "FORMAT", description = OutputFormat.CHOICES)
    private OutputFormat format = OutputFormat.TEXT;

    // Every command accepts it, so that scripts can always pass it; this one ignores it.
    @Option(names = "--store", paramLabel = "URL", hidden = true)
    @SuppressWarnings("unused")
    private @Nullable String store;

    @Override
    public Integer call() {
        Document document = new Document("advise", "");
        try {
            if (against == null) {
                advise(document);
            } else {
                refuse(
                        OF_THE_FILE.stream().anyMatch(spec.commandLine().getParseResult()::hasMatchedOption),
                        "--against takes its settings from the file; leave out " + String.join(", ", OF_THE_FILE));
                SimulationCheck.of(against, seed()).write(document);
            }
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
        }
        document.print(format, spec.commandLine().getOut());
        return 0;
    }

    private void advise(Document document) {
        SimulationKeys keys = simulate == null ? null : SimulationKeys.parse(simulate);
        refuse(
                keys == null && (mode != null || seed != null),
                (mode != null ? "--mode" : "--seed") + " requires --simulate; add it");
        refuse(instances < 1 || instances > 100_000, "--instances must be from 1 to 100000, not " + instances);
        refuse(rate != null && keys != null && keys.hasThreads(), "threads= replaces --rate; leave one out");
        refuse(mode != null && guarantee != null, "--mode and --guarantee exclude each other; leave one of them out");
        refuse(
                rate == null && (keys == null || !keys.hasThreads()),
                "missing option --rate; add it, such as --rate 500/s"
                        + (keys == null ? "" : ", or threads= to --simulate"));
        if (latency == null) {
            throw new IllegalArgumentException("missing option --latency; add it, such as --latency 10ms");
        }
        refuse(
                rate == null && (mode == null || guarantee != null),
                "without --rate no mode is recommended; name one, such as --mode COMBINED, and leave out --guarantee");
        Duration read = readLatency == null ? latency : readLatency;
        refuse(latency.isZero() || read.isZero(), "--latency and --read-latency must be above 0");
        SimulationPlan.Blocks blocks = null;
        DrawMode advised = null;
        double perSecond = 0;
        if (rate != null) {
            Guarantee wanted = guarantee == null ? Guarantee.UNIQUE : guarantee;
            // A transaction that draws holds the row also while it waits for another region.
            Duration trip = wanted == Guarantee.GAPLESS && keys != null ? keys.roundTrip() : Duration.ZERO;
            ExpectedLoad load = new ExpectedLoad(rate, instances, latency.plus(trip), readLatency);
            Advice advice = wanted.advise(load);
            advice.write(load, wanted, document);
            blocks = load.blocks();
            advised = advice.mode();
            perSecond = rate.doubleValue();
        }
        if (keys != null) {
            SimulationPlan plan = keys.plan(simulated(advised), instances, perSecond, latency, read, blocks, seed());
            new SimulationReport(plan, Simulation.of(plan)).write(document);
        }
    }

    private DrawMode simulated(@Nullable DrawMode advised) {
        if (mode == null) {
            DrawMode simulated = Objects.requireNonNull(advised);
            refuse(
                    !SimulationPlan.knows(simulated),
                    "the recommended mode " + simulated + " cannot be simulated; name another, --mode "
                            + ModeNames.or(SimulationPlan::knows) + ", and leave out --guarantee");
            return simulated;
        }
        String typed = mode;
        return DrawMode.named(typed.strip().toUpperCase(Locale.ROOT))
                .filter(SimulationPlan::knows)
                .orElseThrow(() -> new IllegalArgumentException("--mode is one of "
                        + String.join(", ", new SimulatedModes()) + ", not " + OneLine.quoted(typed)));
    }

    private long seed() {
        return seed == null ? USUAL_SEED : seed;
    }

    static void refuse(boolean wrong, String what) {
        if (wrong) {
            throw new IllegalArgumentException(what);
        }
    }

    /** The names of modes that can be simulated, for help and messages. Stateless. */
    private static final class SimulatedModes implements Iterable<String> {

        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(DrawMode.values())
                    .filter(SimulationPlan::knows)
                    .map(DrawMode::name)
                    .iterator();
        }
    }
}
