// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.advise;

import dev.seriatim.StoreUrl;
import dev.seriatim.cli.OneLine;
import dev.seriatim.cli.OutputFormat;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Says which mode, block size and low-water mark suit a rate and a latency. Asks no store. Not thread-safe. */
@Command(
        name = "advise",
        description = "Says which mode, block size and low-water mark suit a rate and a reservation latency.",
        footer = {
            "",
            "The rate is that of one instance. The latency is how long one reservation",
            "takes; for gapless numbers, how long the caller's whole transaction takes.",
            "",
            "Example: seriatim advise --rate 500/s --latency 10ms --guarantee ordered"
        })
public final class AdviseCommand implements Callable<Integer> {

    private static final Pattern RATE = Pattern.compile("(\\d{1,10}(?:\\.\\d{1,9})?)(?:/s)?");
    private static final BigDecimal MAX_RATE = BigDecimal.valueOf(1_000_000_000);
    private static final Duration MAX_LATENCY = Duration.ofHours(1);

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli's to set
    private CommandSpec spec;

    @Option(names = "--rate", paramLabel = "N/s", required = true, description = "Values drawn per second.")
    private String rate = "";

    @Option(
            names = "--latency",
            paramLabel = "D",
            required = true,
            description = "A whole number and ns, us, ms, s, m or h, such as 10ms.")
    private String latency = "";

    @Option(names = "--guarantee", description = "What the numbers must be: ${COMPLETION-CANDIDATES}. Default: unique.")
    private Guarantee guarantee = Guarantee.UNIQUE;

    @Option(names = "--format", description = "One of: ${COMPLETION-CANDIDATES}. Default: text.")
    private OutputFormat format = OutputFormat.TEXT;

    // Every command takes it, so that scripts can pass it always; this one has no use for it.
    @Option(names = "--store", paramLabel = "URL", hidden = true)
    @SuppressWarnings("unused")
    private @Nullable String store;

    @Override
    public Integer call() {
        Load load = new Load(rate(), latency());
        Advice advice = guarantee.advise(load);
        if (format == OutputFormat.JSON) {
            AdviceReport.json(load, guarantee, advice, spec.commandLine().getOut());
        } else {
            AdviceReport.text(load, advice, spec.commandLine().getOut());
        }
        return 0;
    }

    private BigDecimal rate() {
        Matcher parts = RATE.matcher(rate);
        if (!parts.matches()) {
            throw usage("--rate is values per second such as 500/s, not " + OneLine.quoted(rate));
        }
        BigDecimal perSecond = new BigDecimal(parts.group(1));
        if (perSecond.signum() == 0 || perSecond.compareTo(MAX_RATE) > 0) {
            throw usage("--rate must be above 0 and at most " + MAX_RATE + "/s, not " + rate);
        }
        return perSecond;
    }

    private Duration latency() {
        Duration parsed = StoreUrl.parseDuration(latency)
                .orElseThrow(() -> usage("--latency is a whole number and a unit such as 10ms or 500us, not "
                        + OneLine.quoted(latency)));
        if (parsed.isZero() || parsed.compareTo(MAX_LATENCY) > 0) {
            throw usage("--latency must be above 0 and at most 1h, not " + latency);
        }
        return parsed;
    }

    private ParameterException usage(String what) {
        return new ParameterException(spec.commandLine(), what);
    }
}
