// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.verdict;

import java.util.List;
import java.util.Locale;

/**
 * A broken promise. Immutable.
 *
 * @param kind which promise
 * @param count how often it was broken
 * @param examples the first few in words
 */
public record Violation(Kind kind, long count, List<String> examples) {

    /** The promises. */
    public enum Kind {
        /** A number was dealt more than once. */
        DUPLICATE("dealt again"),
        /** A draw that began after another had returned got a lower number. */
        OUT_OF_ORDER("out of order"),
        /** A number is missing from those that are committed, is there without a reason, or was acknowledged and is gone. */
        GAP("gaps"),
        /** Numbers do not add up: more were dealt than reserved, or some vanished. */
        NOT_CONSERVED("not conserved"),
        /** A draw failed in a way that no fault explains. */
        FAILED("failed"),
        /** A draw did not return after the last fault was over. */
        HUNG("hung");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        /** Returns it in a word or two. */
        public String words() {
            return words;
        }

        /** Returns its name in JSON. */
        public String code() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Copies the examples. */
    public Violation {
        examples = List.copyOf(examples);
    }
}
