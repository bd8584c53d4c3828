// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.bench;

/** A transaction that is simulated by its duration alone. Thread-safe. */
record SimulatedWork(long nanos, Pause pause) implements Application {

    @Override
    public boolean inside(Object transaction, long value) {
        return pause.until(System.nanoTime() + nanos);
    }

    @Override
    public boolean after(long value) {
        return pause.until(System.nanoTime() + nanos);
    }

    @Override
    public boolean isIdle() {
        return nanos == 0;
    }
}
