// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.inspect;

import java.util.Optional;

/**
 * One thing that is wrong, or worth knowing.
 *
 * @param fault its kind
 * @param subject the column, sequence, table or setting, for display
 * @param what the cause and its consequence, in one line, without the subject
 * @param remedy what mends it; empty if nothing has to be
 */
public record InspectionFinding(InspectionFault fault, String subject, String what, Optional<Remedy> remedy) {}
