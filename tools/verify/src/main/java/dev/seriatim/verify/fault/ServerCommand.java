// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.cli.terminal.OneLine;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A server that a shell command runs in the foreground, which can be killed, restarted and suspended. It ends with this JVM at
 * the latest, however that ends. Thread-safe.
 */
public final class ServerCommand implements AutoCloseable {

    private static final Duration LONGEST_DEATH = Duration.ofSeconds(30);
    private static final long PAUSE_MILLIS = 20;

    /** After the first answer: a command that starts a server in the background returns when the server is ready. */
    private static final long SETTLING_MILLIS = 500;

    private static final int TAIL = 500;

    /** A start empties a longer file: a server that is killed often writes much. */
    private static final long MOST_OUTPUT = 10_000_000;

    private final String command;
    private final Path output;
    private final BooleanSupplier probe;
    private final Duration patience;

    private @Nullable Running running;

    /** Kills the server if this JVM ends first. */
    private @Nullable Process guard;

    private volatile boolean proven;
    private volatile long outputBegan;
    private volatile boolean outputNamed;

    private record Running(Process shell, ProcessTree tree) {}

    /**
     * @param command for {@code sh -c}; it must not return while the server runs
     * @param output the file for the server's output; deleted on close, unless a message names it
     * @param probe returns whether the server answers now; must itself be bounded; what it throws ends the start
     * @param patience how long the server may take from its start until it answers
     */
    public ServerCommand(String command, Path output, BooleanSupplier probe, Duration patience) {
        this.command = command;
        this.output = output;
        this.probe = probe;
        this.patience = patience;
    }

    /**
     * Starts the server, and returns when it answers. If it runs, kills it first.
     *
     * @throws Misconfigured if a server answers already, or the command does not run one in the foreground
     * @throws Unavailable if the server does not answer in time, or ends; what the command has started is killed
     */
    public void start() throws InterruptedException {
        kill(); // also the rest of a server that ended by itself
        if (probe.getAsBoolean()) {
            throw new Misconfigured(
                    "a server answers at the store URL before --server-command has started one; stop it");
        }
        Running started = launch();
        try {
            awaitAnswer(started);
            if (!proven && started.shell().waitFor(SETTLING_MILLIS, TimeUnit.MILLISECONDS)) {
                throw ended(started.shell().exitValue(), true);
            }
            proven = true;
            remember(started); // the current children, in case their parent ends before them
        } catch (RuntimeException | InterruptedException e) {
            kill();
            ChildProcesses.killSession(started.shell());
            throw e;
        }
    }

    private synchronized void remember(Running started) {
        started.tree().processes();
    }

    private synchronized Running launch() {
        try {
            if (output.toFile().length() > MOST_OUTPUT) {
                Files.write(output, new byte[0]);
            }
            outputBegan = output.toFile().length();
            Process shell = new ProcessBuilder(ChildProcesses.inOwnSession(List.of("sh", "-c", command)))
                    .redirectErrorStream(true)
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
                    .start();
            Running started = new Running(shell, new ProcessTree(shell.toHandle()));
            running = started;
            guard = ChildProcesses.killWithThisJvm(shell);
            return started;
        } catch (IOException e) {
            kill(); // it has no guard
            throw new Unavailable("--server-command cannot be run (" + OneLine.message(e.toString()) + ")", e);
        }
    }

    private void awaitAnswer(Running started) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        boolean answered = false;
        while (!answered) {
            // Remembers the children, so that a server that leaves its parents is killed, too, if this fails.
            remember(started);
            answered = probe.getAsBoolean();
            if (!started.shell().isAlive()) {
                throw ended(started.shell().exitValue(), answered);
            }
            if (!answered && System.nanoTime() > deadline) {
                throw new Unavailable(
                        "the server of --server-command does not answer at the store URL after " + patience.toSeconds()
                                + " s; " + outputEnds(),
                        null);
            }
            if (!answered && started.shell().waitFor(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
                throw ended(started.shell().exitValue(), false);
            }
        }
    }

    private RuntimeException ended(int code, boolean answered) {
        return code == 0 || answered
                ? new Misconfigured("--server-command ended with code " + code
                        + " instead of running the server in the foreground; write a command that does not return, such as postgres -D DIRECTORY"
                        + " and not pg_ctl start; " + outputEnds())
                : new Unavailable(
                        "--server-command ended with code " + code + " before the server answered; " + outputEnds(),
                        null);
    }

    /** Returns the end of the server's output since its last start, in a phrase on one line, with the name of the file. */
    private String outputEnds() {
        outputNamed = true;
        String text = "";
        try (RandomAccessFile file = new RandomAccessFile(output.toFile(), "r")) {
            long from = Math.max(Math.min(outputBegan, file.length()), file.length() - TAIL);
            file.seek(from);
            byte[] bytes = new byte[(int) (file.length() - from)];
            file.readFully(bytes);
            text = new String(bytes, StandardCharsets.UTF_8);
            int firstLineEnd = text.indexOf('\n');
            boolean cut = from > outputBegan && firstLineEnd >= 0 && firstLineEnd < text.length() - 1;
            text = OneLine.message(cut ? text.substring(firstLineEnd + 1) : text);
        } catch (IOException e) {
            // as if it were empty
        }
        return "its output in " + output + (text.isEmpty() ? " is empty" : " ends with: " + text);
    }

    /** Returns whether a process of the command is running, suspended or not. */
    public synchronized boolean isRunning() {
        return running != null && !running.tree().processes().isEmpty();
    }

    /** Kills all processes of the server at once, with {@code kill -9}, and waits; {@link Unavailable} if one does not end. */
    public synchronized void kill() {
        Running now = running;
        if (now == null) {
            return;
        }
        Collection<ProcessHandle> left = now.tree().kill(LONGEST_DEATH);
        if (!left.isEmpty()) {
            throw new Unavailable(
                    "the server's process " + left.iterator().next().pid()
                            + " does not end after kill -9; end it by hand",
                    null);
        }
        if (guard != null) {
            guard.destroyForcibly().onExit().join(); // before its input ends
        }
        running = null;
    }

    /** Suspends all processes of the server; connections stay open, and nothing answers. */
    public synchronized void suspend() {
        if (running != null) {
            running.tree().stop();
        }
    }

    public synchronized void resume() {
        if (running != null) {
            running.tree().resume();
        }
    }

    @Override
    public void close() {
        kill();
        if (!outputNamed) {
            output.toFile().delete();
        }
    }
}
