// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.cli.store.StoreEnvironment;
import dev.seriatim.cli.store.StoreOption;
import dev.seriatim.cli.terminal.ExitCode;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** What stands before the command: the options that all share. Alone, it shows the help. */
@Command(
        name = "seriatim",
        versionProvider = Version.class,
        customSynopsis = "seriatim [--store URL] COMMAND [...]",
        description = {
            "",
            "Numbers out of the database you already run: unique, ordered or gapless.",
            "",
            "First steps:",
            "  seriatim create invoices       makes a sequence, here in the file seriatim.db",
            "  seriatim next invoices         draws a number: 1",
            "  seriatim next invoices -n 3    draws three more: 2, 3, 4, one a line",
            "  seriatim show invoices         what it is and how far it has come",
            ""
        },
        optionListHeading = "Options:%n",
        commandListHeading = "%nCommands ('seriatim COMMAND --help' explains each, with an example):%n",
        footer = {
            "",
            "Stores:",
            "  sqlite:FILE              a file, made when missing",
            "  jdbc:...                 a database by its JDBC URL: PostgreSQL, MariaDB, MySQL,",
            "                           Aurora DSQL, H2, SQLite; others are refused. Options of",
            "                           ours begin with 'seriatim.', such as seriatim.table=NAME",
            "  memory:                  this process only, to try things out",
            "",
            "Exit codes: 0 done, 1 refused or failed, 2 wrong usage, 3 bench or audit found a",
            "fault in the numbers; one line on standard error says why."
        })
final class SeriatimCommand implements Callable<Integer>, StoreEnvironment {

    private final Map<String, String> env;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli's to set
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("unused") // read by the commands
    private final StoreOption store = new StoreOption();

    @Option(names = "--verbose", scope = ScopeType.INHERIT, description = "With an error, show where it came from.")
    private boolean verbose;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help.")
    @SuppressWarnings("unused")
    private boolean help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Show the version.")
    @SuppressWarnings("unused")
    private boolean version;

    SeriatimCommand(Map<String, String> env) {
        this.env = env;
    }

    @Override
    public Map<String, String> env() {
        return env;
    }

    boolean verbose() {
        return verbose;
    }

    @Override
    public Integer call() {
        CommandLine commandLine = spec.commandLine();
        commandLine.usage(commandLine.getOut());
        return ExitCode.DONE;
    }
}
