// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.bench.load;

/** Asks a benchmark to come to its end early, with a report of what was measured so far. Thread-safe. */
public final class StopSignal {

    private volatile boolean set;

    public void set() {
        set = true;
    }

    public boolean isSet() {
        return set;
    }
}
