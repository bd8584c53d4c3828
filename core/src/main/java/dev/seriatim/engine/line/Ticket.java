// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.line;

import dev.seriatim.Block;
import dev.seriatim.SequenceException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One caller's place in the line. Its fields are guarded by the line's lock; the future is completed outside it. */
final class Ticket {

    final long count;
    final long servedBefore;
    /** Its place among all that have joined the line. */
    final long place;

    final CompletableFuture<Block> result = new CompletableFuture<>();

    /** What the caller gets; set before the result completes, so that a caller who gives up at that moment still has it. */
    @Nullable
    Block dealt;

    @Nullable
    RuntimeException failure;

    /** Why a read for it failed: what the store lacked then, the reservation after it may wait for as well. */
    SequenceException.@Nullable Overloaded failedRead;

    /** Its caller has gone: it is dealt nothing. */
    boolean withdrawn;

    Ticket(long count, long servedBefore, long place) {
        this.count = count;
        this.servedBefore = servedBefore;
        this.place = place;
    }

    /** How many values these ask for. */
    static long values(Iterable<Ticket> tickets) {
        long values = 0;
        for (Ticket ticket : tickets) {
            values += ticket.count;
        }
        return values;
    }

    /** Wakes the caller. */
    void complete() {
        if (failure != null) {
            result.completeExceptionally(failure);
        } else if (dealt != null) {
            result.complete(dealt);
        }
    }
}
