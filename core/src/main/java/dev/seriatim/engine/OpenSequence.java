// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import dev.seriatim.Allocation;
import dev.seriatim.Sequence;
import dev.seriatim.engine.dispatch.Suspendable;
import java.util.Locale;

/**
 * A sequence that is open in this process, as {@link StoreSequences#opened()} reports it. A sequence that is open in
 * several modes is reported once for each. Immutable and thread-safe.
 *
 * @param name the sequence's name; of a striped one, the name of a counter
 * @param mode the mode's name, such as {@code ADAPTIVE} or {@code GROUPED}
 * @param inHand how many reserved values this process has left to deal; while others draw, an estimate. Runs of
 *     {@linkplain Sequence#local() local cursors} are not counted
 */
public record OpenSequence(String name, String mode, long inHand) {

    static OpenSequence of(Sequence sequence, Allocation allocation) {
        String mode = allocation.getClass().getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", "_");
        long inHand = sequence instanceof Suspendable suspendable ? suspendable.inHand() : 0;
        return new OpenSequence(sequence.name(), mode.toUpperCase(Locale.ROOT), inHand);
    }
}
