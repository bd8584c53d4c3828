// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import java.util.ArrayList;
import java.util.List;

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

    void create(SequenceDefinition definition) {
        if (!new StripedCreation(striping, catalog, definition).complete()) {
            throw new SequenceException.AlreadyExists(striping.name(), place());
        }
    }

    List<SequenceState> describe() {
        List<SequenceState> states = new ArrayList<>();
        for (int stripe = 0; stripe < striping.stripes(); stripe++) {
            try {
                states.add(catalog.describe(striping.counter(stripe)));
            } catch (SequenceException.NotFound e) {
                throw new SequenceException.NotFound(striping.name(), place());
            }
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
            throw new SequenceException.NotFound(striping.name(), place()).whenDropped();
        }
    }

    private String place() {
        return striping.stripes() + " stripes in " + catalog;
    }
}
