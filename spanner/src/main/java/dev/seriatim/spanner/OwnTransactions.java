// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.AbortedException;
import com.google.cloud.spanner.ReadContext;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.TransactionContext;
import com.google.cloud.spanner.TransactionManager;
import java.util.function.Function;

/**
 * Transactions of our own. One that is aborted for another is run again as a whole, as long as patience lasts; the client's
 * own loop would go on for ever. Thread-safe.
 */
final class OwnTransactions {

    private final Place place;
    private final Failures failures;

    OwnTransactions(Place place, Failures failures) {
        this.place = place;
        this.failures = failures;
    }

    /** Runs the work in one transaction and commits it. */
    <R> R retrying(String name, Function<TransactionContext, R> work) {
        Pauses pauses = new Pauses(place.patience());
        try (TransactionManager manager = place.client().transactionManager()) {
            TransactionContext transaction = manager.begin();
            while (true) {
                try {
                    R result = work.apply(transaction);
                    commit(name, manager);
                    return result;
                } catch (AbortedException e) {
                    pause(name, pauses, e);
                    transaction = manager.resetForRetry();
                }
            }
        } catch (SpannerException e) {
            throw failures.of(name, e);
        }
    }

    /** Runs a query, of what is committed now. */
    <R> R reading(String name, Function<ReadContext, R> query) {
        try (var context = place.client().singleUse()) {
            return query.apply(context);
        } catch (SpannerException e) {
            throw failures.of(name, e);
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

    void pause(String name, Pauses pauses, AbortedException abort) {
        try {
            if (!pauses.pause(abort)) {
                throw failures.stayedInConflict(name, abort);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failures.interrupted(name, e);
        }
    }
}
