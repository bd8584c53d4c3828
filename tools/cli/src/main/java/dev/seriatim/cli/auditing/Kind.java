// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.auditing;

/** A kind of fault that can occur many times in a column. */
enum Kind {
    /** One number in several rows. */
    DUPLICATE("duplicate"),
    /** Numbers that were dealt and are missing while later ones are present. */
    GAP("gap"),
    /** Numbers that the sequence does not deal: before its start, or off its step. */
    STRAY("stray"),
    /** A lower number at a later time. */
    OUT_OF_ORDER("out of order");

    private final String words;

    Kind(String words) {
        this.words = words;
    }

    /** Returns the name in JSON. */
    String key() {
        return words.replace(' ', '_');
    }

    /** Returns the name in text. */
    @Override
    public String toString() {
        return words;
    }
}
