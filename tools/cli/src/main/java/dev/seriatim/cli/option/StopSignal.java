// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.option;

/** Stops a command early; it then reports its results so far. Thread-safe. */
public final class StopSignal {

    private volatile boolean set;

    public void set() {
        set = true;
    }

    public boolean isSet() {
        return set;
    }
}
