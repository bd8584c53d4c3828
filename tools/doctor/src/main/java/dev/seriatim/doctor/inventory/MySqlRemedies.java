// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import java.math.BigInteger;
import java.util.Optional;

/** The statements that mend the columns of MySQL and MariaDB, and MariaDB's sequences. */
record MySqlRemedies(boolean cluster) implements Remedies {

    private static final long USUAL_CACHE = 1000;

    /** Quotes any name. */
    static String quoted(String name) {
        return '`' + name.replace("`", "``") + '`';
    }

    static String quoted(ObjectName name) {
        return (name.schema().isEmpty() ? "" : quoted(name.schema()) + ".") + quoted(name.name());
    }

    static Remedy alter(String kind, ObjectName name, String change) {
        return Remedy.statement("ALTER " + kind + " " + quoted(name) + " " + change, Remedy.Kind.CHANGES);
    }

    /** {@inheritDoc} MariaDB ignores a value that is not ahead of the sequence; where it chooses the increment, it finds the next one. */
    @Override
    public Remedy raise(NativeSequence sequence, BigInteger held) {
        boolean chosen = sequence.increment().signum() == 0;
        return Remedy.statement(
                "SELECT SETVAL(" + quoted(sequence.name()) + ", "
                        + (chosen ? held + ", 1" : sequence.firstBeyond(held) + ", 0") + ")",
                Remedy.Kind.RAISES);
    }

    /**
     * {@inheritDoc} Not a statement that is safe beside inserts: it sets back a counter that is ahead of the value, down to the
     * highest number in the table.
     */
    @Override
    public Remedy raise(NumberedColumn column, BigInteger held) {
        return alter("TABLE", column.table(), """
                AUTO_INCREMENT = %s -- while nothing inserts: it sets back a \
                counter that is higher""".formatted(held.add(BigInteger.ONE)));
    }

    /** {@inheritDoc} MariaDB's sequences belong to no column. */
    @Override
    public Optional<Remedy> own(NativeSequence sequence, NumberedColumn by) {
        return Optional.empty();
    }

    @Override
    public Remedy noCycle(NativeSequence sequence) {
        return alter("SEQUENCE", sequence.name(), "NOCYCLE");
    }

    @Override
    public Remedy noCache(NativeSequence sequence) {
        return alter("SEQUENCE", sequence.name(), "NOCACHE");
    }

    @Override
    public Remedy widen(NumberedColumn column) {
        boolean negative =
                column.extremes().lowest().filter(low -> low.signum() >= 0).isEmpty();
        Optional<String> wider = MySqlTypes.widest(column.type(), negative);
        if (wider.isEmpty()) {
            return new Remedy("""
                    no wider type holds what is in %s; renumber the rows, \
                    or number another column""".formatted(column.path()), Remedy.Kind.ADVICE);
        }
        return column.generator() == NumberedColumn.Generator.AUTO_INCREMENT
                ? alter("TABLE", column.table(), """
                        MODIFY %s %s NOT NULL AUTO_INCREMENT -- drops the column's COMMENT: add it, \
                        if there is one""".formatted(
                                quoted(column.name().column()), wider.get()))
                : new Remedy("""
                        ALTER TABLE … MODIFY %s to %s, with its default \
                        and its other attributes""".formatted(column.path(), wider.get()), Remedy.Kind.ADVICE);
    }

    /** {@inheritDoc} The nodes of a cluster have a cache each; on one server, all sessions share one. */
    @Override
    public Optional<InspectionFault> ofCache(long size) {
        if (cluster) {
            return size > 1 ? Optional.of(InspectionFault.CACHE_REORDERS) : Optional.empty();
        }
        return size > USUAL_CACHE ? Optional.of(InspectionFault.CACHE_LOSES) : Optional.empty();
    }
}
