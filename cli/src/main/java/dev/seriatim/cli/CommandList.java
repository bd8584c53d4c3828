// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.cli.audit.AuditCommand;
import dev.seriatim.cli.draw.NextCommand;
import dev.seriatim.cli.terminal.WholeNumber;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;

/**
 * The commands there are, and how they hang under the root: those for daily use, and those that a {@link CommandProvider} on the
 * class path adds. Only the one that is asked for is loaded, unless the help has to name them all: that takes a fifth off a start.
 */
final class CommandList {

    private static final List<String> NAMES =
            List.of("create", "next", "list", "show", "alter", "restart", "raise", "drop", "sync", "audit", "install");

    /** Those of the laboratory, to say what is missing where its jar is. */
    private static final List<String> OF_THE_LABORATORY = List.of("advise", "bench");

    private CommandList() {}

    private static Object named(String name) {
        return switch (name) {
            case "create" -> new CreateCommand();
            case "next" -> new NextCommand();
            case "list" -> new ListCommand();
            case "show" -> new ShowCommand();
            case "alter" -> new AlterCommand();
            case "restart" -> new RestartCommand();
            case "raise" -> new RaiseCommand();
            case "drop" -> new DropCommand();
            case "sync" -> new SyncCommand();
            case "audit" -> new AuditCommand();
            case "install" -> new InstallCommand();
            default -> throw new IllegalArgumentException("no command " + name);
        };
    }

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

    /** Adds the command that is asked for; all of them where there is none of that name. */
    private static void add(CommandLine commandLine, String wanted) {
        if (NAMES.contains(wanted)) {
            commandLine.addSubcommand(wanted, named(wanted));
            return;
        }
        List<CommandProvider> others =
                ServiceLoader.load(CommandProvider.class, CommandList.class.getClassLoader()).stream()
                        .map(ServiceLoader.Provider::get)
                        .toList();
        for (CommandProvider provider : others) {
            if (provider.names().contains(wanted)) {
                commandLine.addSubcommand(wanted, provider.command(wanted));
                return;
            }
        }
        NAMES.forEach(name -> commandLine.addSubcommand(name, named(name)));
        others.forEach(
                provider -> provider.names().forEach(name -> commandLine.addSubcommand(name, provider.command(name))));
    }

    /** What to add to the class path for the command that is asked for; empty when it is there, or nobody has it. */
    static Optional<String> missing(CommandLine commandLine, String[] args) {
        String wanted = firstWord(withoutHelpWord(args));
        return OF_THE_LABORATORY.contains(wanted)
                        && !commandLine.getSubcommands().containsKey(wanted)
                ? Optional.of("'" + wanted
                        + "' needs the laboratory, which is not on the class path; add seriatim-lab.jar and"
                        + " the jars beside it, from lab/target/dist/lib")
                : Optional.empty();
    }

    /** The first word that is no option. */
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
