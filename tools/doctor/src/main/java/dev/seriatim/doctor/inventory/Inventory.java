// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What was read from a database.
 *
 * @param product the name and version of the engine
 * @param database the database, without secrets
 * @param columns the columns with generated numbers
 * @param sequences the database's own sequences
 * @param counters the sequences of this library
 * @param tables the names of tables, if the rules about Hibernate need them
 * @param findings what the engine's own rules found: settings, replication, kinds of tables
 * @param skipped what was not examined, and why, one line each
 * @param remedies the statements of this engine; empty if only the sequences of this library were read
 */
public record Inventory(
        String product,
        String database,
        List<NumberedColumn> columns,
        List<NativeSequence> sequences,
        List<LibrarySequence> counters,
        Set<ObjectName> tables,
        List<InspectionFinding> findings,
        List<String> skipped,
        Optional<Remedies> remedies) {

    /** Returns an inventory of this library's sequences alone. */
    public static Inventory of(String product, String database, List<LibrarySequence> counters, List<String> skipped) {
        return new Inventory(
                product, database, List.of(), List.of(), counters, Set.of(), List.of(), skipped, Optional.empty());
    }
}
