// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.simulation;

/** The callers of each instance. Immutable. */
public sealed interface Demand {

    /** Threads, each of which draws, works, and repeats. */
    record Threads(int threads) implements Demand {
        public Threads {
            if (threads < 1) {
                throw new IllegalArgumentException("threads must be at least 1, not " + threads);
            }
        }
    }

    /** Random arrivals at an average rate per second. */
    record Rate(double perSecond) implements Demand {
        public Rate {
            if (!(perSecond > 0 && perSecond <= 1e9)) {
                throw new IllegalArgumentException("rate must be above 0 and at most 1e9/s, not " + perSecond);
            }
        }
    }
}
