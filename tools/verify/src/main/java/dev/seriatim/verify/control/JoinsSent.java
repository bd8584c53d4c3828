// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.control;

import dev.seriatim.Block;
import dev.seriatim.store.SequenceStore;
import dev.seriatim.verify.worker.LaneDraws;
import dev.seriatim.verify.worker.LaneLog;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** One reservation at a time; callers that come while it is under way share it. */
final class JoinsSent implements LaneDraws {

    private static final int LARGEST = 16;

    /**
     * At most so long the answer is on its way, as over a network, and a caller waits between two draws. Others draw higher numbers in
     * this time, and callers still join.
     */
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final SequenceStore store;
    private final String name;
    private Flight flight = new Flight();

    /** A reservation, and how many of its values are promised. */
    private static final class Flight {
        private final CompletableFuture<Block> block = new CompletableFuture<>();
        private int promised;
    }

    JoinsSent(SequenceStore store, String name) {
        this.store = store;
        this.name = name;
    }

    @Override
    public void turn(LaneLog log) throws Exception {
        pause();
        log.begin();
        Flight mine;
        int place;
        synchronized (this) {
            if (flight.promised == LARGEST || flight.block.isDone()) {
                flight = new Flight();
            }
            mine = flight;
            place = mine.promised++;
        }
        if (place == 0) {
            send(mine);
        }
        try {
            log.drew(mine.block.get().first() + place, 1);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    private static void pause() {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LONGEST_PAUSE_NANOS));
    }

    private void send(Flight mine) {
        try {
            Block block = store.reserve(name, LARGEST).block();
            pause();
            synchronized (this) {
                mine.block.complete(block);
            }
        } catch (RuntimeException e) {
            synchronized (this) {
                mine.block.completeExceptionally(e);
            }
        }
    }

    @Override
    public void close() {
        // holds nothing
    }
}
