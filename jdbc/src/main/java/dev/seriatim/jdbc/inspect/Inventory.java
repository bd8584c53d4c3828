// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.inspect;

import java.util.List;

/**
 * What was read from a database.
 *
 * @param product the name and version of the engine
 * @param database the database, without secrets
 * @param columns the columns with generated numbers
 * @param sequences the database's own sequences
 * @param counters the sequences of this library
 * @param findings what the engine's own rules found: settings, replication, kinds of tables
 * @param skipped what was not examined, and why, one line each
 */
public record Inventory(
        String product,
        String database,
        List<NumberedColumn> columns,
        List<NativeSequence> sequences,
        List<LibrarySequence> counters,
        List<InspectionFinding> findings,
        List<String> skipped) {}
