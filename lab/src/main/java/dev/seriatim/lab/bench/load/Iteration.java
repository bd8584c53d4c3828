// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.bench.load;

import java.util.Optional;
import java.util.function.LongSupplier;

/** What a client does again and again: draws numbers and works for a while. Thread-safe. */
public interface Iteration {

    /**
     * Does it once.
     *
     * @param draw takes down the numbers and the times; has been restarted
     * @return whether it ran to its end; false when the run was stopped in the middle
     */
    boolean run(DrawLog draw);

    /** The draw alone, if an iteration is nothing else and so short that timing each would distort it. */
    default Optional<LongSupplier> bare() {
        return Optional.empty();
    }

    /** The same for one client alone, with whatever each client has to itself, such as a connection. */
    default Iteration ofOneClient() {
        return this;
    }
}
