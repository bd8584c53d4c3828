// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import java.util.List;

/**
 * Adds commands to the command line. Found by the service loader, so whoever implements it names the class in
 * {@code META-INF/services/dev.seriatim.cli.CommandProvider}.
 */
public interface CommandProvider {

    /** The names of its commands, in the order in which the help lists them. */
    List<String> names();

    /**
     * Makes one of them.
     *
     * @return an object that picocli takes for a command
     */
    Object command(String name);
}
