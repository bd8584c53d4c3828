// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import dev.seriatim.SequenceException.Unavailable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A process that is stopped. It goes on when this is closed, or when this JVM ends, even by {@code kill -9}: else it would stay
 * forever, with its locks in the database.
 */
final class Standstill implements AutoCloseable {

    // It hears of the JVM's end by the end of its input.
    private static final String SCRIPT =
            "trap '' INT HUP TERM; kill -s STOP \"$1\"; echo; cat >/dev/null; kill -s CONT \"$1\"";

    private final Process shell;

    private Standstill(Process shell) {
        this.shell = shell;
    }

    /**
     * Stops a process, if it runs still.
     *
     * @throws Unavailable if the system cannot do that
     */
    static Standstill of(ProcessHandle process) {
        ProcessSignal.missing().ifPresent(reason -> {
            throw new Unavailable(reason, null);
        });
        List<String> command = OwnSession.of(List.of("/bin/sh", "-c", SCRIPT, "sh", Long.toString(process.pid())));
        try {
            Process shell = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            Standstill standstill = new Standstill(shell);
            shell.getInputStream().read(); // it stands still
            return standstill;
        } catch (IOException e) {
            throw new Unavailable("cannot stop a process (" + e.getMessage() + ")", e);
        }
    }

    /** Waits. */
    void last(Duration time) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(time.toNanos());
    }

    /** Lets it go on. */
    @Override
    public void close() {
        try {
            shell.getOutputStream().close();
        } catch (IOException e) {
            // it has ended, which lets the process go on, too
        }
        shell.onExit().join();
    }
}
