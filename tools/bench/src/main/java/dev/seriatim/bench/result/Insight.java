// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import java.util.Optional;

/**
 * A finding. Immutable.
 *
 * @param text one or two sentences
 * @param source the publication that it quotes, if any
 */
record Insight(String text, Optional<Publication> source) {

    Insight(String text) {
        this(text, Optional.empty());
    }
}
