// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.cli.advise.AdviseCommand;
import dev.seriatim.cli.audit.AuditCommand;
import dev.seriatim.cli.bench.BenchCommand;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;

/**
 * The commands there are, and how they hang under the root. Of the many only the one that is asked for is loaded, unless
 * the help has to name them all: that takes a fifth off a start.
 */
final class Commands {

    private static final List<String> NAMES = List.of(
            "create", "next", "list", "show", "alter", "restart", "raise", "drop", "sync", "audit", "install", "advise",
            "bench");

    private Commands() {}

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
            case "advise" -> new AdviseCommand();
            case "bench" -> new BenchCommand();
            default -> throw new IllegalArgumentException("no command " + name);
        };
    }

    static CommandLine under(SeriatimCommand root, String[] args, PrintStream out, PrintStream err) {
        CommandLine commandLine = new CommandLine(root);
        String wanted = wanted(withoutHelpWord(args));
        for (String name : NAMES) {
            if (wanted.isEmpty() || wanted.equals(name)) {
                commandLine.addSubcommand(name, named(name));
            }
        }
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

    /** The command in these arguments when it is plain which; empty when all may be needed. */
    private static String wanted(String[] args) {
        for (int i = 0; i < args.length; i++) {
            String arg = args[i];
            if (arg.equals("--store")) {
                i++;
            } else if (!arg.startsWith("--store=") && !arg.equals("--verbose")) {
                return NAMES.contains(arg) ? arg : "";
            }
        }
        return "";
    }
}
