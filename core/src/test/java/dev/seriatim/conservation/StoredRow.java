// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.conservation;

/**
 * A number that is stored in the transaction that drew it.
 *
 * @param attempt the attempt that stored it
 * @param run the run of a unit in which it was stored
 * @param number the number
 */
public record StoredRow(long attempt, int run, long number) {}
