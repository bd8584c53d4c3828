// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import java.util.Optional;

/**
 * Capability of a store that can deal without waiting. Sequences then draw on the caller's own thread: handing the work to
 * another would cost more than the draw. Implementations are thread-safe.
 */
public interface ImmediateStore extends SequenceStore {

    /** Like {@link #reserve}, but returns empty and takes nothing if it would have to wait. */
    Optional<Reservation> reserveNow(String name, long count);
}
