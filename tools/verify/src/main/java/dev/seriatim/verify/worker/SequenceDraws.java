// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.worker;

import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.engine.StoreSequences;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Draws outside transactions. Now and then closes the sequence and opens it again, while others draw. Thread-safe. */
final class SequenceDraws implements LaneDraws {

    private static final int NUMBERS_OF_A_CURSOR = 20;

    private final StoreSequences sequences;
    private final LaneOrder order;
    private final DrawMode mode;

    // Upper bounds of one random number, because a turn may take less time than three random numbers.
    private final double several;
    private final double local;
    private final double reopened;

    /** The read lock is held while a cursor is open, because it must be closed before its sequence. */
    private final ReentrantReadWriteLock use = new ReentrantReadWriteLock();

    private volatile Sequence sequence;
    private volatile boolean shut;

    SequenceDraws(StoreSequences sequences, LaneOrder order, DrawMode mode) {
        this.sequences = sequences;
        this.order = order;
        this.mode = mode;
        LaneOrder.Shares shares = order.shares();
        several = shares.several();
        local = several + (mode.dealsFromMemory() ? shares.local() : 0);
        reopened = local + shares.reopened();
        sequence = opened();
    }

    private Sequence opened() {
        return sequences.open(order.sequence(), mode.allocation(order.batchSize(), Math.max(1, order.batchSize() / 4)));
    }

    @Override
    public void turn(LaneLog log) {
        double chance = log.chance();
        if (chance >= reopened) {
            draw(log, 1);
        } else if (chance < several) {
            draw(log, order.numbers());
        } else if (chance < local) {
            drawThroughCursor(log);
        } else {
            reopen();
        }
    }

    private void draw(LaneLog log, int count) {
        while (true) {
            Sequence current = sequence;
            try {
                log.begin();
                if (count == 1) {
                    log.drew(current.next(), 1);
                } else {
                    Block block = current.next(count);
                    log.drew(block.first(), (int) block.count());
                }
                return;
            } catch (IllegalStateException e) {
                openAfter(current, e);
            }
        }
    }

    private void drawThroughCursor(LaneLog log) {
        use.readLock().lock();
        try {
            if (shut) {
                return;
            }
            try (Sequence cursor = sequence.local()) {
                for (int i = 0; i < NUMBERS_OF_A_CURSOR; i++) {
                    log.begin();
                    log.drew(cursor.next(), 1);
                }
            }
        } finally {
            use.readLock().unlock();
        }
    }

    private void reopen() {
        if (!use.writeLock().tryLock()) {
            return;
        }
        try {
            shut = true;
            sequence.close();
            sequence = opened();
            shut = false;
        } finally {
            use.writeLock().unlock();
        }
    }

    /** Handles a closed sequence: waits for the thread that reopens it, and opens it if that thread failed. */
    private void openAfter(Sequence found, IllegalStateException e) {
        use.writeLock().lock();
        try {
            if (shut) {
                sequence = opened();
                shut = false;
            } else if (sequence == found) {
                throw e;
            }
        } finally {
            use.writeLock().unlock();
        }
    }

    @Override
    public void close() {
        sequences.close();
    }
}
