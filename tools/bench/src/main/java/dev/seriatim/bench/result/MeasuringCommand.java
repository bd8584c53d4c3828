// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import dev.seriatim.cli.draw.DrawMode;
import java.math.BigDecimal;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The command that measures further modes with the settings of a run. */
final class MeasuringCommand {

    /** Returns an option of a command, with its value quoted for a shell. */
    private static final Pattern STORE = Pattern.compile("--store[= ](?:'(?:[^']++|'\\\\'')*+'|\\S+)");

    private MeasuringCommand() {}

    /** Returns the command with the store, threads and work of the run, without output files. */
    static String of(Measurements measurements, Experiment experiment, List<DrawMode> modes) {
        Figures like = experiment.runs().get(0);
        StringBuilder command = new StringBuilder("seriatim bench");
        Matcher store = STORE.matcher(measurements.command());
        if (store.find()) {
            command.append(' ').append(store.group());
        }
        command.append(" --mode ").append(modes.stream().map(DrawMode::name).collect(Collectors.joining(",")));
        command.append(" --threads ").append(like.threads());
        Double rate = like.arrivalsPerSecond();
        if (rate != null) {
            command.append(" --rate ").append(plain(rate)).append("/s");
        } else if (like.appLatencyMs() != 10) { // the option's default
            command.append(" --app-latency ").append(micros(like.appLatencyMs()));
        }
        return command.append(like.rowsPerTransaction() > 0 ? " --insert-rows" : "")
                .toString();
    }

    private static String micros(double millis) {
        return millis == Math.rint(millis) ? plain(millis) + "ms" : plain(Math.rint(millis * 1000)) + "us";
    }

    private static String plain(double number) {
        return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
    }
}
