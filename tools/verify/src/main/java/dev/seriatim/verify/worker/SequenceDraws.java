// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.worker;

import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.engine.StoreSequences;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/**
 * Draws outside transactions. Now and then closes the sequence, which gives back what it has in hand, and opens it again, while
 * others draw. Thread-safe.
 */
final class SequenceDraws implements LaneDraws {

    private static final int NUMBERS_OF_A_CURSOR = 20;

    private final Supplier<Sequence> opening;
    private final Runnable closing;
    private final int numbers;

    // The bounds of what a turn is, by one random number, since a turn may take less time than three of them.
    private final double several;
    private final double local;
    private final double reopened;

    /** Read by those with a cursor, which must be closed before its sequence; written by those who close that. */
    private final ReentrantReadWriteLock use = new ReentrantReadWriteLock();

    private volatile Sequence sequence;
    private volatile boolean shut;

    private SequenceDraws(Supplier<Sequence> opening, Runnable closing, LaneOrder order, boolean cursors) {
        this.opening = opening;
        this.closing = closing;
        numbers = order.numbers();
        TurnShares shares = order.shares();
        several = shares.several();
        local = several + (cursors ? shares.local() : 0);
        reopened = local + shares.reopened();
        sequence = opening.get();
    }

    /** Opens a sequence. */
    static LaneDraws open(StoreSequences sequences, Supplier<Sequence> opening, LaneOrder order, boolean cursors) {
        return new SequenceDraws(opening, sequences::close, order, cursors);
    }

    @Override
    public void turn(LaneLog log) {
        double chance = log.chance();
        if (chance < reopened) {
            special(log, chance);
            return;
        }
        while (true) {
            Sequence current = sequence;
            try {
                log.begin();
                log.drew(current.next(), 1);
                return;
            } catch (IllegalStateException e) {
                openAfter(current, e);
            }
        }
    }

    private void special(LaneLog log, double chance) {
        if (chance < several) {
            drawSeveral(log);
        } else if (chance < local) {
            drawThroughCursor(log);
        } else {
            reopen();
        }
    }

    private void drawSeveral(LaneLog log) {
        while (true) {
            Sequence current = sequence;
            try {
                log.begin();
                Block block = current.next(numbers);
                log.drew(block.first(), (int) block.count());
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
            sequence = opening.get();
            shut = false;
        } finally {
            use.writeLock().unlock();
        }
    }

    /** Called by one who found the sequence closed: waits for the one who closed it, and opens it if that one could not. */
    private void openAfter(Sequence found, IllegalStateException e) {
        use.writeLock().lock();
        try {
            if (shut) {
                sequence = opening.get();
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
        closing.run();
    }
}
