// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import java.util.List;
import java.util.Optional;

/**
 * A row of a plain table, which holds only the counter: either the next value or the last value drawn. The definition
 * belongs to the table. A sequence is used up if the next value would exceed its bound; the epoch is always 0.
 */
record PlainRow(SequenceTable table) implements Layout {

    @Override
    public List<String> columns() {
        return List.of(table.valueColumn());
    }

    @Override
    public long[] numbers(SequenceState state) {
        long increment = state.definition().increment();
        long value = state.nextValue();
        // The table's template was validated: one step beyond its bounds is still a number.
        long last = state.usedUp() ? value : value - increment;
        long next = state.usedUp() ? value + increment : value;
        return new long[] {holdsLast() ? last : next};
    }

    @Override
    public SequenceState state(String name, long[] numbers) {
        SequenceDefinition definition = named(name);
        long counter = numbers[0];
        return hasNext(definition, counter)
                ? new SequenceState(definition, next(definition, counter), false, 0)
                : new SequenceState(definition, dealtLast(definition, counter), true, 0);
    }

    /** Whether the next value is before the end; the state itself rejects one below the beginning. */
    private boolean hasNext(SequenceDefinition definition, long counter) {
        long next = next(definition, counter);
        return definition.ascending()
                ? next <= definition.max() && !(holdsLast() && next < counter)
                : next >= definition.min() && !(holdsLast() && next > counter);
    }

    /** Returns the last value dealt, for a counter at or beyond the end; one edited by hand may be anywhere beyond. */
    private long dealtLast(SequenceDefinition definition, long counter) {
        long last = holdsLast() ? counter : counter - definition.increment();
        boolean inside = last >= definition.min() && last <= definition.max();
        return inside ? last : definition.ascending() ? definition.max() : definition.min();
    }

    @Override
    public Optional<Window> window(SequenceDefinition definition, long count) {
        Optional<Window> window = Window.of(definition, count);
        return holdsLast() ? window.flatMap(w -> w.oneStepBehind(definition.increment())) : window;
    }

    @Override
    public long next(SequenceDefinition definition, long counter) {
        return holdsLast() ? counter + definition.increment() : counter;
    }

    /** Parts left at SQL's default are taken from the table; the start is the row's initial counter. */
    @Override
    public SequenceDefinition adopt(SequenceDefinition wanted) {
        SequenceDefinition held = named(wanted.name());
        SequenceDefinition plain = SequenceDefinition.named(wanted.name())
                .incrementBy(wanted.increment())
                .build();
        boolean fits = (wanted.increment() == held.increment() || wanted.increment() == 1)
                && (wanted.min() == held.min() || wanted.min() == plain.min())
                && (wanted.max() == held.max() || wanted.max() == plain.max())
                && (wanted.cache() == held.cache() || wanted.cache() == plain.cache())
                && !wanted.cycle();
        if (!fits) {
            throw new Misconfigured(
                    wanted.name(),
                    "a row of table " + table.table() + " holds only the counter, and its sequences are " + held.min()
                            + " … "
                            + held.max() + " by " + held.increment() + " in blocks of " + held.cache()
                            + "; use that definition, or change it where the store is opened");
        }
        return wanted.start() == plain.start()
                ? held
                : held.toBuilder().startWith(wanted.start()).build();
    }

    @Override
    public boolean holdsDefinition() {
        return false;
    }

    private boolean holdsLast() {
        return table.kind() == SequenceTable.Kind.LAST_VALUE;
    }

    private SequenceDefinition named(String name) {
        SequenceDefinition t = table.template();
        return new SequenceDefinition(name, t.start(), t.increment(), t.min(), t.max(), false, t.cache());
    }
}
