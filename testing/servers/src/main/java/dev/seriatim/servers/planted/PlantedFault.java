// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers.planted;

import java.util.List;

/**
 * One fault, and the statements that plant it.
 *
 * @param fault what has to be found: the name of the fault in output, such as {@code behind}
 * @param subject the column, sequence or table that it has to be found at, as it is shown
 * @param statements SQL, in order
 */
public record PlantedFault(String fault, String subject, List<String> statements) {

    static PlantedFault of(String fault, String subject, String... statements) {
        return new PlantedFault(fault, subject, List.of(statements));
    }

    /** Returns the fault and its subject, as a finding's. */
    public String shown() {
        return fault + " " + subject;
    }
}
