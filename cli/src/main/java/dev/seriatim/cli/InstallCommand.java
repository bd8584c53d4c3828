// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.OpenStore;
import dev.seriatim.SchemaInstaller;
import dev.seriatim.SequenceException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Sets up what sequences live in. */
@Command(
        name = "install",
        description = "Sets up what sequences live in, such as a table; what is there stays as it is.",
        footer = {
            "",
            "With --print, an administrator can run the statements, with rights of their own.",
            "",
            "Example: seriatim --store sqlite:shop.db install --print"
        })
final class InstallCommand extends StoreCommand {

    @Option(names = "--print", description = "Print the statements instead of running them.")
    private boolean print;

    @Override
    void run(OpenStore store) {
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
