// SPDX-License-Identifier: Apache-2.0
/** The modes and baselines to measure, and what clients do with the numbers. */
@NullMarked
package dev.seriatim.bench.contender;

import org.jspecify.annotations.NullMarked;
