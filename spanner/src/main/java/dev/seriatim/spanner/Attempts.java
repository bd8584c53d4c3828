// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.TransactionContext;
import dev.seriatim.SequenceState;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How far sequences have come in transactions that are not committed: what a transaction has buffered, its own reads do not
 * see. The client makes a context for every attempt at a transaction, so what was drawn in one that was aborted is forgotten
 * with it, and the next attempt reads the counter anew. Thread-safe.
 */
final class Attempts {

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<TransactionContext, Map<String, SequenceState>> counters = new WeakHashMap<>();

    /** How far a sequence has come; empty when this attempt has not drawn from it. */
    Optional<SequenceState> counter(TransactionContext attempt, String name) {
        lock.lock();
        try {
            return Optional.ofNullable(counters.getOrDefault(attempt, Map.of()).get(name));
        } finally {
            lock.unlock();
        }
    }

    /** Remembers how far it has come. */
    void moved(TransactionContext attempt, SequenceState counter) {
        lock.lock();
        try {
            counters.computeIfAbsent(attempt, fresh -> new HashMap<>())
                    .put(counter.definition().name(), counter);
        } finally {
            lock.unlock();
        }
    }
}
