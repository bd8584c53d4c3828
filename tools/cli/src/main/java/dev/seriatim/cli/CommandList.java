// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.cli.auditing.AuditCommand;
import dev.seriatim.cli.draw.NextCommand;
import dev.seriatim.cli.terminal.WholeNumber;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;

/**
 * The commands: those for daily use, and those of each {@link CommandProvider} on the class path. Loads only the requested
 * command unless all are needed, as for the help; this saves a fifth of the start-up time.
 */
final class CommandList {

    /** Commands of other jars, and the jar of each, for the message if that is missing. */
    private static final Map<String, String> IN_OTHER_JARS =
            Map.of("advise", "bench", "bench", "bench", "doctor", "doctor", "verify", "verify");

    private CommandList() {}

    /** Adds the commands for daily use that are wanted, in the order of the help. No map: lambdas would load them all. */
    private static void addDaily(Subcommands to) {
        if (to.want("create")) to.add(new CreateCommand());
        if (to.want("next")) to.add(new NextCommand());
        if (to.want("list")) to.add(new ListCommand());
        if (to.want("show")) to.add(new ShowCommand());
        if (to.want("alter")) to.add(new AlterCommand());
        if (to.want("restart")) to.add(new RestartCommand());
        if (to.want("raise")) to.add(new RaiseCommand());
        if (to.want("drop")) to.add(new DropCommand());
        if (to.want("sync")) to.add(new SyncCommand());
        if (to.want("audit")) to.add(new AuditCommand());
        if (to.want("install")) to.add(new InstallCommand());
        if (to.want("completion")) to.add(new CompletionCommand());
    }

    /** The subcommands of a command line: a single one, or all. */
    private static final class Subcommands {
        private final CommandLine commandLine;
        private final @Nullable String only;
        private String name = "";

        Subcommands(CommandLine commandLine, @Nullable String only) {
            this.commandLine = commandLine;
            this.only = only;
        }

        /** Returns whether a command of this name is wanted; if so, it is the next to add. */
        boolean want(String next) {
            name = next;
            return only == null || only.equals(next);
        }

        void add(Object command) {
            commandLine.addSubcommand(name, command);
        }
    }

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
        String[] rest = Arrays.copyOfRange(args, 1, args.length + 1);
        rest[args.length - 1] = "--help";
        return rest;
    }

    /** Adds the requested command; all commands if there is none of that name. */
    private static void add(CommandLine commandLine, String wanted) {
        addDaily(new Subcommands(commandLine, wanted));
        if (!commandLine.getSubcommands().isEmpty()) {
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
        addDaily(new Subcommands(commandLine, null));
        others.forEach(
                provider -> provider.names().forEach(name -> commandLine.addSubcommand(name, provider.command(name))));
    }

    /** Returns what is missing on the class path for the requested command; empty if nothing is, or it is unknown. */
    static Optional<String> missing(CommandLine commandLine, String[] args) {
        String wanted = firstWord(withoutHelpWord(args));
        String jar = IN_OTHER_JARS.get(wanted);
        return jar != null && !commandLine.getSubcommands().containsKey(wanted)
                ? Optional.of("'" + wanted + "' needs seriatim-" + jar + ".jar, which is not on the class path;"
                        + " add the jars of tools/target/lib")
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
