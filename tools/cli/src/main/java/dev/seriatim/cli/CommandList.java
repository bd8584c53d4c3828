// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.cli.auditing.AuditCommand;
import dev.seriatim.cli.draw.NextCommand;
import dev.seriatim.cli.feeds.FeedCommand;
import java.util.List;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The commands: those for daily use, and each {@link ToolCommand} on the class path. Loads only the
 * requested command unless all are needed, as for the help; this saves a fifth of the start-up time.
 */
final class CommandList {

    /** In the order of the help. */
    private static final List<String> DAILY =
            List.of("create next list show alter restart raise drop sync audit feed install completion".split(" ", -1));

    private CommandList() {}

    /** A map of lambdas would load all classes. */
    private static Object daily(String name) {
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
            case "feed" -> new FeedCommand();
            case "install" -> new InstallCommand();
            case "completion" -> new CompletionCommand();
            default -> throw new IllegalArgumentException(name);
        };
    }

    /** Returns the root command with the wanted command; with all commands if there is none of that name. */
    static CommandLine under(SeriatimCommand root, String wanted) {
        CommandLine commandLine = new CommandLine(root);
        if (DAILY.contains(wanted)) {
            return commandLine.addSubcommand(wanted, daily(wanted));
        }
        List<ServiceLoader.Provider<ToolCommand>> tools =
                ServiceLoader.load(ToolCommand.class, CommandList.class.getClassLoader()).stream()
                        .toList();
        for (ServiceLoader.Provider<ToolCommand> tool : tools) {
            if (tool.type().getAnnotation(Command.class).name().equals(wanted)) {
                return commandLine.addSubcommand(tool.get());
            }
        }
        DAILY.forEach(name -> commandLine.addSubcommand(name, daily(name)));
        tools.forEach(tool -> commandLine.addSubcommand(tool.get()));
        return commandLine;
    }

    static CommandLine all(SeriatimCommand root) {
        return under(root, "");
    }
}
