// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.bench.contender;

import dev.seriatim.lab.bench.load.DrawLog;
import dev.seriatim.lab.bench.load.Iteration;
import java.util.function.Supplier;

/** Opens a contender anew for each client, which shares it with nobody. Used by one thread. */
record InstancePerClient(Supplier<Iteration> opening) implements Iteration {

    @Override
    public boolean run(DrawLog draw) {
        throw new IllegalStateException("each client has to have an iteration of its own");
    }

    @Override
    public Iteration ofOneClient() {
        return opening.get();
    }
}
