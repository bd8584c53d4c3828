// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.simulation;

/** How callers come, at each instance. Immutable. */
public sealed interface Demand {

    /** As many as there are threads, each of which draws, works, and draws again. */
    record Threads(int count) implements Demand {
        /**
         * Checks the number.
         *
         * @throws IllegalArgumentException when it is below 1
         */
        public Threads {
            if (count < 1) {
                throw new IllegalArgumentException("threads must be at least 1, not " + count);
            }
        }
    }

    /** At random, at so many a second on average, whether or not others have been served. */
    record Rate(double perSecond) implements Demand {
        /**
         * Checks the rate.
         *
         * @throws IllegalArgumentException when it is not above 0 and at most 1e9
         */
        public Rate {
            if (!(perSecond > 0 && perSecond <= 1e9)) {
                throw new IllegalArgumentException("rate must be above 0 and at most 1e9/s, not " + perSecond);
            }
        }
    }
}
