// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.store.OpenStore;
import dev.seriatim.store.PoolState;
import dev.seriatim.store.PoolingStore;
import dev.seriatim.store.SequenceState;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The next value of a counter: none if the sequence is used up, and the first value of a cycle after its last one.
 * Draws in the mode POOLED first get the numbers in the pool.
 */
final class NextValue {

    private NextValue() {}

    static Optional<Long> of(SequenceState state) {
        if (!state.usedUp()) {
            return Optional.of(state.nextValue());
        }
        return state.definition().cycle() ? Optional.of(state.definition().origin()) : Optional.empty();
    }

    /** Returns the pool of a sequence; empty if it has none. */
    static Optional<PoolState> pool(OpenStore store, String name) {
        return store instanceof PoolingStore<?> pooling ? pooling.poolState(name) : Optional.empty();
    }

    /** Returns the next values of the counter and of the pool, as the end of a sentence. */
    static String sentence(SequenceState state, OpenStore store) {
        Optional<Long> next = of(state);
        OptionalLong pooled =
                pool(store, state.definition().name()).map(PoolState::lowest).orElse(OptionalLong.empty());
        if (pooled.isEmpty()) {
            return next.map(value -> "its next value is " + value).orElse("it is used up");
        }
        return "its pool continues with " + pooled.getAsLong() + ", and its counter "
                + next.map(value -> "with " + value).orElse("is used up");
    }
}
