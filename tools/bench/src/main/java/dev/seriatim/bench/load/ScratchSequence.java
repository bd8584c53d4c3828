// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.load;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.store.OpenStore;
import java.util.UUID;

/** A sequence 1, 2, 3, … for a single run, with a unique name; dropped on close. Thread-safe. */
public record ScratchSequence(OpenStore store, SequenceDefinition definition) implements AutoCloseable {

    public static final String PREFIX = "seriatim_bench_";

    public static ScratchSequence in(OpenStore store) {
        SequenceDefinition definition = store.newDefinition(freshName()).build();
        store.create(definition);
        return new ScratchSequence(store, definition);
    }

    public static String freshName() {
        return PREFIX + UUID.randomUUID().toString().replace("-", "");
    }

    public String name() {
        return definition.name();
    }

    public long next() {
        return store.describe(name()).nextValue();
    }

    @Override
    public void close() {
        store.drop(name());
    }
}
