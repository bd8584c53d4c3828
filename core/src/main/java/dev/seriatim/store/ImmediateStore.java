// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.SequenceException;
import java.util.Optional;

/**
 * A capability of a store inside this process: it can deal without waiting for anything. Sequences then draw on the
 * caller's own thread instead of handing the work to another, which would cost more than the draw.
 *
 * <p>Implementations are thread-safe.
 */
public interface ImmediateStore extends SequenceStore {

    /**
     * As {@link #reserve}, if that can be done at once; empty, and nothing taken, if it would have to wait.
     *
     * @throws SequenceException as {@link #reserve} does
     */
    Optional<Reservation> reserveNow(String name, long count);
}
