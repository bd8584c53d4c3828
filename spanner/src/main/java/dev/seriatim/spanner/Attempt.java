// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.AbortedException;
import com.google.cloud.spanner.TransactionContext;
import dev.seriatim.SequenceException.Misconfigured;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one attempt at a transaction has written to the rows of sequences: its own reads do not see that before the commit.
 *
 * <p>There is one for each context of the client's, in whichever store the numbers are drawn, so stores that share a table
 * count on together. The client makes a new context for every attempt, so what an aborted one has drawn is forgotten with it,
 * and the next reads the rows anew.
 *
 * <p>Thread-safe. What is read and written between two draws of one attempt is seen by one thread at a time: {@link #alone}.
 */
final class Attempt {

    private static final String CLIENT = "com.google.cloud.spanner.";

    private static final ReentrantLock KNOWN_LOCK = new ReentrantLock();
    // By identity, since contexts of the client's have no equality of their own. Values must not refer to their keys.
    private static final Map<TransactionContext, Attempt> KNOWN = new WeakHashMap<>();

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Cells.Row, Map<String, Long>> written = new HashMap<>();
    private final Set<Cells.Row> dealtByTurns = new HashSet<>();
    private @Nullable AbortedException abort;
    private volatile boolean over;

    private Attempt() {}

    /**
     * The attempt that a context stands for.
     *
     * @throws Misconfigured when the context is not the client's own: one that wraps it would not be known as the same
     *     transaction, and deal its numbers again
     */
    static Attempt of(TransactionContext context) {
        String type = context.getClass().getName();
        if (!type.startsWith(CLIENT)) {
            throw new Misconfigured("the transaction is a " + type
                    + ", which wraps the client's, so what it has drawn cannot be told; draw from the"
                    + " TransactionContext that the client made");
        }
        KNOWN_LOCK.lock();
        try {
            return KNOWN.computeIfAbsent(context, fresh -> new Attempt());
        } finally {
            KNOWN_LOCK.unlock();
        }
    }

    /**
     * Draws while no other thread draws in this attempt: from the read of a row to the write that follows from it. Held across
     * a call to the database, which the others would have to wait for anyway; they do no longer than the patience.
     */
    <R> R alone(String name, SpannerFailures failures, Supplier<R> draw) {
        enter(name, failures);
        try {
            if (over) {
                throw failures.ended(name, null);
            }
            if (abort != null) {
                throw abort;
            }
            return draw.get();
        } catch (AbortedException e) {
            abort = e;
            throw e;
        } finally {
            lock.unlock();
        }
    }

    private void enter(String name, SpannerFailures failures) {
        try {
            boolean entered = lock.tryLock() || lock.tryLock(failures.patience().toNanos(), TimeUnit.NANOSECONDS);
            if (!entered) {
                throw failures.heldByThread(name);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failures.interrupted(name, e);
        }
    }

    // Inside alone:

    /** Whether it has drawn from the sequence in this row. */
    boolean hasDrawn(Cells.Row row) {
        return written.containsKey(row);
    }

    /** Whether the counter in this row is moved by the turns of a group, and by nothing else. */
    boolean isDealtByTurns(Cells.Row row) {
        return dealtByTurns.contains(row);
    }

    /** What it has written to these cells; empty unless it has written all of them. */
    Optional<long[]> written(Cells.Row row, List<String> columns) {
        Map<String, Long> cells = written.getOrDefault(row, Map.of());
        return cells.keySet().containsAll(columns)
                ? Optional.of(columns.stream().mapToLong(cells::get).toArray())
                : Optional.empty();
    }

    /** What was read from these cells, or, where it has written to one, that. */
    long[] seen(Cells.Row row, List<String> columns, long[] read) {
        Map<String, Long> cells = written.getOrDefault(row, Map.of());
        long[] seen = read.clone();
        for (int i = 0; i < seen.length; i++) {
            seen[i] = cells.getOrDefault(columns.get(i), seen[i]);
        }
        return seen;
    }

    /** Remembers what was written. */
    void write(Cells.Row row, List<String> columns, long[] numbers) {
        Map<String, Long> cells = written.computeIfAbsent(row, fresh -> new HashMap<>());
        for (int i = 0; i < numbers.length; i++) {
            cells.put(columns.get(i), numbers[i]);
        }
    }

    // Before and after others have the context:

    /** From now on the counter in this row is moved by the turns of a group. */
    void dealByTurns(Cells.Row row) {
        dealtByTurns.add(row);
    }

    /** Nothing is drawn in it any more. */
    void end() {
        over = true;
    }
}
