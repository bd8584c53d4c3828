// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.natives;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.store.SequenceState;
import java.util.function.UnaryOperator;

/** A change to a native sequence. */
public sealed interface NativeChange {

    /**
     * Returns the state after the change.
     *
     * @throws dev.seriatim.SequenceException.Misconfigured if the change is impossible
     */
    SequenceState of(SequenceState state);

    /** A changed definition. */
    record Altered(NativeEngine engine, UnaryOperator<SequenceDefinition> change) implements NativeChange {
        @Override
        public SequenceState of(SequenceState state) {
            return state.redefined(engine.held(change.apply(state.definition())));
        }
    }

    /** A raised counter. */
    record Raised(long value) implements NativeChange {
        @Override
        public SequenceState of(SequenceState state) {
            return state.raisedTo(value);
        }
    }

    /** A counter set to any value. */
    record Restarted(long value) implements NativeChange {
        @Override
        public SequenceState of(SequenceState state) {
            return state.restartedWith(value);
        }
    }
}
