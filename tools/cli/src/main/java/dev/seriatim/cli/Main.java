// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.cli.terminal.ExitCode;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** The entry point: runs one command line, and exits with its exit code. */
public final class Main {

    private Main() {}

    /** Runs the command line and ends the process. */
    public static void main(String[] args) {
        silenceLogs();
        WatchedOutput written = new WatchedOutput(new FileOutputStream(FileDescriptor.out));
        PrintStream out = new PrintStream(written, false, StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        int code = run(args, out, err, System.getenv());
        System.exit(written.complain(err) ? ExitCode.FAILED : code);
    }

    /** Keeps other messages off standard error, by system properties, which cost nothing unless something logs. */
    static void silenceLogs() {
        if (System.getProperty("java.util.logging.config.file") == null) {
            System.setProperty("java.util.logging.config.class", "dev.seriatim.cli.OwnLogs");
        }
        if (System.getProperty("slf4j.provider") == null) {
            System.setProperty("slf4j.provider", "dev.seriatim.cli.SilentLogs");
            System.setProperty("slf4j.internal.verbosity", "ERROR"); // else SLF4J reports the property
        }
    }

    /**
     * Runs one command line inside this process.
     *
     * @param env the environment variables
     * @return the exit code: 0 done, 1 refused or failed, 2 wrong usage
     */
    static int run(String[] args, PrintStream out, PrintStream err, Map<String, String> env) {
        SeriatimCommand root = new SeriatimCommand(env);
        CommandLine commandLine = CommandList.under(root, args, out, err);
        try {
            Optional<String> missing = CommandList.missing(commandLine, args);
            if (missing.isPresent()) {
                ParameterException wrong = new ParameterException(commandLine, missing.get());
                return new UsageLine(root, TypedUrls.of(args, env)).handleParseException(wrong, args);
            }
            return commandLine.execute(CommandList.withoutHelpWord(args));
        } catch (Error e) { // such as a native library that does not load; picocli does not catch these
            return new FailureLine(root, TypedUrls.of(args, env)).report(e, commandLine);
        } finally {
            commandLine.getOut().flush();
            out.flush();
        }
    }
}
