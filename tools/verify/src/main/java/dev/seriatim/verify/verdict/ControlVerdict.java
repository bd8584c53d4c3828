// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.verdict;

import java.time.Duration;

/**
 * What the same checks found of a generator that breaks its promise. Immutable.
 *
 * @param name its name
 * @param what what it does wrong
 * @param red whether the checks found that
 * @param found the first violation in words; empty if it is not red
 * @param numbers how many numbers it dealt
 * @param took how long it drew
 */
public record ControlVerdict(String name, String what, boolean red, String found, long numbers, Duration took) {}
