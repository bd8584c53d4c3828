// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.advise;

import dev.seriatim.bench.simulation.SimulationPlan;
import dev.seriatim.cli.draw.DrawMode;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The mode that suits a load. Immutable.
 *
 * @param mode the mode, which reaches the rate
 * @param why the reason, and what to watch
 * @param alternative another mode, when it is the better choice, and what it costs; null if there is none
 * @param blocks the shape of blocks; null for a mode without them
 * @param reservationsPerSecond transactions per second on the sequence's row
 * @param lostInCrash maximum values that a crash of one instance loses
 */
record Advice(
        DrawMode mode,
        String why,
        @Nullable String alternative,
        SimulationPlan.@Nullable Blocks blocks,
        BigDecimal reservationsPerSecond,
        long lostInCrash) {}
