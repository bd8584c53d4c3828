// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.worker;

import dev.seriatim.SequenceListener;
import dev.seriatim.store.OpenStore;

/** Opens what a lane draws with. */
@FunctionalInterface
public interface Generator {

    /**
     * Opens it.
     *
     * @param store the store
     * @param order what is asked for
     * @param listener to be told what happens to reserved numbers
     */
    LaneDraws open(OpenStore store, LaneOrder order, SequenceListener listener);
}
