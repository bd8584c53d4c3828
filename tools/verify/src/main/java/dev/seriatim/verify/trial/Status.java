// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.trial;

import dev.seriatim.verify.verdict.Harm;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * How far a trial has come. Immutable.
 *
 * @param doing what it does now, in a few words
 * @param since since it began to do that
 * @param longest how long that may take
 * @param numbers how many numbers callers have got
 * @param harms what has struck
 * @param reached how much of each goal is reached
 */
public record Status(
        String doing, Duration since, Duration longest, long numbers, List<Harm> harms, Map<Goal, Long> reached) {}
