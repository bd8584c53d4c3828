// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.contender;

import dev.seriatim.Block;
import dev.seriatim.bench.load.DrawLog;
import dev.seriatim.bench.load.Iteration;
import java.util.function.IntFunction;

/**
 * Draws all numbers of an application transaction before it starts. Thread-safe.
 *
 * @param numbers draws several numbers
 * @param application the transaction
 * @param times numbers per transaction
 */
record DrawSeveralThenWork(IntFunction<Block> numbers, ClientWork application, int times) implements Iteration {

    @Override
    public boolean run(DrawLog draw) {
        draw.started = System.nanoTime();
        while (draw.count() < times) {
            draw.begin();
            draw.took(numbers.apply(times - draw.count()));
        }
        boolean whole = application.after(draw);
        draw.finished = System.nanoTime();
        return whole;
    }
}
