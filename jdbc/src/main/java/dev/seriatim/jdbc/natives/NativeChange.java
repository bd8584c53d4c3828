// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.natives;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.store.SequenceState;
import java.util.function.UnaryOperator;

public sealed interface NativeChange {

    /**
     * Returns the state after the change.
     *
     * @throws dev.seriatim.SequenceException.Misconfigured if the change is impossible
     */
    SequenceState of(SequenceState state);

    record Altered(NativeEngine engine, UnaryOperator<SequenceDefinition> change) implements NativeChange {
        @Override
        public SequenceState of(SequenceState state) {
            return state.redefined(engine.held(change.apply(state.definition())));
        }
    }

    record Raised(long value) implements NativeChange {
        @Override
        public SequenceState of(SequenceState state) {
            return state.raisedTo(value);
        }
    }

    record Restarted(long value) implements NativeChange {
        @Override
        public SequenceState of(SequenceState state) {
            return state.restartedWith(value);
        }
    }
}
