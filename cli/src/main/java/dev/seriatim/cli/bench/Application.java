// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.bench;

/** What the application does in the transaction around a number. Thread-safe. */
sealed interface Application permits SimulatedWork, InsertedRows {

    /**
     * Works inside a transaction of the store, in which the number was drawn.
     *
     * @return whether it ran to its end; false when the run was stopped in the middle
     */
    boolean inside(Object transaction, long value);

    /** Works in a transaction of its own, for a number that was drawn before. */
    boolean after(long value);

    /** Whether there is nothing to do. */
    boolean isIdle();
}
