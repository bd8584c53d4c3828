// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.failure;

import dev.seriatim.table.SequenceTable;

/** How whoever has opened a store says what its table holds, so that messages name the options as they are written there. */
public enum TableNaming {
    /** In a URL of our own, such as {@code sqlite:FILE?kind=last}. */
    STORE_URL(""),
    /** In a JDBC URL, with a prefix. */
    JDBC_URL("seriatim."),
    /** By a {@link SequenceTable}. */
    PROGRAM("") {
        @Override
        String whenOwn() {
            return "open a plain table as SequenceTable.lastValue (its counter is the value drawn last) or nextValue";
        }

        @Override
        String whenPlain() {
            return "name them in SequenceTable.lastValue or nextValue";
        }
    };

    /**
     * @param what what is wrong
     * @param remedy what was done, and is to be done
     */
    record OtherColumns(String what, String remedy) {}

    private final String prefix;

    TableNaming(String prefix) {
        this.prefix = prefix;
    }

    /** What is said about a table that has other columns than were looked for. */
    OtherColumns otherColumns(SequenceTable table) {
        return table.kind() == SequenceTable.Kind.OWN
                ? new OtherColumns(
                        "has other columns than a table of Seriatim",
                        "so it was left alone; " + whenOwn() + ", or name another table")
                : new OtherColumns("has no such columns", "so it was left alone; " + whenPlain());
    }

    String whenOwn() {
        return "write " + prefix + "kind=last if its counter is the value drawn last, " + prefix
                + "kind=next if it is the one drawn next (with " + prefix + "name-column and " + prefix
                + "value-column)";
    }

    String whenPlain() {
        return "name them: " + prefix + "name-column=…, " + prefix + "value-column=…";
    }
}
