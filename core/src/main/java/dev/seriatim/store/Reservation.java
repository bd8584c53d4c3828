// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;

/**
 * The result of a reservation: a block, and the definition in the row when it was taken, so that a change of the
 * definition reaches running instances with their next block. Immutable and thread-safe.
 *
 * @param block the values, which now belong to the caller alone
 * @param definition the current definition of the sequence in the store
 * @param epoch increases whenever the counter is set back on purpose (restart, wrap-around of a cycle, change of
 *     direction); within one epoch, blocks only move in the sequence's direction
 */
public record Reservation(Block block, SequenceDefinition definition, long epoch) {}
