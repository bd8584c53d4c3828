// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.table;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * The table that the sequences live in: our own, with the definition in every row, or a plain one that is there already
 * and holds nothing but a name and a counter.
 *
 * <p>A plain row cannot hold an epoch: after a deliberate restart, running instances take the lower values for a lossy
 * failover and stop. Restart a sequence of a plain table only while nobody draws from it.
 *
 * <p>Immutable and thread-safe.
 *
 * @param table the table, a plain identifier
 * @param nameColumn the column that holds the sequence's name; it should be the primary key
 * @param valueColumn the column that holds the counter, a 64-bit whole number
 * @param kind what the counter means
 * @param template what every sequence of a plain table is, since its rows do not say; its name is not used. Not used for
 *     {@link Kind#OWN}
 */
public record SequenceTable(
        String table, String nameColumn, String valueColumn, Kind kind, SequenceDefinition template) {

    /** The table of a store that was opened without one. */
    public static final String DEFAULT_NAME = "seriatim_sequence";

    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");

    /** What the counter means. */
    public enum Kind {
        /** Our own table: the next value, beside the whole definition. */
        OWN,
        /** A plain table whose counter is the value that is drawn next. */
        NEXT_VALUE,
        /** A plain table whose counter is the value that was drawn last. */
        LAST_VALUE
    }

    /**
     * Checks the identifiers, and that a plain counter can stand for every state.
     *
     * @throws Misconfigured when they are not plain identifiers, or the template does not fit
     */
    public SequenceTable {
        identifier("table", table);
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
                    + valueColumn + "; a plain one is SequenceTable.lastValue or nextValue");
        }
    }

    /** Our own table, of the default name. */
    public static SequenceTable own() {
        return own(DEFAULT_NAME);
    }

    /** Our own table, of another name. */
    public static SequenceTable own(String table) {
        return new SequenceTable(table, "name", "next_value", Kind.OWN, SequenceDefinition.of("any"));
    }

    /** A plain table that holds the value drawn next: from 1 by 1, up to 2<sup>63</sup>-2 unless told otherwise. */
    public static SequenceTable nextValue(String table, String nameColumn, String valueColumn) {
        return new SequenceTable(
                table,
                nameColumn,
                valueColumn,
                Kind.NEXT_VALUE,
                SequenceDefinition.named("any").maxValue(Long.MAX_VALUE - 1).build());
    }

    /** A plain table that holds the value drawn last: from 1 by 1 unless told otherwise. */
    public static SequenceTable lastValue(String table, String nameColumn, String valueColumn) {
        return new SequenceTable(table, nameColumn, valueColumn, Kind.LAST_VALUE, SequenceDefinition.of("any"));
    }

    /**
     * The same plain table, of other sequences.
     *
     * @throws Misconfigured when the counter cannot stand for every state of them
     */
    public SequenceTable with(UnaryOperator<SequenceDefinition.Builder> change) {
        return new SequenceTable(
                table,
                nameColumn,
                valueColumn,
                kind,
                change.apply(template.toBuilder()).build());
    }

    /**
     * Returns the identifier when it is a plain one: names of tables and columns cannot be bound as parameters.
     *
     * @throws Misconfigured when it is not
     */
    public static String identifier(String what, String text) {
        if (!isIdentifier(text)) {
            throw new Misconfigured("the " + what + " '" + text
                    + "' is not a plain identifier; use letters, digits and _, not beginning with a digit, at most 63");
        }
        return text;
    }

    /** Whether it is a plain identifier. */
    public static boolean isIdentifier(String text) {
        return IDENTIFIER.matcher(text).matches();
    }

    private static void checkTemplate(String table, Kind kind, SequenceDefinition template) {
        if (template.cycle()) {
            throw new Misconfigured("table " + table
                    + ": a plain row cannot tell the rounds of a cycle apart; use a table of Seriatim's own for that");
        }
        // One step beyond the end (or before the beginning) is a state of the counter, too, and must be a number.
        boolean beyond = kind == SequenceTable.Kind.NEXT_VALUE;
        long bound = beyond == template.ascending() ? template.max() : template.min();
        try {
            long unused = beyond
                    ? Math.addExact(bound, template.increment())
                    : Math.subtractExact(bound, template.increment());
        } catch (ArithmeticException e) {
            throw new Misconfigured(
                    "table " + table + ": a plain counter cannot go one step of " + template.increment() + " beyond "
                            + bound + ", which is 64 bits' end; bring that bound in by the increment",
                    e);
        }
    }
}
