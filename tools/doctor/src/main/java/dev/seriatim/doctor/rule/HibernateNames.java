// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.rule;

import dev.seriatim.jdbc.inspect.Inventory;
import dev.seriatim.jdbc.inspect.NativeSequence;
import dev.seriatim.jdbc.inspect.ObjectName;
import java.math.BigInteger;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The names that Hibernate gives to sequences, and to tables beside them. */
public final class HibernateNames {

    private static final String SHARED = "hibernate_sequence";
    private static final String TABLE = "hibernate_sequences";
    private static final String SUFFIX = "_seq";

    private HibernateNames() {}

    /** Returns the tables whose presence decides whether a sequence is Hibernate's. Whether they exist has to be looked up. */
    public static Set<ObjectName> tables(Inventory inventory) {
        Set<ObjectName> tables = new LinkedHashSet<>();
        inventory.sequences().stream().filter(HibernateNames::steps).forEach(sequence -> {
            table(sequence.name()).ifPresent(tables::add);
            String schema = sequence.name().schema();
            tables.add(new ObjectName(schema, TABLE));
            tables.add(new ObjectName(schema, TABLE.toUpperCase(Locale.ROOT)));
        });
        return tables;
    }

    /** Returns whether an increment is one that optimizers use. */
    static boolean steps(NativeSequence sequence) {
        return sequence.increment().signum() != 0 && !sequence.increment().equals(BigInteger.ONE);
    }

    /** Returns why a sequence is taken for Hibernate's; empty if it is not. */
    static Optional<String> reason(ObjectName sequence, Set<ObjectName> present) {
        if (sequence.name().equalsIgnoreCase(SHARED)) {
            return Optional.of("Hibernate's shared sequence");
        }
        Optional<ObjectName> table = table(sequence).filter(present::contains);
        if (table.isPresent()) {
            return Optional.of("named as Hibernate does for " + table.get());
        }
        boolean beside = present.stream()
                .anyMatch(name ->
                        name.schema().equals(sequence.schema()) && name.name().equalsIgnoreCase(TABLE));
        return beside ? Optional.of("beside Hibernate's table " + TABLE) : Optional.empty();
    }

    private static Optional<ObjectName> table(ObjectName sequence) {
        String name = sequence.name();
        boolean named = name.endsWith(SUFFIX) || name.endsWith(SUFFIX.toUpperCase(Locale.ROOT));
        return named && name.length() > SUFFIX.length()
                ? Optional.of(new ObjectName(sequence.schema(), name.substring(0, name.length() - SUFFIX.length())))
                : Optional.empty();
    }
}
