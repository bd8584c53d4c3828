// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.report;

/**
 * The look of a line and its marks. Immutable.
 *
 * @param colour the index in the palette, from 0 to 9
 * @param mark the shape of its points
 */
public record Look(int colour, Mark mark) {}
