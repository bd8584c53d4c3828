// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.report;

import java.util.Optional;

/**
 * Something that was found out. Immutable.
 *
 * @param text one or two sentences
 * @param source where the figures that they quote as published come from
 */
record Insight(String text, Optional<Publication> source) {

    Insight(String text) {
        this(text, Optional.empty());
    }
}
