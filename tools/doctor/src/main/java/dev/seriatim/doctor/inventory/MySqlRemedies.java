// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import static dev.seriatim.doctor.inventory.EngineCatalog.backticks;

import dev.seriatim.doctor.inventory.InspectionFinding.Fault;
import java.math.BigInteger;
import java.util.Optional;

/** The statements that mend the columns of MySQL and MariaDB, and MariaDB's sequences. */
record MySqlRemedies(boolean cluster) implements Remedies {

    private static final long USUAL_CACHE = 1000;

    static Remedy alter(String kind, ObjectName name, String change) {
        return Remedy.changes("ALTER " + kind + " " + backticks(name) + " " + change);
    }

    /**
     * {@inheritDoc} MariaDB ignores a value that is not ahead of the sequence; where it chooses the increment, it finds the next one.
     * The statement for a column is not safe beside inserts: it sets back a counter that is ahead of the value, down to the highest
     * number in the table.
     */
    @Override
    public Remedy raise(NumberSource source, BigInteger held) {
        if (!source.isSequence()) {
            return alter("TABLE", source.name(), """
                    AUTO_INCREMENT = %s -- while nothing inserts: it sets back a \
                    counter that is higher""".formatted(held.add(BigInteger.ONE)));
        }
        boolean chosen = source.increment().signum() == 0;
        return Remedy.raises("SELECT SETVAL(" + backticks(source.name()) + ", "
                + (chosen ? held + ", 1" : source.firstBeyond(held) + ", 0") + ")");
    }

    @Override
    public Remedy noCycle(NumberSource sequence) {
        return alter("SEQUENCE", sequence.name(), "NOCYCLE");
    }

    @Override
    public Remedy noCache(NumberSource sequence) {
        return alter("SEQUENCE", sequence.name(), "NOCACHE");
    }

    @Override
    public Remedy widen(NumberSource source, NumberedColumn column) {
        boolean negative =
                column.held().filter(held -> held.lowest().signum() >= 0).isEmpty();
        boolean unsigned = column.type().contains("unsigned");
        boolean widest = column.type().startsWith("bigint");
        if (column.type().startsWith("decimal") || (widest && (unsigned || negative))) {
            return Remedy.advice("""
                    no wider type holds what is in %s; renumber the rows, \
                    or number another column""".formatted(column.path()));
        }
        String wider = unsigned || widest ? "BIGINT UNSIGNED" : "BIGINT";
        if (column.generator() != NumberedColumn.Generator.AUTO_INCREMENT) {
            return Remedy.advice("""
                    ALTER TABLE … MODIFY %s to %s, with its default \
                    and its other attributes""".formatted(column.path(), wider));
        }
        return alter(
                "TABLE", column.table(), """
                MODIFY %s %s NOT NULL AUTO_INCREMENT -- drops the column's COMMENT: add it, \
                if there is one""".formatted(backticks(column.name().column()), wider));
    }

    /** {@inheritDoc} The nodes of a cluster have a cache each; on one server, all sessions share one. */
    @Override
    public Optional<Fault> ofCache(NumberSource sequence) {
        return sequence.cache() <= (cluster ? 1 : USUAL_CACHE)
                ? Optional.empty()
                : Optional.of(cluster ? Fault.CACHE_REORDERS : Fault.CACHE_LOSES);
    }
}
