// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.cli.terminal.ExitCode;
import dev.seriatim.cli.terminal.WholeNumber;
import java.io.ByteArrayInputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.logging.LogManager;
import org.slf4j.ILoggerFactory;
import org.slf4j.helpers.NOPLogger;
import org.slf4j.helpers.NOP_FallbackServiceProvider;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ParseResult;

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
        System.exit(written.complain(err, command(args).equals("next")) ? ExitCode.FAILED : code);
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

    /** Runs one command line inside this process, and returns the exit code: 0 done, 1 refused or failed, 2 wrong usage. */
    static int run(String[] args, PrintStream out, PrintStream err, Map<String, String> env) {
        String[] words = withoutHelpWord(args);
        String name = command(words);
        SeriatimCommand root = new SeriatimCommand(env);
        ErrorLine errors = new ErrorLine(root, args);
        CommandLine commandLine = CommandList.under(root, name)
                .setOut(new PrintWriter(out, false, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(err, true, StandardCharsets.UTF_8))
                .setColorScheme(Help.defaultColorScheme(Ansi.OFF))
                .setExpandAtFiles(false) // a sequence may be called '@orders'
                .setCaseInsensitiveEnumValuesAllowed(true)
                .registerConverter(Integer.class, WholeNumber::small)
                .registerConverter(Integer.TYPE, WholeNumber::small)
                .registerConverter(Long.class, new WholeNumber())
                .registerConverter(Long.TYPE, new WholeNumber())
                .setExecutionStrategy(Main::withoutRepetition)
                .setParameterExceptionHandler(errors)
                .setExecutionExceptionHandler(errors);
        try {
            boolean unknown =
                    !name.isEmpty() && commandLine.getSubcommands().get(name) == null && !name.startsWith("-");
            return commandLine.execute(unknown ? new String[] {name} : words); // even --help does not make it known
        } catch (Error e) { // such as a native library that does not load; picocli does not catch these
            return errors.report(e, commandLine);
        } finally {
            commandLine.getOut().flush();
            out.flush();
        }
    }

    /** Refuses a list that names a value or a key twice, before the command runs. */
    private static int withoutRepetition(ParseResult parsed) {
        for (ParseResult command = parsed; command != null; command = command.subcommand()) {
            for (var option : command.matchedOptions()) {
                String typed = String.join(",", option.originalStringValues());
                String[] names =
                        typed.toUpperCase(Locale.ROOT).replaceAll("=[^,]*", "").split(",", -1);
                if (!option.splitRegex().isEmpty()
                        && Arrays.stream(names).distinct().count() < names.length) {
                    throw new CommandLine.ParameterException(
                            command.commandSpec().commandLine(),
                            option.longestName() + " " + typed + " repeats a value");
                }
            }
        }
        return new CommandLine.RunLast().execute(parsed);
    }

    /** {@code help next} means {@code next --help}. */
    private static String[] withoutHelpWord(String[] args) {
        if (args.length == 0 || !args[0].equals("help")) {
            return args;
        }
        String[] rest = Arrays.copyOfRange(args, 1, args.length + 1);
        rest[args.length - 1] = "--help";
        return rest;
    }

    /** Returns the first word that is not an option. */
    private static String command(String[] args) {
        for (int i = 0; i < args.length; i++) {
            String arg = args[i];
            if (arg.equals("--store")) {
                i++;
            } else if (!arg.startsWith("--store=") && !arg.equals("--verbose")) {
                return arg;
            }
        }
        return "";
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

        /** Called by the log manager. */
        public OwnLogs() throws IOException {
            LogManager.getLogManager()
                    .readConfiguration(new ByteArrayInputStream(CONFIGURATION.getBytes(StandardCharsets.UTF_8)));
        }
    }

    /**
     * An SLF4J provider that discards everything. Couchbase's client complains at length on standard error if it finds
     * SLF4J's own no-operation provider. Set by a system property, too. Thread-safe.
     */
    public static final class SilentLogs extends NOP_FallbackServiceProvider {

        @Override
        public ILoggerFactory getLoggerFactory() {
            return name -> NOPLogger.NOP_LOGGER;
        }
    }
}
