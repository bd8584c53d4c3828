// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.report;

/**
 * What to use for a need, by what was measured. Immutable.
 *
 * @param need the need, in a few words
 * @param detail the same, explained
 * @param found whether a mode is recommended
 * @param take that mode, or why none is named
 * @param cost what it costs here, or why that is not known
 * @param command the command that measures it; empty where it was measured, or cannot be
 */
public record Recommendation(String need, String detail, boolean found, String take, String cost, String command) {}
