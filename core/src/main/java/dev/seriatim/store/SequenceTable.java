// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * The table that holds the sequences: Seriatim's own, with the definition in every row, or an existing plain table with
 * only a name and a counter.
 *
 * <p>A plain row cannot hold an epoch. After a restart, running instances therefore take the lower values for a lossy
 * failover and stop. Restart a sequence of a plain table only while no one draws from it. Immutable and thread-safe.
 *
 * @param table the table, a plain identifier; on Spanner also {@code schema.table}
 * @param nameColumn the column that holds the sequence's name; should be the primary key
 * @param valueColumn the column that holds the counter, a 64-bit integer
 * @param kind the meaning of the counter
 * @param template the definition of every sequence of a plain table, whose rows do not hold one; its name is not used.
 *     Not used for {@link Kind#OWN}
 * @param owner a role to trust as the table's owner
 */
public record SequenceTable(
        String table,
        String nameColumn,
        String valueColumn,
        Kind kind,
        SequenceDefinition template,
        Optional<String> owner) {

    public static final String DEFAULT_NAME = "seriatim_sequence";

    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");

    public enum Kind {
        /** Seriatim's own table: the next value, with the whole definition. */
        OWN,
        /** A plain table whose counter is the next value to draw. */
        NEXT_VALUE,
        /** A plain table whose counter is the last value drawn. */
        LAST_VALUE
    }

    /** Throws {@link Misconfigured} if a name is not a plain identifier, or a plain counter cannot represent every state. */
    public SequenceTable {
        int dot = table.indexOf('.');
        if (dot >= 0) {
            identifier("schema", table.substring(0, dot));
        }
        identifier("table", table.substring(dot + 1));
        identifier("name column", nameColumn);
        identifier("value column", valueColumn);
        if (nameColumn.equalsIgnoreCase(valueColumn)) {
            throw new Misconfigured(
                    "table " + table + ": the name and the value must be two columns, not both '" + nameColumn + "'");
        }
        if (kind != Kind.OWN) {
            checkTemplate(table, kind, template);
        } else if (!nameColumn.equals("name") || !valueColumn.equals("next_value")) {
            throw new Misconfigured("table " + table
                    + ": a table of Seriatim's own has the columns name and next_value, not " + nameColumn + " and "
                    + valueColumn + "; for a plain table, use SequenceTable.lastValue or nextValue");
        }
    }

    public SequenceTable(String table, String nameColumn, String valueColumn, Kind kind, SequenceDefinition template) {
        this(table, nameColumn, valueColumn, kind, template, Optional.empty());
    }

    public static SequenceTable own() {
        return own(DEFAULT_NAME);
    }

    /** Returns Seriatim's own table. */
    public static SequenceTable own(String table) {
        return new SequenceTable(table, "name", "next_value", Kind.OWN, SequenceDefinition.of("any"));
    }

    /** Returns a plain table that holds the next value to draw; by default from 1 by 1, up to 2<sup>63</sup>-2. */
    public static SequenceTable nextValue(String table, String nameColumn, String valueColumn) {
        return new SequenceTable(
                table,
                nameColumn,
                valueColumn,
                Kind.NEXT_VALUE,
                SequenceDefinition.named("any").maxValue(Long.MAX_VALUE - 1).build());
    }

    /** Returns a plain table that holds the last value drawn; by default from 1 by 1. */
    public static SequenceTable lastValue(String table, String nameColumn, String valueColumn) {
        return new SequenceTable(table, nameColumn, valueColumn, Kind.LAST_VALUE, SequenceDefinition.of("any"));
    }

    /** Returns the same plain table with another definition. Throws {@link Misconfigured} if the counter cannot hold it. */
    public SequenceTable with(UnaryOperator<SequenceDefinition.Builder> change) {
        return new SequenceTable(
                table,
                nameColumn,
                valueColumn,
                kind,
                change.apply(template.toBuilder()).build(),
                owner);
    }

    /**
     * Returns the same table with a role that may own it and its schema on PostgreSQL. A table's owner can run code with
     * the rights of its users. A store therefore refuses all owners except this role and its members, the current user,
     * superusers and the database's owner. Other databases ignore the role.
     */
    public SequenceTable ownedBy(String role) {
        return new SequenceTable(table, nameColumn, valueColumn, kind, template, Optional.of(role));
    }

    /** Returns the identifier. Throws {@link Misconfigured} unless it is plain: identifiers cannot be bound as parameters. */
    public static String identifier(String what, String text) {
        if (!isIdentifier(text)) {
            throw new Misconfigured("the " + what + " '" + text
                    + "' is not a plain identifier; use at most 63 letters, digits and _, not starting with a digit");
        }
        return text;
    }

    /** Returns the schema in the table's name, if it has one. */
    public Optional<String> schema() {
        int dot = table.indexOf('.');
        return dot < 0 ? Optional.empty() : Optional.of(table.substring(0, dot));
    }

    /** Returns the table's name without a schema. */
    public String unqualified() {
        return table.substring(table.indexOf('.') + 1);
    }

    public static boolean isIdentifier(String text) {
        return IDENTIFIER.matcher(text).matches();
    }

    private static void checkTemplate(String table, Kind kind, SequenceDefinition template) {
        if (template.cycle()) {
            throw new Misconfigured("table " + table
                    + ": a plain row cannot distinguish the rounds of a cycle; use a table of Seriatim's own");
        }
        // One step beyond the end (or before the beginning) is also a state of the counter, and must be a number.
        boolean beyond = kind == SequenceTable.Kind.NEXT_VALUE;
        long bound = beyond == template.ascending() ? template.max() : template.min();
        try {
            long unused = beyond
                    ? Math.addExact(bound, template.increment())
                    : Math.subtractExact(bound, template.increment());
        } catch (ArithmeticException e) {
            throw new Misconfigured(
                    "table " + table + ": a plain counter cannot go one step of " + template.increment() + " beyond "
                            + bound + ", the end of 64 bits; narrow that bound by the increment",
                    e);
        }
    }
}
