// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.SequenceException;
import java.util.Optional;

/**
 * Capability of a store inside this process that can deal without waiting. Sequences then draw on the caller's own
 * thread instead of handing the work to another, which would cost more than the draw.
 *
 * <p>Implementations are thread-safe.
 */
public interface ImmediateStore extends SequenceStore {

    /**
     * Like {@link #reserve}, but returns empty and takes nothing if it would have to wait.
     *
     * @throws SequenceException as {@link #reserve} does
     */
    Optional<Reservation> reserveNow(String name, long count);
}
