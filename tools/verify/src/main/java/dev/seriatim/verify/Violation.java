// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import com.google.gson.annotations.SerializedName;
import java.util.List;

/** A broken promise, with the first few examples in words. Immutable. */
record Violation(Kind kind, long count, List<String> examples) {

    enum Kind {
        @SerializedName("duplicate")
        DUPLICATE("dealt again"),
        /** A draw that began after another had returned got a lower number. */
        @SerializedName("out_of_order")
        OUT_OF_ORDER("out of order"),
        /** A committed number is missing or stray, or an acknowledged number is not committed. */
        @SerializedName("gap")
        GAP("gaps"),
        @SerializedName("lost")
        LOST("lost"),
        @SerializedName("twice")
        TWICE("twice"),
        /** More numbers were dealt than reserved, or some vanished. */
        @SerializedName("not_conserved")
        NOT_CONSERVED("not conserved"),
        /** A draw failed for a reason that no fault explains. */
        @SerializedName("failed")
        FAILED("failed"),
        /** A draw did not return after the last fault had ended. */
        @SerializedName("hung")
        HUNG("hung");

        final String title;

        Kind(String title) {
            this.title = title;
        }
    }

    Violation {
        examples = List.copyOf(examples);
    }
}
