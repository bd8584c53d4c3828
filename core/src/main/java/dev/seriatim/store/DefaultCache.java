// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.SequenceDefinition;

/**
 * Capability of a store with a different default block size for sequences defined without one, because its engine has
 * another default or rejects {@link SequenceDefinition#DEFAULT_CACHE}.
 */
public interface DefaultCache {

    /** Returns the default block size, at least 1. */
    long defaultCache();

    /** Returns a builder with the store's default block size; other parts that are not set take SQL's defaults. */
    static SequenceDefinition.Builder definition(SequenceCatalog store, String name) {
        SequenceDefinition.Builder builder = SequenceDefinition.named(name);
        return store instanceof DefaultCache own ? builder.cache(own.defaultCache()) : builder;
    }
}
