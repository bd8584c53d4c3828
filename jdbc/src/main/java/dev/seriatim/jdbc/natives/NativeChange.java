// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.natives;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.store.SequenceState;
import java.util.function.UnaryOperator;

/** A change to a native sequence. */
public sealed interface NativeChange {

    /**
     * The state after it.
     *
     * @throws dev.seriatim.SequenceException.Misconfigured when it cannot be
     */
    SequenceState of(SequenceState state);

    /** Another definition. */
    record Altered(NativeEngine engine, UnaryOperator<SequenceDefinition> change) implements NativeChange {
        @Override
        public SequenceState of(SequenceState state) {
            return state.redefined(engine.held(change.apply(state.definition())));
        }
    }

    /** A counter further on. */
    record Raised(long value) implements NativeChange {
        @Override
        public SequenceState of(SequenceState state) {
            return state.raisedTo(value);
        }
    }

    /** A counter anywhere. */
    record Restarted(long value) implements NativeChange {
        @Override
        public SequenceState of(SequenceState state) {
            return state.restartedWith(value);
        }
    }
}
