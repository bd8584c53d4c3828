// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

/** The guarantee of a sequence's numbers. */
public enum Guarantee {
    /** No number is dealt twice. Drawn from memory; the fastest. */
    UNIQUE,

    /** Unique, and ordered: if one draw returns before another begins, in any process, its number is lower. */
    ORDERED,

    /**
     * Unique, ordered, and without gaps: the numbers of committed rows are exactly start … counter. Drawn on the
     * session's connection, in its transaction, so a rollback takes the number back. Transactions that draw from one
     * sequence run one after another, from the draw to the commit.
     */
    GAPLESS
}
