// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;

/**
 * What a store hands out: a block, and what the row said when it was taken, so that a change of the definition reaches
 * running instances with their next block.
 *
 * <p>Immutable and thread-safe.
 *
 * @param block the values, now nobody else's
 * @param definition the sequence as it stands in the store
 * @param epoch rises whenever the counter is deliberately set back (restart, a cycle's new round, a change of
 *     direction); within one epoch blocks only move in the sequence's direction
 */
public record Reservation(Block block, SequenceDefinition definition, long epoch) {}
