// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.conservation;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.store.SequenceCatalog;
import dev.seriatim.store.SequenceState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Changes that an administrator makes to a counter, one after another, while others draw from it. For use by one
 * thread.
 */
final class Changes {

    /** The outcome of a change. */
    enum Outcome {
        DONE,
        REFUSED,
        UNKNOWN
    }

    /** A change, and its effect on the counter. */
    record Change(String what, UnaryOperator<SequenceState> effect, Outcome outcome) {

        @Override
        public String toString() {
            return what + " " + outcome;
        }
    }

    private final SequenceCatalog catalog;
    private final String name;
    private final RandomChoices chance;
    private final boolean onlyBounds;
    private final List<Change> made = new ArrayList<>();

    /** Makes all changes, or only those that leave no gap. */
    Changes(SequenceCatalog catalog, String name, RandomChoices chance, boolean onlyBounds) {
        this.catalog = catalog;
        this.name = name;
        this.chance = chance;
        this.onlyBounds = onlyBounds;
    }

    /** Returns the changes in the order in which they were made. */
    List<Change> made() {
        return made;
    }

    /** Returns whether the changes keep the order of numbers. */
    boolean keepOrder() {
        return made.stream()
                .allMatch(change ->
                        change.what().startsWith("raise") || change.what().startsWith("cache"));
    }

    void makeOne() {
        SequenceState now = catalog.describe(name);
        SequenceDefinition definition = now.definition();
        boolean up = definition.ascending();
        long next = now.nextValue();
        switch (chance.pick(onlyBounds ? 2 : 7)) {
            case 0 -> {
                long cache = 1L + chance.pick(40);
                alter("cache " + cache, was -> was.cache(cache));
            }
            case 1 -> {
                long end = up ? next + 40 + chance.pick(300) : next - 40 - chance.pick(300);
                alter("end at " + end, was -> up ? was.maxValue(end) : was.minValue(end));
            }
            case 2 -> {
                long step = (1L + chance.pick(3)) * (up ? 1 : -1);
                alter("step " + step, was -> was.incrementBy(step));
            }
            case 3 ->
                alter(
                        "turn around",
                        was -> was.incrementBy(-definition.increment())
                                .minValue(Math.min(definition.min(), next - 1000))
                                .maxValue(Math.max(definition.max(), next + 1000)));
            case 4 -> alter("cycle " + !definition.cycle(), was -> was.cycle(!definition.cycle()));
            case 5 -> {
                long value = next + definition.increment() * chance.pick(30) + chance.pick(2);
                make("raise to " + value, state -> state.raisedTo(value), () -> catalog.raise(name, value));
            }
            default -> {
                long value = definition.start() + chance.pick(20);
                make("restart with " + value, state -> state.restartedWith(value), () -> catalog.restart(name, value));
            }
        }
    }

    private void alter(String what, UnaryOperator<SequenceDefinition.Builder> by) {
        UnaryOperator<SequenceDefinition> change =
                definition -> by.apply(definition.toBuilder()).build();
        make(what, state -> state.redefined(change.apply(state.definition())), () -> catalog.alter(name, change));
    }

    private void make(String what, UnaryOperator<SequenceState> effect, Runnable making) {
        Outcome outcome = Outcome.DONE;
        try {
            making.run();
        } catch (SequenceException.CommitOutcomeUnknown e) {
            outcome = Outcome.UNKNOWN;
        } catch (SequenceException e) {
            if (!(e instanceof SequenceException.Misconfigured)) {
                return; // another session caused a conflict: nothing was changed
            }
            outcome = Outcome.REFUSED;
        }
        made.add(new Change(what, effect, outcome));
    }
}
