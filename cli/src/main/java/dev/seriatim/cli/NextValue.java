// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.SequenceState;
import java.util.Optional;

/** The value that the next draw gets: none when used up, and a cycle's beginning when it starts over. */
final class NextValue {

    private NextValue() {}

    static Optional<Long> of(SequenceState state) {
        if (!state.usedUp()) {
            return Optional.of(state.nextValue());
        }
        return state.definition().cycle() ? Optional.of(state.definition().origin()) : Optional.empty();
    }

    static String sentence(SequenceState state) {
        return of(state).map(value -> "its next value is " + value).orElse("it is used up");
    }
}
