// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.advise;

import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.lab.simulation.Simulation;
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
