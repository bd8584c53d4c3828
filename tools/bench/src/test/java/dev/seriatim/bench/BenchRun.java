// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench;

import dev.seriatim.cli.TypedCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** Calls of the command, in this process. */
final class BenchRun {

    private BenchRun() {}

    static TypedCommand on(String url, String... options) {
        return on(new AtomicBoolean(), url, options);
    }

    static TypedCommand on(AtomicBoolean stop, String url, String... options) {
        List<String> args = new ArrayList<>(List.of("--store", url));
        args.addAll(List.of(options));
        return TypedCommand.of(new BenchCommand(stop), args);
    }

    static TypedCommand typed(List<String> args) {
        return TypedCommand.of(new BenchCommand(new AtomicBoolean()), args);
    }
}
