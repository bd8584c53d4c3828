// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import dev.seriatim.doctor.inventory.NumberSource.Kind;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What was read from a database.
 *
 * @param product the name and version of the engine
 * @param database the database, without secrets
 * @param sources what generates numbers; the sequences of this library come last
 * @param met by source and column, the first number that the one deals next and the other holds, if any; if it was read
 * @param tables the names of tables, if the rules about Hibernate need them
 * @param findings what the engine's own rules found: settings, replication, kinds of tables
 * @param skipped what was not examined, and why, one line each
 * @param remedies the statements of this engine; empty if only the sequences of this library were read
 */
public record Inventory(
        String product,
        String database,
        List<NumberSource> sources,
        Map<List<Object>, Optional<BigInteger>> met,
        Set<ObjectName> tables,
        List<InspectionFinding> findings,
        List<String> skipped,
        Optional<Remedies> remedies) {

    /** Returns how many columns hold numbers of the database's own sources. */
    public long columns() {
        return sources.stream()
                .filter(source -> source.kind() != Kind.COUNTER)
                .mapToLong(source -> source.columns().size())
                .sum();
    }

    public long sequences() {
        return sources.stream().filter(NumberSource::isSequence).count();
    }

    public long counters() {
        return sources.stream().filter(source -> source.kind() == Kind.COUNTER).count();
    }

    /** Returns the sequences of this library alone. */
    public static Inventory of(
            String product,
            String database,
            List<NumberSource> counters,
            List<InspectionFinding> findings,
            List<String> skipped) {
        return new Inventory(product, database, counters, Map.of(), Set.of(), findings, skipped, Optional.empty());
    }
}
