// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import java.math.BigInteger;
import java.util.Optional;

/** The statements that mend SQLite's row numbers. SQLite has no sequences. */
record SqliteRemedies() implements Remedies {

    /** Quotes any name. Not in double quotes: SQLite reads those as a string if the column does not exist. */
    static String quoted(String name) {
        return '`' + name.replace("`", "``") + '`';
    }

    private static String text(String value) {
        return "'" + value.replace("'", "''") + "'";
    }

    /** SQLite has one writer at a time, so nothing is generated between the comparison and the change. */
    static Remedy raise(String table, BigInteger held) {
        return Remedy.statement("""
                UPDATE sqlite_sequence SET seq = %1$s WHERE name = %2$s \
                AND coalesce(CAST(seq AS INTEGER), 0) < %1$s""".formatted(held, text(table)), Remedy.Kind.RAISES);
    }

    static Remedy count(String table, BigInteger held) {
        String name = text(table);
        return Remedy.statement(
                "INSERT INTO sqlite_sequence (name, seq) SELECT " + name + ", " + held
                        + " WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = " + name + ")",
                Remedy.Kind.RAISES);
    }

    static Remedy countOnce(String table) {
        String name = text(table);
        return Remedy.statement("""
                DELETE FROM sqlite_sequence WHERE name = %1$s \
                AND rowid <> (SELECT rowid FROM sqlite_sequence WHERE name = %1$s \
                ORDER BY CAST(seq AS INTEGER) DESC, rowid LIMIT 1)""".formatted(name), Remedy.Kind.CHANGES);
    }

    @Override
    public Remedy raise(NumberedColumn column, BigInteger held) {
        return raise(column.table().name(), held);
    }

    @Override
    public Remedy widen(NumberedColumn column) {
        return new Remedy("""
                SQLite has no wider type than %s has; copy the rows to a \
                table that renumbers them""".formatted(column.path()), Remedy.Kind.ADVICE);
    }

    @Override
    public Optional<InspectionFault> ofCache(long size) {
        return Optional.empty();
    }

    @Override
    public Remedy raise(NativeSequence sequence, BigInteger held) {
        throw none();
    }

    @Override
    public Optional<Remedy> own(NativeSequence sequence, NumberedColumn by) {
        throw none();
    }

    @Override
    public Remedy noCycle(NativeSequence sequence) {
        throw none();
    }

    @Override
    public Remedy noCache(NativeSequence sequence) {
        throw none();
    }

    private static IllegalStateException none() {
        return new IllegalStateException("SQLite has no sequences");
    }
}
