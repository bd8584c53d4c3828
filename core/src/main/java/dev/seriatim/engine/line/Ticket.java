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
    /** Callers that joined before. */
    final long place;

    final CompletableFuture<Block> result = new CompletableFuture<>();

    /** Set before the result completes, so that a caller that gives up at that moment still gets its values. */
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

    static long values(Iterable<Ticket> tickets) {
        long values = 0;
        for (Ticket ticket : tickets) {
            values += ticket.count;
        }
        return values;
    }

    void complete() {
        if (failure != null) {
            result.completeExceptionally(failure);
        } else if (dealt != null) {
            result.complete(dealt);
        }
    }
}
