// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.advise;

import dev.seriatim.bench.simulation.Simulation;
import dev.seriatim.cli.draw.DrawMode;
import java.util.Arrays;
import java.util.Iterator;

/** The names of modes that can be simulated, for help and messages. Stateless. */
final class SimulatedModes implements Iterable<String> {

    @Override
    public Iterator<String> iterator() {
        return Arrays.stream(DrawMode.values())
                .filter(Simulation::knows)
                .map(DrawMode::name)
                .iterator();
    }
}
