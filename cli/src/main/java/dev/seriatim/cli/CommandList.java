// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.cli.audit.AuditCommand;
import dev.seriatim.cli.draw.NextCommand;
import dev.seriatim.cli.terminal.WholeNumber;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;

/**
 * The commands: those for daily use, and those of each {@link CommandProvider} on the class path. Loads only the requested
 * command unless all are needed, as for the help; this saves a fifth of the start-up time.
 */
final class CommandList {

    private static final Map<String, Supplier<Object>> DAILY = new LinkedHashMap<>(); // in the order of the help

    static {
        DAILY.put("create", CreateCommand::new);
        DAILY.put("next", NextCommand::new);
        DAILY.put("list", ListCommand::new);
        DAILY.put("show", ShowCommand::new);
        DAILY.put("alter", AlterCommand::new);
        DAILY.put("restart", RestartCommand::new);
        DAILY.put("raise", RaiseCommand::new);
        DAILY.put("drop", DropCommand::new);
        DAILY.put("sync", SyncCommand::new);
        DAILY.put("audit", AuditCommand::new);
        DAILY.put("install", InstallCommand::new);
        DAILY.put("completion", CompletionCommand::new);
    }

    /** The laboratory's commands, for the message if its jar is missing. */
    private static final List<String> OF_THE_LABORATORY = List.of("advise", "bench");

    private CommandList() {}

    /** Returns the root command with all commands. */
    static CommandLine all(SeriatimCommand root) {
        CommandLine commandLine = new CommandLine(root);
        addAll(commandLine, others());
        return commandLine;
    }

    /** Returns the root command with what the arguments need. */
    static CommandLine under(SeriatimCommand root, String[] args, PrintStream out, PrintStream err) {
        CommandLine commandLine = new CommandLine(root);
        add(commandLine, firstWord(withoutHelpWord(args)));
        TypedUrls urls = TypedUrls.of(args, root.env());
        return commandLine
                .setOut(new PrintWriter(out, false, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(err, true, StandardCharsets.UTF_8))
                .setColorScheme(Help.defaultColorScheme(Ansi.OFF))
                .setExpandAtFiles(false) // a sequence may be called '@orders'
                .setCaseInsensitiveEnumValuesAllowed(true)
                .registerConverter(Long.class, new WholeNumber())
                .registerConverter(Long.TYPE, new WholeNumber())
                .setParameterExceptionHandler(new UsageLine(root, urls))
                .setExecutionExceptionHandler(new FailureLine(root, urls));
    }

    /** {@code help next} means {@code next --help}. */
    static String[] withoutHelpWord(String[] args) {
        if (args.length == 0 || !args[0].equals("help")) {
            return args;
        }
        return args.length == 1 ? new String[] {"--help"} : new String[] {args[1], "--help"};
    }

    /** Adds the requested command; all commands if there is none of that name. */
    private static void add(CommandLine commandLine, String wanted) {
        Supplier<Object> daily = DAILY.get(wanted);
        if (daily != null) {
            commandLine.addSubcommand(wanted, daily.get());
            return;
        }
        List<CommandProvider> others = others();
        for (CommandProvider provider : others) {
            if (provider.names().contains(wanted)) {
                commandLine.addSubcommand(wanted, provider.command(wanted));
                return;
            }
        }
        addAll(commandLine, others);
    }

    private static List<CommandProvider> others() {
        return ServiceLoader.load(CommandProvider.class, CommandList.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
    }

    private static void addAll(CommandLine commandLine, List<CommandProvider> others) {
        DAILY.forEach((name, command) -> commandLine.addSubcommand(name, command.get()));
        others.forEach(
                provider -> provider.names().forEach(name -> commandLine.addSubcommand(name, provider.command(name))));
    }

    /** Returns what is missing on the class path for the requested command; empty if nothing is, or it is unknown. */
    static Optional<String> missing(CommandLine commandLine, String[] args) {
        String wanted = firstWord(withoutHelpWord(args));
        return OF_THE_LABORATORY.contains(wanted)
                        && !commandLine.getSubcommands().containsKey(wanted)
                ? Optional.of("'" + wanted
                        + "' needs the laboratory, which is not on the class path; add seriatim-lab.jar and"
                        + " the jars beside it, from lab/target/dist/lib")
                : Optional.empty();
    }

    /** Returns the first word that is not an option. */
    private static String firstWord(String[] args) {
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
}
