// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.striped;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.store.SequenceCatalog;
import dev.seriatim.store.SequenceState;
import java.util.ArrayList;
import java.util.List;

/**
 * The counters of a striped sequence in a catalogue. Each is a separate sequence, and they do not change atomically.
 * Thread-safe.
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

    /**
     * Drops the first counter last, so that after a crash the rest looks like an unfinished creation, and either can be
     * repeated.
     */
    void drop() {
        boolean any = false;
        for (int stripe = striping.stripes() - 1; stripe >= 0; stripe--) {
            try {
                catalog.drop(striping.counter(stripe));
                any = true;
            } catch (SequenceException.NotFound gone) {
                // already dropped by an earlier, interrupted call
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
