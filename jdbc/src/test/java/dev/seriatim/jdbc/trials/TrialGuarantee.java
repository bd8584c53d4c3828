// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.trials;

/** What a mode guarantees besides unique values. */
enum TrialGuarantee {
    /** A draw that begins after another has returned gets a higher value, across all processes. */
    ORDERED,
    /** The values in the ledger are start … counter - 1, whatever was killed. */
    GAPLESS
}
