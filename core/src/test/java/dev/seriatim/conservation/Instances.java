// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.conservation;

import dev.seriatim.engine.StoreSequences;
import java.util.ArrayList;
import java.util.List;

/** The instances of an application that draw from one sequence, each of which has it open. Filled first, then thread-safe. */
final class Instances<S extends AutoCloseable> {

    private final List<StoreSequences> instances = new ArrayList<>();
    private final List<S> sequences = new ArrayList<>();

    void add(StoreSequences instance, S sequence) {
        instances.add(instance);
        sequences.add(sequence);
    }

    /** What each of them draws from. */
    List<S> sequences() {
        return sequences;
    }

    /** What one of them draws from. */
    S any(Chance chance) {
        return sequences.get(chance.pick(sequences.size()));
    }

    /** Closes one of them, or only its sequence. */
    void closeOne(Chance chance) throws Exception {
        int which = chance.pick(instances.size());
        if (chance.oneIn(2)) {
            instances.get(which).close();
        } else {
            sequences.get(which).close();
        }
    }

    void close() {
        instances.forEach(StoreSequences::close);
    }
}
