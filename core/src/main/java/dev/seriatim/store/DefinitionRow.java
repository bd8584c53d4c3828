// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.SequenceDefinition;
import java.util.List;
import java.util.Optional;

/** A row of Seriatim's own table: the counter, the whole definition and the epoch. */
record DefinitionRow() implements Layout {

    private static final List<String> COLUMNS = List.of(
            "next_value", "start_with", "increment_by", "min_value", "max_value", "cycle", "cache", "used_up", "epoch");

    @Override
    public List<String> columns() {
        return COLUMNS;
    }

    @Override
    public long[] numbers(SequenceState state) {
        SequenceDefinition d = state.definition();
        return new long[] {
            state.nextValue(),
            d.start(),
            d.increment(),
            d.min(),
            d.max(),
            bit(d.cycle()),
            d.cache(),
            bit(state.usedUp()),
            state.epoch()
        };
    }

    @Override
    public SequenceState state(String name, long[] n) {
        SequenceDefinition definition = new SequenceDefinition(name, n[1], n[2], n[3], n[4], n[5] != 0, n[6]);
        return new SequenceState(definition, n[0], n[7] != 0, n[8]);
    }

    @Override
    public Optional<Window> window(SequenceDefinition definition, long count) {
        return Window.of(definition, count);
    }

    @Override
    public long next(SequenceDefinition definition, long counter) {
        return counter;
    }

    @Override
    public SequenceDefinition adopt(SequenceDefinition wanted) {
        return wanted;
    }

    @Override
    public boolean holdsDefinition() {
        return true;
    }

    // Numbers rather than booleans: every engine has them with the same syntax.
    private static long bit(boolean value) {
        return value ? 1 : 0;
    }
}
