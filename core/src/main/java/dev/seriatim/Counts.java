// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

/** Checks how many values a caller asks for. */
final class Counts {

    private Counts() {}

    static int checked(String name, int count) {
        if (count < 1) {
            throw new SequenceException.Misconfigured(name, "a count must be at least 1, not " + count);
        }
        return count;
    }
}
