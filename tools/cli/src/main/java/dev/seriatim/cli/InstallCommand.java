// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.SequenceException;
import dev.seriatim.cli.option.CatalogCommand;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.SchemaInstaller;
import java.util.List;
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

                Example: seriatim --store sqlite:shop.db install --print""")
final class InstallCommand extends CatalogCommand {

    @Option(names = "--print", description = "Print a script instead.")
    private boolean print;

    @Option(names = "--tables-only", description = "With --print, print no functions.")
    private boolean tablesOnly;

    @Override
    protected void check() {
        refuse(tablesOnly && !print ? "--tables-only needs --print" : "");
    }

    @Override
    protected void run(OpenStore store) {
        if (!(store instanceof SchemaInstaller installer)) {
            throw new SequenceException.Misconfigured(
                    store + " needs nothing installed; create sequences in it right away");
        }
        if (print) {
            out().print(tablesOnly ? installer.migration(List.of()) : installer.script());
        } else {
            String missing = installer.install() ? "" : """
                    , without functions: only PostgreSQL, MariaDB and MySQL have them""";
            out().println("installed in " + store + missing);
        }
    }
}
