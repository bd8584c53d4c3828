// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

/**
 * A store whose numbers come in no order, by design: unique, and nothing more, in whatever mode they are drawn.
 *
 * <p>Implementations are thread-safe.
 */
public interface UnorderedStore extends SequenceStore {}
