// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

/** A dialect whose engine compares texts, or resolves operators and functions, in its own way. */
public interface SqlExpressions {

    /** For all other engines. */
    SqlExpressions PLAIN = new SqlExpressions() {};

    /** Returns the dialect's implementation, or {@link #PLAIN}. */
    static SqlExpressions of(Dialect dialect) {
        return dialect instanceof SqlExpressions own ? own : PLAIN;
    }

    /**
     * Returns an expression that compares a text, such as a column or a parameter, code point by code point, whatever
     * the column's type: for tables that the library did not create.
     */
    default String exact(String text) {
        return text;
    }

    /**
     * Returns one of the engine's own operators as written in a statement, without surrounding blanks. On some
     * engines, an unqualified name could resolve to another user's operator on the search path.
     *
     * @param symbol such as {@code =}
     */
    default String operator(String symbol) {
        return symbol;
    }

    /** Returns one of the engine's own functions, qualified for the same reason. */
    default String function(String name) {
        return name;
    }
}
