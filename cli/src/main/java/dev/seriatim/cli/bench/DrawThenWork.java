// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.bench;

import java.util.Optional;
import java.util.function.LongSupplier;

/** Draws before an application transaction. Thread-safe. */
record DrawThenWork(LongSupplier numbers, Application application, boolean timesDoNotMatter) implements Iteration {

    @Override
    public boolean run(Draw draw) {
        draw.started = System.nanoTime();
        draw.began = draw.started;
        draw.value = numbers.getAsLong();
        draw.returned = System.nanoTime();
        draw.drawn = true;
        draw.finished = draw.returned;
        if (application.isIdle()) {
            return true;
        }
        boolean whole = application.after(draw.value);
        draw.finished = System.nanoTime();
        return whole;
    }

    @Override
    public Optional<LongSupplier> bare() {
        return application.isIdle() && timesDoNotMatter ? Optional.of(numbers) : Optional.empty();
    }
}
