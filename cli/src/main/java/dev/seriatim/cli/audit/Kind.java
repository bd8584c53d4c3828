// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.audit;

/** A kind of fault that a column can have many of. */
enum Kind {
    /** One number in several rows. */
    DUPLICATE("duplicate"),
    /** Numbers that were dealt and are missing, although later ones are there. */
    GAP("gap"),
    /** Numbers that are there although the sequence does not deal them: before its start, or off its step. */
    STRAY("stray"),
    /** A number that goes back although its time goes on. */
    OUT_OF_ORDER("out of order");

    private final String words;

    Kind(String words) {
        this.words = words;
    }

    /** For programs. */
    String key() {
        return words.replace(' ', '_');
    }

    /** For people. */
    @Override
    public String toString() {
        return words;
    }
}
