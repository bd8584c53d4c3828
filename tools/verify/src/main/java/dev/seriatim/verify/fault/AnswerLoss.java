// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Answers for a link to lose: the request reaches the server, and the server answers, but the link drops the answer, or the last part of a
 * long one, and resets the client's connection. Thread-safe.
 */
public final class AnswerLoss {

    private final boolean ofCommits;
    private final long count;
    private final int every;
    private final AtomicLong lost = new AtomicLong();
    private final CountDownLatch done = new CountDownLatch(1);

    /** Guarded by the link. */
    private long seen;

    /** @param ofCommits whether only answers to commits are lost */
    AnswerLoss(boolean ofCommits, long count, int every) {
        this.ofCommits = ofCommits;
        this.count = count;
        this.every = every;
    }

    public long lost() {
        return lost.get();
    }

    /** Waits until all are lost. Returns false on a timeout. */
    public boolean await(Duration atMost) throws InterruptedException {
        return done.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Returns whether to lose the answers that have just been completed, and counts one as lost if so. */
    boolean takes(long answers, long commits) {
        boolean isTaken = (ofCommits ? commits : answers) > 0 && lost.get() < count && ++seen % every == 0;
        if (isTaken && lost.incrementAndGet() == count) {
            done.countDown();
        }
        return isTaken;
    }
}
