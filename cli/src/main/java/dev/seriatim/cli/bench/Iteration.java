// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.bench;

import java.util.Optional;
import java.util.function.LongSupplier;

/** What a client does again and again: draws a number and works for a while. Thread-safe. */
interface Iteration {

    /**
     * Does it once.
     *
     * @param draw takes down the number and the times
     * @return whether it ran to its end; false when the run was stopped in the middle
     */
    boolean run(Draw draw);

    /** The draw alone, if an iteration is nothing else and so short that timing each would distort it. */
    default Optional<LongSupplier> bare() {
        return Optional.empty();
    }
}
