// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.SequenceCatalog;
import dev.seriatim.SequenceState;

/** Raises a sequence and says what came of it. */
final class Raise {

    private Raise() {}

    static String sequence(String name, long value, SequenceCatalog catalog) {
        SequenceState before = catalog.describe(name);
        SequenceState after = catalog.raise(name, value);
        boolean moved =
                !after.usedUp() && after.nextValue() == value && (before.usedUp() || before.nextValue() != value);
        return (moved ? "raised " : "already beyond: ") + OneLine.quoted(name) + ", " + NextValue.sentence(after);
    }
}
