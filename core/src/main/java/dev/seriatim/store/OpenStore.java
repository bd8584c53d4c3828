// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

/**
 * A store opened from a URL: deals numbers and keeps their catalogue. It implements an interface for each further
 * capability, such as {@link TransactionScope} or {@link ColumnReader}. Implementations are thread-safe.
 */
public interface OpenStore extends SequenceStore, SequenceCatalog, AutoCloseable {

    /** Returns a description for display: the engine and the location, without secrets. */
    @Override
    String toString();

    /** Releases the store's resources. Further calls have no effect. */
    @Override
    void close();
}
