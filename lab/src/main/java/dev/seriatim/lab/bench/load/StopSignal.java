// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.bench.load;

/** Stops a benchmark early; it reports what it has measured so far. Thread-safe. */
public final class StopSignal {

    private volatile boolean set;

    public void set() {
        set = true;
    }

    public boolean isSet() {
        return set;
    }
}
