// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

/**
 * The recommended mode for a need, according to the measurements. Immutable.
 *
 * @param need the need, in a few words
 * @param detail an explanation of the need
 * @param found whether a mode is recommended
 * @param take the mode, or why there is none
 * @param cost its cost, or why it is unknown
 * @param command the command that measures it; empty if it was measured or cannot be
 */
public record Recommendation(String need, String detail, boolean found, String take, String cost, String command) {}
