// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.SequenceDefinition;

/**
 * A capability of a store with a block size of its own for sequences that are defined without one, since its engine has
 * another default, or refuses {@link SequenceDefinition#DEFAULT_CACHE}.
 */
public interface DefaultCache {

    /** That block size, at least 1. */
    long defaultCache();

    /** Starts a definition for a store; what is left out takes SQL's defaults, but the block size the store's. */
    static SequenceDefinition.Builder definition(SequenceCatalog store, String name) {
        SequenceDefinition.Builder builder = SequenceDefinition.named(name);
        return store instanceof DefaultCache own ? builder.cache(own.defaultCache()) : builder;
    }
}
