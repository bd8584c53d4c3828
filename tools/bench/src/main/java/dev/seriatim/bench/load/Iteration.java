// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.load;

import java.util.Optional;
import java.util.function.LongSupplier;

/** An iteration of a client: draws numbers and does other work. Thread-safe. */
public interface Iteration {

    /**
     * Runs once.
     *
     * @param draw records the numbers and times; already cleared
     * @return whether it completed; false if the run was stopped
     */
    boolean run(DrawLog draw);

    /** Returns the draw if the iteration is nothing else, and so short that timing it would distort it. */
    default Optional<LongSupplier> bare() {
        return Optional.empty();
    }

    /** Returns the iteration for one client, with resources such as its own connection. */
    default Iteration ofOneClient() {
        return this;
    }
}
