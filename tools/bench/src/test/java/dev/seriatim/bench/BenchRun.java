// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench;

import dev.seriatim.cli.TypedCommand;
import dev.seriatim.cli.option.StopSignal;
import java.util.ArrayList;
import java.util.List;

/** Calls of the command, in this process. */
final class BenchRun {

    private BenchRun() {}

    static TypedCommand on(String url, String... options) {
        return on(new StopSignal(), url, options);
    }

    static TypedCommand on(StopSignal stop, String url, String... options) {
        List<String> args = new ArrayList<>(List.of("--store", url));
        args.addAll(List.of(options));
        return TypedCommand.of(new BenchCommand(stop), args);
    }

    static TypedCommand typed(List<String> args) {
        return TypedCommand.of(new BenchCommand(new StopSignal()), args);
    }
}
