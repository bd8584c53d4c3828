// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.striped;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.store.SequenceCatalog;
import dev.seriatim.store.SequenceState;
import java.util.ArrayList;
import java.util.List;

/**
 * Creates the missing counters of a striped sequence, in the order of stripes: of two processes that create different
 * definitions, one fails at the first counter. Not thread-safe.
 */
final class StripedCreation {

    private final Striping striping;
    private final SequenceCatalog catalog;
    private final SequenceDefinition definition;
    private final List<SequenceDefinition> counters;

    StripedCreation(Striping striping, SequenceCatalog catalog, SequenceDefinition definition) {
        this.striping = striping;
        this.catalog = catalog;
        this.definition = definition;
        counters = striping.counters(definition);
    }

    /** Creates the missing counters, and returns whether any was missing. */
    boolean complete() {
        List<SequenceDefinition> missing = new ArrayList<>();
        List<SequenceState> present = new ArrayList<>();
        for (SequenceDefinition counter : counters) {
            try {
                present.add(catalog.describe(counter.name()));
            } catch (SequenceException.NotFound e) {
                missing.add(counter);
            }
        }
        if (!missing.isEmpty()) {
            present.forEach(this::checkFresh);
        }
        boolean created = false;
        for (SequenceDefinition counter : missing) {
            created |= created(counter);
        }
        return created;
    }

    private boolean created(SequenceDefinition counter) {
        try {
            create(counter);
            return true;
        } catch (SequenceException.AlreadyExists e) { // another process is completing it too
            checkFresh(catalog.describe(counter.name()));
            return false;
        }
    }

    /** If the store rejects bounds and none were requested, uses the default bounds, which no value reaches. */
    private void create(SequenceDefinition counter) {
        try {
            catalog.create(counter);
        } catch (SequenceException.Misconfigured refused) {
            if (!hasDefaultBounds()) {
                throw refused;
            }
            if (!counters.stream().allMatch(StripedCreation::inDefaultBounds)) {
                throw new SequenceException.Misconfigured(
                        striping.name(),
                        "its counters cannot have their own bounds in " + catalog + "; start it at "
                                + striping.stripes() + " or above, so that they start at 1",
                        refused);
            }
            catalog.create(boundless(counter));
        }
    }

    /** If a counter is missing while others have dealt, it may have dealt too. */
    private void checkFresh(SequenceState state) {
        SequenceDefinition there = state.definition();
        if (counters.stream().noneMatch(counter -> dealsAlike(counter, there))) {
            throw half("has another definition");
        }
        if (state.usedUp() || state.nextValue() != there.start()) {
            throw half("has dealt already");
        }
    }

    /** If no bounds were requested, the store's bounds are accepted. */
    private boolean dealsAlike(SequenceDefinition counter, SequenceDefinition there) {
        SequenceDefinition.Builder alike = counter.toBuilder().cache(there.cache());
        if (hasDefaultBounds()) {
            alike.minValue(there.min()).maxValue(there.max());
        }
        return there.name().equals(counter.name())
                && there.start() == counter.start()
                && alike.build().equals(there);
    }

    private boolean hasDefaultBounds() {
        return inDefaultBounds(definition) && boundless(definition).equals(definition);
    }

    private static boolean inDefaultBounds(SequenceDefinition counter) {
        return counter.ascending() ? counter.start() >= 1 : counter.start() <= -1;
    }

    private static SequenceDefinition boundless(SequenceDefinition counter) {
        return counter.toBuilder().noMinValue().noMaxValue().build();
    }

    private SequenceException half(String what) {
        return new SequenceException.Misconfigured(
                striping.name(),
                "only some of its " + striping.stripes() + " counters " + striping.counter(0)
                        + ", … exist, and one of them " + what
                        + "; create the others one by one, beyond what they may have dealt, or drop them all");
    }
}
