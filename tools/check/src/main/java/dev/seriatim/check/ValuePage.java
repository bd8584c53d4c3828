// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.check;

/** Some of the 65,536 values that share all but their lowest 16 bits, which are what this class calls a value. */
abstract sealed class ValuePage permits BitPage, RunPage {

    /** How many values a full page has. */
    static final int VALUES = 1 << 16;

    /** The lowest value that the latest {@link #add} found here; undefined if it found none. */
    int firstRepeated;

    /** Adds the values from the first to the last, and returns how many of them were here already. */
    abstract int add(int first, int last);

    abstract boolean contains(int value);

    abstract int size();

    /** Returns the lowest value that is here and not below another; -1 if there is none. */
    abstract int nextIn(int from);

    /** Returns the lowest value that is not here and not below another; {@link #VALUES} if there is none. */
    abstract int nextOut(int from);

    /** Returns whether every value is here; false for a page that {@link #compact} would change. */
    abstract boolean full();

    /** Returns whether {@link #compact} would return another form. */
    abstract boolean unsuited();

    /** Returns these values in the form that suits their number. */
    abstract ValuePage compact();
}
