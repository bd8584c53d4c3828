// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.memory;

import dev.seriatim.SequenceException;
import dev.seriatim.store.SequenceState;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A row that one transaction at a time can change. Its lock belongs to a transaction, not to a thread. Thread-safe. */
final class InMemoryRow {

    private final Semaphore lock = new Semaphore(1, true);

    /** Has a separate lock, so that claims do not wait for the row. */
    final InMemoryPool pool = new InMemoryPool();

    /** Changed only by the lock holder; readable by all threads. */
    volatile SequenceState state;

    /** Set by the lock holder when the row is removed. */
    volatile boolean dropped;

    /** The state as it was when the lock was last released: what readers without the lock may see. */
    volatile SequenceState committed;

    InMemoryRow(SequenceState state) {
        this.state = state;
        committed = state;
    }

    void lock(long timeoutNanos) {
        String name = state.definition().name();
        try {
            if (!lock.tryAcquire(timeoutNanos, TimeUnit.NANOSECONDS)) {
                throw new SequenceException.Overloaded(
                        name,
                        "its row stayed locked for " + TimeUnit.NANOSECONDS.toMillis(timeoutNanos)
                                + " ms; end the transaction that holds it, or retry this one",
                        null);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SequenceException.Unavailable(name, "interrupted while waiting for its row", e);
        }
    }

    boolean tryLock() {
        return lock.tryAcquire();
    }

    void unlock() {
        committed = state;
        lock.release();
    }
}
