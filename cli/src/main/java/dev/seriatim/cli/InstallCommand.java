// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.SequenceException;
import dev.seriatim.cli.store.StoreCommand;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.SchemaInstaller;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Sets up what sequences live in. */
@Command(
        name = "install",
        description =
                "Sets up what sequences live in, such as a table, and the functions to draw in SQL. Sequences stay as they are.",
        footer = {
            "",
            "PostgreSQL, MariaDB and MySQL get functions: next_val(name), last_val(name), set_val(name, value),",
            "create_sequence(name, start, increment), drop_sequence(name).",
            "They run with the rights of who installs them, so tables and functions of other users are refused.",
            "With --print, an administrator can load the text into the database's own client (psql, mariadb, mysql). It ends with",
            "the least privileges that an application needs.",
            "",
            "Example: seriatim --store sqlite:shop.db install --print"
        })
final class InstallCommand extends StoreCommand {

    @Option(names = "--print", description = "Print it as text for the database's own client instead.")
    private boolean print;

    @Override
    protected void run(OpenStore store) {
        if (!(store instanceof SchemaInstaller installer)) {
            throw new SequenceException.Misconfigured(
                    store + " needs nothing installed; create sequences in it right away");
        }
        if (print) {
            out().print(installer.script());
        } else {
            installer.install();
            out().println("installed in " + store);
        }
    }
}
