// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.AbortedException;
import com.google.cloud.spanner.TransactionContext;
import dev.seriatim.SequenceException.Misconfigured;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The writes of one attempt at a transaction to sequence rows, which its own reads do not see before the commit.
 *
 * <p>There is one instance per client context, whichever store draws, so stores that share a table continue from each
 * other's draws. The client creates a new context for every attempt, so the draws of an aborted attempt are forgotten
 * with it, and the next attempt reads the rows again. Thread-safe. In {@link #alone}, one thread at a time reads and
 * writes for an attempt.
 */
final class Attempt {

    private static final String CLIENT = "com.google.cloud.spanner.";

    private static final ReentrantLock KNOWN_LOCK = new ReentrantLock();
    // By identity, because the client's contexts do not define equality. Values must not refer to their keys.
    private static final Map<TransactionContext, Attempt> KNOWN = new WeakHashMap<>();

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Cells.Row, Map<String, Long>> written = new HashMap<>();
    private final Set<Cells.Row> dealtByTurns = new HashSet<>();
    private @Nullable AbortedException abort;
    private volatile boolean over;

    private Attempt() {}

    /**
     * Returns the attempt for a context. Throws {@link Misconfigured} if the context is not the client's own: a wrapper
     * would not be recognized as the same transaction, and its numbers would be dealt again.
     */
    static Attempt of(TransactionContext context) {
        String type = context.getClass().getName();
        if (!type.startsWith(CLIENT)) {
            throw new Misconfigured("""
                    the transaction is a %s, which wraps the client's, so its draws cannot be tracked; draw from the \
                    TransactionContext that the client created""".formatted(type));
        }
        KNOWN_LOCK.lock();
        try {
            return KNOWN.computeIfAbsent(context, fresh -> new Attempt());
        } finally {
            KNOWN_LOCK.unlock();
        }
    }

    /**
     * Draws while no other thread draws in this attempt, from the read of a row to the resulting write. The others
     * would have to wait for the database anyway; they wait at most as long as the patience.
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

    // To be called inside alone():

    /** Returns whether this attempt has drawn from the sequence in this row. */
    boolean hasDrawn(Cells.Row row) {
        return written.containsKey(row);
    }

    /** Returns whether only the turns of a group may move the counter in this row. */
    boolean isDealtByTurns(Cells.Row row) {
        return dealtByTurns.contains(row);
    }

    /** Returns the values of these cells: those that it has written; otherwise it reads them. */
    long[] seen(Cells.Row row, List<String> columns, Supplier<long[]> read) {
        Map<String, Long> cells = written.getOrDefault(row, Map.of());
        long[] seen = cells.keySet().containsAll(columns) ? new long[columns.size()] : read.get();
        for (int i = 0; i < seen.length; i++) {
            seen[i] = cells.getOrDefault(columns.get(i), seen[i]);
        }
        return seen;
    }

    void write(Cells.Row row, List<String> columns, long[] numbers) {
        Map<String, Long> cells = written.computeIfAbsent(row, fresh -> new HashMap<>());
        for (int i = 0; i < numbers.length; i++) {
            cells.put(columns.get(i), numbers[i]);
        }
    }

    // To be called before other threads have the context, or after they are done with it:

    /** From now on, only the turns of a group move the counter in this row. */
    void dealByTurns(Cells.Row row) {
        dealtByTurns.add(row);
    }

    /** Ends the attempt; no further draws are accepted. */
    void end() {
        over = true;
    }
}
