// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.PoolState;
import dev.seriatim.store.PoolingStore;
import dev.seriatim.store.SequenceState;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Describes the state of sequences. Stateless. */
final class StateReport {

    private StateReport() {}

    /** Returns the properties of a sequence by their names; null for no value. */
    static Map<String, @Nullable Object> properties(SequenceState state) {
        SequenceDefinition definition = state.definition();
        Map<String, @Nullable Object> properties = new LinkedHashMap<>();
        properties.put("name", definition.name());
        properties.put("next value", next(state).orElse(null));
        properties.put("start with", definition.start());
        properties.put("increment by", definition.increment());
        properties.put("min value", definition.min());
        properties.put("max value", definition.max());
        properties.put("cycle", definition.cycle());
        properties.put("cache", definition.cache());
        properties.put("used ratio", state.usedRatio());
        properties.put("values left", state.valuesLeft());
        return properties;
    }

    /** Returns the counter's next value: none if it is used up, and the first value of a cycle after its last one. */
    private static Optional<Long> next(SequenceState state) {
        if (!state.usedUp()) {
            return Optional.of(state.nextValue());
        }
        return state.definition().cycle() ? Optional.of(state.definition().origin()) : Optional.empty();
    }

    /** Returns the pool of a sequence, whose numbers the mode POOLED draws first; empty if it has none. */
    static Optional<PoolState> pool(OpenStore store, String name) {
        return store instanceof PoolingStore<?> pooling ? pooling.poolState(name) : Optional.empty();
    }

    /** Returns the next values of the counter and of the pool, as the end of a sentence. */
    static String sentence(SequenceState state, OpenStore store) {
        Optional<Long> next = next(state);
        OptionalLong pooled =
                pool(store, state.definition().name()).map(PoolState::lowest).orElse(OptionalLong.empty());
        if (pooled.isEmpty()) {
            return next.map(value -> "its next value is " + value).orElse("it is used up");
        }
        return "its pool continues with " + pooled.getAsLong() + ", and its counter "
                + next.map(value -> "with " + value).orElse("is used up");
    }

    static String text(@Nullable Object value) {
        if (value instanceof Boolean truth) {
            return truth ? "yes" : "no";
        }
        if (value instanceof Double ratio) {
            return String.format(Locale.ROOT, "%.2f %%", ratio * 100);
        }
        return value == null ? "used up" : OneLine.of(value.toString());
    }
}
