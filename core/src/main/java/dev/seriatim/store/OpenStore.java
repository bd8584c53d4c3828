// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

/**
 * A store that was opened from a URL: deals numbers and keeps their catalogue. What else it can do it says by its type:
 * {@link TransactionScope}, {@link SchemaInstaller}, {@link ColumnReader}, {@link ColumnScanner}.
 *
 * <p>Implementations are thread-safe.
 */
public interface OpenStore extends SequenceStore, SequenceCatalog, AutoCloseable {

    /** What this is, for people: the engine and the place, without secrets. */
    @Override
    String toString();

    /** Releases what the store holds. Calling it again does nothing. */
    @Override
    void close();
}
