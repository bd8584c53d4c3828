// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.conservation;

/**
 * A number that is kept in the transaction that drew it.
 *
 * @param attempt whose it is
 * @param run in which run of a unit it was kept
 * @param number the number
 */
public record Row(long attempt, int run, long number) {}
