// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.bench.load.DrawLog;

/** The work of a client in the transaction around its numbers. Thread-safe. */
public sealed interface ClientWork permits SimulatedWork, InsertedRows {

    /** Uses a number as soon as it is drawn, inside a transaction of the store. */
    void use(Object transaction, long value);

    /** Uses all numbers of a transaction after the last one is drawn. */
    void useTogether(Object transaction, DrawLog draw);

    /**
     * Does the remaining work of the transaction.
     *
     * @return whether it completed; false if the run was stopped
     */
    boolean rest();

    /**
     * Does all of this in a separate transaction, for numbers drawn before.
     *
     * @return as {@link #rest}
     */
    boolean after(DrawLog draw);

    /** Returns whether there is no work. */
    boolean isIdle();
}
