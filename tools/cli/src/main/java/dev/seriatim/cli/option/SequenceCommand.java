// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.option;

import dev.seriatim.cli.terminal.OneLine;
import picocli.CommandLine.Parameters;

/** A command for one sequence. Not thread-safe. */
public abstract class SequenceCommand extends CatalogCommand {

    @Parameters(index = "0", paramLabel = "NAME", description = "The sequence: any text of 1 to 64 characters.")
    private String name = "";

    protected final String name() {
        return name;
    }

    protected final String quoted() {
        return OneLine.quoted(name);
    }
}
