// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.bench;

/** Asks a benchmark to come to its end early, with a report of what was measured so far. Thread-safe. */
final class StopSignal {

    private volatile boolean set;

    void set() {
        set = true;
    }

    boolean isSet() {
        return set;
    }
}
