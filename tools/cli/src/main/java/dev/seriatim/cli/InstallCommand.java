// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.SequenceException;
import dev.seriatim.cli.option.CatalogCommand;
import dev.seriatim.cli.option.ColumnOption;
import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.store.ColumnName;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.SchemaInstaller;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Creates the table of the sequences, and the functions. */
@Command(name = "install", description = """
                Creates the table of the sequences, and the functions to draw in SQL. Existing sequences are not \
                changed.""", footer = """

                On PostgreSQL, MariaDB and MySQL, the functions are

                  next_val(name)               draws a number
                  last_val(name)               the last number drawn, by any session
                  set_val(name, value)         continues after this value
                  create_sequence(name, start, increment)
                  drop_sequence(name)

                They run with the privileges of the user who installs them, so tables and
                functions that belong to other users are refused.

                With --print, an administrator can load the script into psql, mariadb or mysql.
                It ends with the least privileges of an application, as GRANT statements to
                paste.

                With --at-commit, PostgreSQL fills a column from a gapless sequence when the
                transaction that inserts a row commits. The table needs a primary key, and the
                column must be nullable, without a default.

                Example: seriatim --store sqlite:shop.db install --print
                Example: seriatim install --at-commit invoice.number --sequence invoice_id""")
final class InstallCommand extends CatalogCommand {

    @Option(names = "--print", description = "Print a script instead.")
    private boolean print;

    @Option(names = "--tables-only", description = "With --print, print no functions.")
    private boolean tablesOnly;

    @Option(names = "--at-commit", paramLabel = "COLUMN", converter = ColumnOption.Named.class, description = """
                    Install only a trigger that numbers this column at the commit: [SCHEMA.]TABLE.COLUMN.""")
    private @Nullable ColumnName column;

    @Option(names = "--sequence", paramLabel = "NAME", description = """
                    With --at-commit: the sequence of the numbers.""")
    private @Nullable String sequence;

    @Option(names = "--remove", description = """
                    With --at-commit: remove the trigger.""")
    private boolean remove;

    @Override
    protected void check() {
        refuse(tablesOnly && !print ? "--tables-only needs --print" : "");
        refuse(column == null && (remove || sequence != null) ? """
                --sequence and --remove need --at-commit""" : "");
        refuse(column != null && remove == (sequence != null) ? """
                --at-commit needs either --sequence or --remove""" : "");
        refuse(column != null && tablesOnly ? """
                --tables-only excludes --at-commit""" : "");
    }

    @Override
    protected void run(OpenStore store) {
        if (!(store instanceof SchemaInstaller installer)) {
            throw new SequenceException.Misconfigured(
                    store + " needs nothing installed; create sequences in it right away");
        }
        if (column != null) {
            String script = installer.atCommit(column, Optional.ofNullable(sequence), print);
            String numbers = remove ? " is no longer numbered" : " is numbered";
            out().print(print ? script : OneLine.of(column.toString()) + numbers + " at the commit\n");
        } else if (print) {
            out().print(tablesOnly ? installer.migration(List.of()) : installer.script());
        } else {
            String missing = installer.install() ? "" : """
                    , without functions: only PostgreSQL, MariaDB and MySQL have them""";
            out().println("installed in " + store + missing);
        }
    }
}
