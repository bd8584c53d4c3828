// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.trials;

/** Draws one number after another; in gapless modes, stores each in the mode's ledger. Thread-safe. */
@FunctionalInterface
interface Draws {
    long next() throws Exception;
}
