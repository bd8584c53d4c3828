// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.trials;

/** What a mode promises beside unique values. */
enum Promise {
    /** A draw that began after another had returned gets a higher value, over all processes. */
    ORDERED,
    /** The values in the ledger are start … counter - 1, whatever has been killed. */
    GAPLESS
}
