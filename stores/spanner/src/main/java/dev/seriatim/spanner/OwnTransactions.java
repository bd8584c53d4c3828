// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.AbortedException;
import com.google.cloud.spanner.ReadContext;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.TransactionContext;
import com.google.cloud.spanner.TransactionManager;
import dev.seriatim.store.Pauses;
import java.time.Duration;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Transactions of the store's own. An aborted transaction is repeated as a whole for as long as the patience; the
 * client's own loop would retry forever. Thread-safe.
 */
final class OwnTransactions {

    private static final Duration LONGEST_PAUSE = Duration.ofMillis(64);

    private final SpannerDatabase database;
    private final SpannerFailures failures;

    OwnTransactions(SpannerDatabase database, SpannerFailures failures) {
        this.database = database;
        this.failures = failures;
    }

    /** Runs the work in one transaction and commits it. */
    <R> R retrying(String name, Function<TransactionContext, R> work) {
        try (TransactionManager manager = database.transactionManager()) {
            return untilNotAborted(name, manager, transaction -> {
                R result = work.apply(transaction);
                commit(name, manager);
                return result;
            });
        }
    }

    /** Runs the work in a transaction that the caller continues and ends. */
    <R> R begun(String name, BiFunction<TransactionManager, TransactionContext, R> work) {
        TransactionManager manager = database.transactionManager();
        boolean begun = false;
        try {
            R result = untilNotAborted(name, manager, transaction -> work.apply(manager, transaction));
            begun = true;
            return result;
        } finally {
            if (!begun) {
                manager.close();
            }
        }
    }

    private <R> R untilNotAborted(String name, TransactionManager manager, Function<TransactionContext, R> work) {
        Pauses pauses = new Pauses(System.nanoTime() + database.patience().toNanos(), LONGEST_PAUSE);
        try {
            TransactionContext transaction = manager.begin();
            while (true) {
                try {
                    return work.apply(transaction);
                } catch (AbortedException e) {
                    pause(name, pauses, e);
                    transaction = manager.resetForRetry();
                }
            }
        } catch (Shielded e) {
            throw e.thrown();
        } catch (SpannerException e) {
            throw failures.of(name, e);
        } catch (IllegalStateException e) {
            throw database.closedOr(e);
        }
    }

    /** Runs a query on the current committed data. */
    <R> R reading(String name, Function<ReadContext, R> query) {
        try (var context = database.client().singleUse()) {
            return query.apply(context);
        } catch (SpannerException e) {
            throw failures.of(name, e);
        } catch (IllegalStateException e) {
            throw database.closedOr(e);
        }
    }

    private void commit(String name, TransactionManager manager) {
        try {
            manager.commit();
        } catch (AbortedException e) {
            throw e;
        } catch (SpannerException e) {
            throw failures.atCommit(name, e);
        }
    }

    private void pause(String name, Pauses pauses, AbortedException abort) {
        long asked = abort.getRetryDelayInMillis();
        try {
            if (!(asked >= 0 ? pauses.pause(Duration.ofMillis(asked)) : pauses.pause())) {
                throw failures.stayedInConflict(name, abort);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failures.interrupted(name, e);
        }
    }
}
