// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.bench.contender;

import dev.seriatim.lab.bench.load.DrawLog;

/** What the application does in the transaction around its numbers. Thread-safe. */
public sealed interface ClientWork permits SimulatedWork, InsertedRows {

    /** What is done with a number as soon as it has been drawn, inside a transaction of the store. */
    void use(Object transaction, long value);

    /** What is done with all numbers of a transaction when the last one has been drawn. */
    void useTogether(Object transaction, DrawLog draw);

    /**
     * What the transaction does besides, after its numbers have been used.
     *
     * @return whether it ran to its end; false when the run was stopped in the middle
     */
    boolean rest();

    /**
     * All of that, in a transaction of its own, for numbers that were drawn before.
     *
     * @return as {@link #rest}
     */
    boolean after(DrawLog draw);

    /** Whether there is nothing to do. */
    boolean isIdle();
}
