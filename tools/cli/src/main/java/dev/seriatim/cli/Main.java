// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.cli.terminal.ExitCode;
import java.io.ByteArrayInputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.logging.LogManager;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.NOPLogger;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;
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
            System.setProperty("java.util.logging.config.class", "dev.seriatim.cli.Main$OwnLogs");
        }
        if (System.getProperty("slf4j.provider") == null) {
            System.setProperty("slf4j.provider", "dev.seriatim.cli.Main$SilentLogs");
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

    /**
     * Configures Java's logging to show Seriatim's own warnings only. Standard error is for the command's messages, and the
     * exceptions of a database's client say the same as its logs. Set by a system property, so it costs nothing until
     * something logs.
     */
    public static final class OwnLogs {

        private static final String CONFIGURATION = """
                handlers = java.util.logging.ConsoleHandler
                .level = OFF
                dev.seriatim.level = WARNING
                """;

        /**
         * Called by the log manager.
         *
         * @throws IOException never, since it reads from memory
         */
        public OwnLogs() throws IOException {
            LogManager.getLogManager()
                    .readConfiguration(new ByteArrayInputStream(CONFIGURATION.getBytes(StandardCharsets.UTF_8)));
        }
    }

    /**
     * An SLF4J provider that discards everything. Couchbase's client complains at length on standard error if it finds
     * SLF4J's own no-operation provider. Set by a system property, too. Thread-safe.
     */
    public static final class SilentLogs implements SLF4JServiceProvider {

        private final IMarkerFactory markers = new BasicMarkerFactory();
        private final MDCAdapter context = new NOPMDCAdapter();

        /** Called by SLF4J. */
        public SilentLogs() {}

        @Override
        public void initialize() {}

        @Override
        public ILoggerFactory getLoggerFactory() {
            return name -> NOPLogger.NOP_LOGGER;
        }

        @Override
        public IMarkerFactory getMarkerFactory() {
            return markers;
        }

        @Override
        public MDCAdapter getMDCAdapter() {
            return context;
        }

        @Override
        public String getRequestedApiVersion() {
            return "2.0";
        }
    }
}
