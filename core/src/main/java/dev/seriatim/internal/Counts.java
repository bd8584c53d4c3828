// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.internal;

import dev.seriatim.SequenceException;
import java.time.Duration;

/** Validates the number of values that a caller requests, and its patience. */
public final class Counts {

    private Counts() {}

    public static int checked(String name, int count) {
        if (count < 1) {
            throw new SequenceException.Misconfigured(name, "a count must be at least 1, not " + count);
        }
        return count;
    }

    public static Duration positive(Duration patience) {
        if (patience.isZero() || patience.isNegative()) {
            throw new SequenceException.Misconfigured("patience must be positive, not " + patience.toMillis() + " ms");
        }
        return patience;
    }
}
