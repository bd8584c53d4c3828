// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import org.crac.Context;
import org.crac.Core;
import org.crac.Resource;

/**
 * Suspends sequences while this process is saved (CRaC, SnapStart), so that restored copies do not deal the same values.
 * Loaded only if org.crac is on the class path.
 */
final class Checkpoints implements Resource {

    private final StoreSequences sequences;

    Checkpoints(StoreSequences sequences) {
        this.sequences = sequences;
        Core.getGlobalContext().register(this);
    }

    @Override
    public void beforeCheckpoint(Context<? extends Resource> context) {
        sequences.suspend();
    }

    @Override
    public void afterRestore(Context<? extends Resource> context) {
        sequences.resume();
    }
}
