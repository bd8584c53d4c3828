// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.contender;

import dev.seriatim.bench.load.DrawLog;
import dev.seriatim.bench.load.Iteration;
import java.util.function.Supplier;

/** Opens a separate instance of a contender for each client. Used by one thread. */
record InstancePerClient(Supplier<Iteration> opening) implements Iteration {

    @Override
    public boolean run(DrawLog draw) {
        throw new IllegalStateException("each client needs its own iteration");
    }

    @Override
    public Iteration ofOneClient() {
        return opening.get();
    }
}
