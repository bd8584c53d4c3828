// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.conservation;

import dev.seriatim.engine.StoreSequences;
import java.util.ArrayList;
import java.util.List;

/** The instances of an application that have the same sequence open. Filled first, then thread-safe. */
final class Instances<S extends AutoCloseable> {

    private final List<StoreSequences> instances = new ArrayList<>();
    private final List<S> sequences = new ArrayList<>();

    void add(StoreSequences instance, S sequence) {
        instances.add(instance);
        sequences.add(sequence);
    }

    /** Returns the sequence of each instance. */
    List<S> sequences() {
        return sequences;
    }

    /** Returns the sequence of a random instance. */
    S any(RandomChoices chance) {
        return sequences.get(chance.pick(sequences.size()));
    }

    /** Closes an instance, or only its sequence. */
    void closeOne(RandomChoices chance) throws Exception {
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
