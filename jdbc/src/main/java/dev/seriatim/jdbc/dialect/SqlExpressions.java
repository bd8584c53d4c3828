// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

/** A dialect whose engine compares texts, or finds operators and functions, in a way of its own. */
public interface SqlExpressions {

    /** Of the other engines. */
    SqlExpressions PLAIN = new SqlExpressions() {};

    /** Those of a dialect. */
    static SqlExpressions of(Dialect dialect) {
        return dialect instanceof SqlExpressions own ? own : PLAIN;
    }

    /**
     * An expression of a text, such as a column or a parameter, that is compared code point by code point whatever the
     * column's type: for tables that others have made.
     */
    default String exact(String text) {
        return text;
    }

    /**
     * One of the engine's own operators, as a statement names it, with no blanks around it: on some engines the search path of
     * whoever runs the statement may lead to another one first, which others have made.
     *
     * @param symbol such as {@code =}
     */
    default String operator(String symbol) {
        return symbol;
    }

    /** One of the engine's own functions, in the same way. */
    default String function(String name) {
        return name;
    }
}
