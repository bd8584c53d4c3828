// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.bench;

import java.util.Optional;
import java.util.function.LongSupplier;

/** Draws before an application transaction, which is simulated by its duration alone. Thread-safe. */
record DrawThenWork(LongSupplier numbers, long appLatencyNanos, Pause pause, boolean timesDoNotMatter)
        implements Iteration {

    @Override
    public boolean run(Draw draw) {
        draw.started = System.nanoTime();
        draw.began = draw.started;
        draw.value = numbers.getAsLong();
        draw.returned = System.nanoTime();
        draw.drawn = true;
        draw.finished = draw.returned;
        if (appLatencyNanos == 0) {
            return true;
        }
        boolean whole = pause.until(draw.returned + appLatencyNanos);
        draw.finished = System.nanoTime();
        return whole;
    }

    @Override
    public Optional<LongSupplier> bare() {
        return appLatencyNanos == 0 && timesDoNotMatter ? Optional.of(numbers) : Optional.empty();
    }
}
