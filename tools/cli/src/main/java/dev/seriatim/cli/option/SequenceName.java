// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.option;

import picocli.CommandLine.Parameters;

/** The operand {@code NAME}. Not thread-safe. */
public final class SequenceName {

    @Parameters(index = "0", paramLabel = "NAME", description = "The sequence: any text of 1 to 64 characters.")
    private String name = "";

    @Override
    public String toString() {
        return name;
    }
}
