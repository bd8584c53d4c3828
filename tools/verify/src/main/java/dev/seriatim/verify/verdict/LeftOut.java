// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.verdict;

/**
 * What was asked for, or is usual, and could not be done here. Immutable.
 *
 * @param what a mode, a kind of fault, or a control
 * @param why in one line
 */
public record LeftOut(String what, String why) {}
