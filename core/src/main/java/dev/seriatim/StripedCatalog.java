// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The counters of a striped sequence in a catalogue, where each is a sequence by itself and no two change together. Thread-safe.
 */
final class StripedCatalog {

    private final Striping striping;
    private final SequenceCatalog catalog;

    StripedCatalog(Striping striping, SequenceCatalog catalog) {
        this.striping = striping;
        this.catalog = catalog;
    }

    /** In the order of stripes, so that of two who create different ones at a time, one fails at the first counter. */
    void create(List<SequenceDefinition> counters) {
        List<SequenceDefinition> missing = new ArrayList<>();
        List<SequenceState> present = new ArrayList<>();
        for (SequenceDefinition counter : counters) {
            SequenceState state = find(counter.name());
            if (state == null) {
                missing.add(counter);
            } else {
                present.add(state);
            }
        }
        if (!missing.isEmpty()) {
            present.forEach(state -> checkFresh(state, counters));
        }
        boolean created = false;
        for (SequenceDefinition counter : missing) {
            created |= created(counter, counters);
        }
        if (!created) {
            throw new SequenceException.AlreadyExists(striping.name(), place());
        }
    }

    private boolean created(SequenceDefinition counter, List<SequenceDefinition> counters) {
        try {
            catalog.create(counter);
            return true;
        } catch (SequenceException.AlreadyExists e) { // somebody else completes it too
            checkFresh(catalog.describe(counter.name()), counters);
            return false;
        }
    }

    /** A counter that is missing beside others that have dealt may have dealt too. */
    private void checkFresh(SequenceState state, List<SequenceDefinition> counters) {
        SequenceDefinition there = state.definition();
        if (counters.stream().noneMatch(counter -> dealsAlike(counter, there))) {
            throw half("has another definition");
        }
        if (state.usedUp() || state.nextValue() != there.start()) {
            throw half("has dealt already");
        }
    }

    private static boolean dealsAlike(SequenceDefinition one, SequenceDefinition other) {
        return one.toBuilder().cache(other.cache()).build().equals(other);
    }

    private SequenceException half(String what) {
        return new SequenceException.Misconfigured(
                striping.name(),
                "only some of its " + striping.stripes() + " counters " + striping.counter(0)
                        + ", … are there, and one of them " + what
                        + "; create the others one by one, behind what they may have dealt, or drop them all");
    }

    List<SequenceState> describe() {
        List<SequenceState> states = new ArrayList<>();
        for (int stripe = 0; stripe < striping.stripes(); stripe++) {
            SequenceState state = find(striping.counter(stripe));
            if (state == null) {
                throw new SequenceException.NotFound(striping.name(), place());
            }
            states.add(state);
        }
        return states;
    }

    /** The first counter last, so that what a crash leaves looks like the rest of a creation, and either can be repeated. */
    void drop() {
        boolean any = false;
        for (int stripe = striping.stripes() - 1; stripe >= 0; stripe--) {
            try {
                catalog.drop(striping.counter(stripe));
                any = true;
            } catch (SequenceException.NotFound gone) {
                // a drop that was broken off has come so far
            }
        }
        if (!any) {
            throw new SequenceException.NotFound(striping.name(), place());
        }
    }

    private @Nullable SequenceState find(String counter) {
        try {
            return catalog.describe(counter);
        } catch (SequenceException.NotFound e) {
            return null;
        }
    }

    private String place() {
        return striping.stripes() + " stripes in " + catalog;
    }
}
