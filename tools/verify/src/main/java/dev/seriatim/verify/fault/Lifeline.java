// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import java.io.IOException;
import java.util.List;

/**
 * A small process that ends another one's group if this JVM ends before it is cut, even by {@code kill -9}. Thread-safe.
 */
final class Lifeline {

    // It hears of the JVM's end by the end of its input. Ctrl-C and a closed terminal end the JVM, not this.
    private static final String SCRIPT =
            "trap '' INT HUP TERM; cat >/dev/null; kill -s KILL -- \"-$1\" || kill -s KILL \"$1\"";

    private final Process shell;

    private Lifeline(Process shell) {
        this.shell = shell;
    }

    static Lifeline of(Process other) throws IOException {
        List<String> command = OwnSession.of(List.of("sh", "-c", SCRIPT, "sh", Long.toString(other.pid())));
        return new Lifeline(new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start());
    }

    /** Ends it without doing anything to the other process. */
    void cut() {
        // Killed before its input ends, or it would act.
        shell.destroyForcibly().onExit().join();
    }
}
