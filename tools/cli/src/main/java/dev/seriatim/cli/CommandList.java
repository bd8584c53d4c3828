// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.cli.auditing.AuditCommand;
import dev.seriatim.cli.draw.NextCommand;
import dev.seriatim.cli.feeds.FeedCommand;
import dev.seriatim.cli.option.SequenceCommand;
import dev.seriatim.cli.option.StripesOption;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.SequenceState;
import java.util.List;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * The commands: those for daily use, and each {@link ToolCommand} on the class path. Loads only the
 * requested command unless all are needed, as for the help; this saves a fifth of the start-up time. Short commands are here.
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
            case "alter" -> new Alter();
            case "restart" -> new RestartCommand();
            case "raise" -> new RaiseCommand();
            case "drop" -> new Drop();
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

    /** Changes a sequence's definition. */
    @Command(name = "alter", description = """
                    Changes the definition of a sequence; its next value stays. Running programs notice with their next \
                    block.""", footer = """

                    The range of a permutation is part of its key, so new bounds do not change it:
                    permuted numbers (next --permute-key-file) keep their --permute-range.

                    Example: seriatim alter invoices --max-value 9999999 --no-cycle""")
    static final class Alter extends SequenceCommand {

        @Mixin
        private final DefinitionOptions options = new DefinitionOptions();

        @Override
        protected void check() {
            if (options.none() && !url().contains("skip-range-")) { // which is the URL's
                throw usage("""
                        nothing to alter: give at least one of --start-with, --increment-by, --min-value, --max-value, \
                        --cycle, --no-cycle, --cache""");
            }
        }

        @Override
        protected void run(OpenStore store) {
            SequenceState state = store.alter(name(), definition -> options.over(definition.toBuilder()));
            out().println("altered " + quoted() + ", " + StateReport.sentence(state, store));
        }
    }

    /** Removes a sequence. */
    @Command(name = "drop", description = "Removes a sequence. This cannot be undone.", footer = """

                    Example: seriatim drop invoices""")
    static final class Drop extends SequenceCommand {

        @Mixin
        private final StripesOption stripes = new StripesOption();

        @Override
        protected void check() {
            refuse(stripes.wrong());
        }

        @Override
        protected void run(OpenStore store) {
            stripes.of(name()).ifPresentOrElse(striping -> striping.drop(store), () -> store.drop(name()));
            out().println("dropped " + quoted() + stripes + " from " + store);
        }
    }
}
