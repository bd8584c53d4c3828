// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Answers for a link to lose: the request reaches the server, and the server answers, but the link drops the answer and resets the
 * client's connection. Thread-safe.
 */
public final class AnswerLoss {

    /** Whether only answers to commits are lost. */
    final boolean ofCommits;

    private final long count;
    private final int every;
    private final AtomicLong lost = new AtomicLong();
    private final CountDownLatch done = new CountDownLatch(1);

    // By the link's thread.
    private long seen;
    private long underWay;

    AnswerLoss(boolean ofCommits, long count, int every) {
        this.ofCommits = ofCommits;
        this.count = count;
        this.every = every;
    }

    /** Returns the number of answers lost so far. */
    public long lost() {
        return lost.get();
    }

    /** Waits until all are lost. Returns false on a timeout. */
    public boolean await(Duration atMost) throws InterruptedException {
        return done.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Returns whether to lose the answer to the request that has just arrived on a connection. */
    boolean aimsAt(Wire<?> wire) {
        if (!wire.awaits(ofCommits) || lost.get() + underWay >= count || ++seen % every != 0) {
            return false;
        }
        underWay++;
        return true;
    }

    /** Records the end of a connection that this aimed at. */
    void ended(boolean isLost) {
        underWay--;
        if (isLost && lost.incrementAndGet() == count) {
            done.countDown();
        }
    }
}
