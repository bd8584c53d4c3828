// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

/**
 * A store whose numbers are unique but unordered by design, in every mode.
 *
 * <p>Implementations are thread-safe.
 */
public interface UnorderedStore extends SequenceStore {}
