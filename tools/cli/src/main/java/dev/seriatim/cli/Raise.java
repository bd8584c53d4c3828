// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.PoolState;
import dev.seriatim.store.SequenceState;
import java.util.Optional;

/** Raises a sequence together with its pool, and describes the result. */
final class Raise {

    private Raise() {}

    static String sequence(String name, long value, OpenStore store) {
        SequenceState before = store.describe(name);
        boolean up = before.definition().ascending();
        boolean pooled = PoolText.of(store, name)
                .map(pool -> pool.laidOut().stream().anyMatch(run -> up ? run.first() < value : run.first() > value))
                .orElse(false);
        SequenceState after = store.raise(name, value);
        boolean moved =
                !after.usedUp() && after.nextValue() == value && (before.usedUp() || before.nextValue() != value);
        Optional<PoolState> pool = PoolText.of(store, name);
        return (moved || pooled ? "raised " : "already beyond: ") + OneLine.quoted(name) + ", "
                + NextValue.sentence(after, pool);
    }
}
