// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.verdict;

/**
 * What was done to those who drew, or to what they drew from. Immutable.
 *
 * @param what in a few words, such as {@code process killed}
 * @param count how often
 */
public record Harm(String what, long count) {}
