// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.bench.load.DrawLog;
import dev.seriatim.bench.load.Iteration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Draws one number before an application transaction. Thread-safe.
 *
 * @param numbers draws a number
 * @param application the transaction
 * @param sampled whether to time only some of the draws if there is no transaction
 */
public record DrawThenWork(LongSupplier numbers, ClientWork application, boolean sampled) implements Iteration {

    @Override
    public boolean run(DrawLog draw) {
        draw.started = System.nanoTime();
        draw.begin(draw.started);
        long value = numbers.getAsLong();
        draw.finished = System.nanoTime();
        draw.took(value, draw.finished);
        if (application.isIdle()) {
            return true;
        }
        boolean whole = application.after(draw);
        draw.finished = System.nanoTime();
        return whole;
    }

    @Override
    public Optional<LongSupplier> bare() {
        return application.isIdle() && sampled ? Optional.of(numbers) : Optional.empty();
    }
}
