// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.failure;

import dev.seriatim.store.SequenceTable;

/** How the opener of a store describes its table, so that messages name the options as they are written there. */
public enum TableNaming {
    /** In a Seriatim URL, such as {@code sqlite:FILE?kind=last}. */
    STORE_URL(""),
    /** In a JDBC URL, with a prefix. */
    JDBC_URL("seriatim."),
    /** With a {@link SequenceTable}. */
    PROGRAM("") {
        @Override
        String whenOwn() {
            return "open a plain table as SequenceTable.lastValue (its counter is the last value drawn) or nextValue";
        }

        @Override
        String whenPlain() {
            return "name them in SequenceTable.lastValue or nextValue";
        }
    };

    /**
     * @param what what is wrong
     * @param remedy what was done, and what to do
     */
    record OtherColumns(String what, String remedy) {}

    private final String prefix;

    TableNaming(String prefix) {
        this.prefix = prefix;
    }

    /** Returns the message for a table whose columns differ from those expected. */
    OtherColumns otherColumns(SequenceTable table) {
        return table.kind() == SequenceTable.Kind.OWN
                ? new OtherColumns(
                        "has other columns than Seriatim's table",
                        "so it was not changed; " + whenOwn() + ", or name another table")
                : new OtherColumns("has no such columns", "so it was not changed; " + whenPlain());
    }

    String whenOwn() {
        return "write " + prefix + "kind=last if its counter is the last value drawn, " + prefix
                + "kind=next if it is the next one (with " + prefix + "name-column and " + prefix
                + "value-column)";
    }

    String whenPlain() {
        return "name them: " + prefix + "name-column=…, " + prefix + "value-column=…";
    }
}
