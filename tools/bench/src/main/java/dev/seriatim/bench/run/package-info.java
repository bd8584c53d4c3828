// SPDX-License-Identifier: Apache-2.0
/**
 * The modes and baselines to measure, the scenarios that compare them, and the session that runs and checks them. Start at
 * {@link dev.seriatim.bench.run.Session}.
 */
@NullMarked
package dev.seriatim.bench.run;

import org.jspecify.annotations.NullMarked;
