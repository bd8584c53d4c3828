// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.store.PoolState;
import dev.seriatim.store.SequenceState;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The value that the next draw gets: none when used up, and a cycle's beginning when it starts over. Draws in the mode POOLED
 * get what is in the pool before that.
 */
final class NextValue {

    private NextValue() {}

    static Optional<Long> of(SequenceState state) {
        if (!state.usedUp()) {
            return Optional.of(state.nextValue());
        }
        return state.definition().cycle() ? Optional.of(state.definition().origin()) : Optional.empty();
    }

    static String sentence(SequenceState state, Optional<PoolState> pool) {
        Optional<Long> next = of(state);
        OptionalLong pooled = pool.map(PoolState::lowest).orElse(OptionalLong.empty());
        if (pooled.isEmpty()) {
            return next.map(value -> "its next value is " + value).orElse("it is used up");
        }
        return "its pool goes on with " + pooled.getAsLong() + ", and its counter "
                + next.map(value -> "with " + value).orElse("is used up");
    }
}
