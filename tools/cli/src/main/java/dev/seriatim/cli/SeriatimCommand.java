// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.cli.option.StoreOption;
import dev.seriatim.cli.terminal.ExitCode;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The root command with the options that all commands share. Without a command, it shows the help. */
@Command(
        name = "seriatim",
        versionProvider = SeriatimCommand.Version.class,
        customSynopsis = "seriatim [--store URL] COMMAND [...]",
        description = """

                Unique, ordered or gapless numbers from the database that you already run.

                First steps:
                  seriatim create invoices       creates a sequence, in the file seriatim.db
                  seriatim next invoices         draws a number: 1
                  seriatim next invoices -n 3    draws three more: 2, 3, 4, one per line
                  seriatim show invoices         shows its definition and its next value
                """,
        optionListHeading = "Options:%n",
        commandListHeading = "%nCommands ('seriatim COMMAND --help' explains each, with an example):%n",
        footer = """

                Stores:
                  sqlite:FILE               an SQLite file, created if it is missing
                  jdbc:...                  a database by its JDBC URL: PostgreSQL, MariaDB,
                                            MySQL, H2, SQLite, Spanner, Aurora DSQL
                  spanner:DATABASE          Spanner by its own client; DATABASE is
                                            projects/P/instances/I/databases/D
                  couchbase://HOST/BUCKET   Couchbase; with TLS, couchbases:
                  memory:                   this process only, to try things out

                Options follow a '?'. In a JDBC URL, they begin with 'seriatim.' and stand among
                the driver's. seriatim.table=NAME names the table of the sequences.

                Exit codes: 0 done, 1 refused or failed, 2 wrong usage, 3 audit, bench, doctor,
                feed check or verify found a fault. An error is one line on standard error.""")
final class SeriatimCommand implements Callable<Integer>, StoreOption.Environment {

    private final Map<String, String> env;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("unused") // read by the commands
    private final StoreOption store = new StoreOption();

    @Option(names = "--verbose", scope = ScopeType.INHERIT, description = "Show the stack trace of an error.")
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

    /** Reads the version from the jar. */
    static final class Version implements IVersionProvider {

        @Override
        public String[] getVersion() {
            @Nullable String inJar = Version.class.getPackage().getImplementationVersion();
            String version = inJar == null ? "(not from a jar)" : inJar;
            return new String[] {"seriatim " + version + ", Java " + System.getProperty("java.version")};
        }
    }
}
