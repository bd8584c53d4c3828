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
    /** The number of callers that had joined the line before. */
    final long place;

    final CompletableFuture<Block> result = new CompletableFuture<>();

    /** The caller's values. Set before the result completes, so that a caller that gives up at that moment still gets them. */
    @Nullable
    Block dealt;

    @Nullable
    RuntimeException failure;

    /** Why a read for this caller failed. The reservation after it may wait for the same resource. */
    SequenceException.@Nullable Overloaded failedRead;

    /** The caller has gone and is dealt nothing. */
    boolean withdrawn;

    Ticket(long count, long servedBefore, long place) {
        this.count = count;
        this.servedBefore = servedBefore;
        this.place = place;
    }

    /** Returns how many values the tickets request. */
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
