// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import java.util.List;

/**
 * Adds commands to the command line. Found by the service loader: name the implementation in
 * {@code META-INF/services/dev.seriatim.cli.CommandProvider}.
 */
public interface CommandProvider {

    /** Returns the names of its commands, in the order in which the help lists them. */
    List<String> names();

    /**
     * Creates a command.
     *
     * @return a picocli command
     */
    Object command(String name);
}
