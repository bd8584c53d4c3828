// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.bench.load.DrawLog;
import dev.seriatim.bench.load.Pause;

/** A transaction simulated by a pause. Thread-safe. */
public record SimulatedWork(long nanos, Pause pause) implements ClientWork {

    @Override
    public void use(Object transaction, long value) {
        // The work does not depend on the number.
    }

    @Override
    public void useTogether(Object transaction, DrawLog draw) {
        // the same
    }

    @Override
    public boolean rest() {
        return nanos == 0 || pause.until(System.nanoTime() + nanos);
    }

    @Override
    public boolean after(DrawLog draw) {
        return rest();
    }

    @Override
    public boolean isIdle() {
        return nanos == 0;
    }
}
