// SPDX-License-Identifier: Apache-2.0
/**
 * A discrete-event simulation of many instances that draw from one row. The same seed has the same result. Start at {@link dev.seriatim.bench.simulation.Simulation}.
 */
@NullMarked
package dev.seriatim.bench.simulation;

import org.jspecify.annotations.NullMarked;
