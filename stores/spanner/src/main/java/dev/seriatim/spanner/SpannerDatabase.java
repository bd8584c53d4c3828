// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.RetryHelper.RetryHelperException;
import com.google.cloud.spanner.AbortedException;
import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.Options;
import com.google.cloud.spanner.Options.TransactionOption;
import com.google.cloud.spanner.ReadContext;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.SpannerExceptionFactory;
import com.google.cloud.spanner.TransactionContext;
import com.google.cloud.spanner.TransactionManager;
import com.google.cloud.spanner.TransactionRunner;
import com.google.spanner.v1.TransactionOptions.IsolationLevel;
import com.google.spanner.v1.TransactionOptions.ReadWrite.ReadLockMode;
import dev.seriatim.SequenceException.CommitOutcomeUnknown;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.store.Pauses;
import dev.seriatim.store.TransactionScope;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A database, with the clients for it and the store's own calls. An aborted transaction of the store's own is repeated
 * as a whole for as long as the patience; the client's own loop would retry forever. Immutable and thread-safe.
 */
record SpannerDatabase(
        Spanner spanner, DatabaseId id, DatabaseClient client, SqlDialect sql, SpannerFailures failures) {

    private static final Duration LONGEST_PAUSE = Duration.ofMillis(64);

    /** Default maximum time a call waits for conflicts with other sessions to end. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Spanner may need tens of seconds for schema changes. */
    private static final long SCHEMA_PATIENCE_SECONDS = 120;

    /** Overrides the client's defaults: a counter is locked when it is read, and nothing is read twice. */
    private static final TransactionOption[] OURS = {
        Options.isolationLevel(IsolationLevel.SERIALIZABLE), Options.readLockMode(ReadLockMode.PESSIMISTIC)
    };

    /** Sends a query to the database, so that connection problems are reported immediately. */
    static SpannerDatabase reached(Spanner spanner, DatabaseId id, Duration patience) {
        SpannerFailures failures = new SpannerFailures("", id.getName(), patience);
        try {
            DatabaseClient client = spanner.getDatabaseClient(id);
            return new SpannerDatabase(spanner, id, client, SqlDialect.of(client.getDialect()), failures);
        } catch (SpannerException e) {
            throw failures.general(e);
        }
    }

    /** Returns the same database, with the location of the sequences for messages. */
    SpannerDatabase holding(String place) {
        return new SpannerDatabase(
                spanner, id, client, sql, new SpannerFailures(place, failures.database(), failures.patience()));
    }

    /** Returns the client of the database while it is open. */
    @Override
    public DatabaseClient client() {
        requireOpen();
        return client;
    }

    private void requireOpen() {
        if (spanner.isClosed()) {
            throw closed(null);
        }
    }

    /**
     * Runs a caller's work in a transaction that the client repeats while it is aborted. Throws the work's own
     * exception.
     */
    <R, X extends Exception> R calling(TransactionScope.Work<TransactionContext, R, X> work) throws X {
        CallersWork<R> repeated = new CallersWork<>(work);
        try {
            return client().readWriteTransaction(OURS).run(repeated);
        } catch (SpannerException e) {
            if (repeated.thrown != null) {
                @SuppressWarnings("unchecked") // the work throws no other checked exception
                X own = (X) repeated.thrown;
                throw own;
            }
            throw repeated.done && !SpannerFailures.nothingCommitted(e)
                    ? new CommitOutcomeUnknown(e)
                    : failures.general(e);
        } catch (RetryHelperException e) {
            throw failures.interrupted(e);
        }
    }

    /** Not thread-safe: use one instance per call. */
    private static final class CallersWork<R> implements TransactionRunner.TransactionCallable<R> {

        private final TransactionScope.Work<TransactionContext, R, ?> work;
        private @Nullable Exception thrown;
        private boolean done;

        CallersWork(TransactionScope.Work<TransactionContext, R, ?> work) {
            this.work = work;
        }

        /**
         * The client repeats the work if it has seen an abort of this transaction, whatever the work throws. It would
         * do so after any {@link AbortedException}, so those are shielded.
         */
        @Override
        public R run(TransactionContext transaction) throws Exception {
            thrown = null;
            done = false;
            try {
                R result = work.run(transaction);
                done = true;
                return result;
            } catch (Exception e) {
                thrown = e;
                throw e instanceof AbortedException abort ? new Shielded(abort) : e;
            } finally {
                Attempt.of(transaction).end();
            }
        }
    }

    /**
     * Hides a caller's exception from the client and our own retries, which would take any abort for one of this
     * transaction.
     */
    static final class Shielded extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final RuntimeException thrown;

        Shielded(RuntimeException thrown) {
            super(thrown.getMessage(), thrown, false, false);
            this.thrown = thrown;
        }
    }

    /** Runs the work in one transaction and commits it. */
    <R> R retrying(String name, Function<TransactionContext, R> work) {
        try (TransactionManager manager = client().transactionManager(OURS)) {
            return untilNotAborted(name, manager, transaction -> {
                R result = work.apply(transaction);
                try {
                    manager.commit();
                } catch (AbortedException e) {
                    throw e;
                } catch (SpannerException e) {
                    throw failures.atCommit(name, e);
                }
                return result;
            });
        }
    }

    /** Runs the work in a transaction that the caller continues and ends. */
    <R> R begun(String name, BiFunction<TransactionManager, TransactionContext, R> work) {
        TransactionManager manager = client().transactionManager(OURS);
        try {
            return untilNotAborted(name, manager, transaction -> work.apply(manager, transaction));
        } catch (Throwable e) {
            manager.close();
            throw e;
        }
    }

    private <R> R untilNotAborted(String name, TransactionManager manager, Function<TransactionContext, R> work) {
        Pauses pauses = new Pauses(System.nanoTime() + failures.patience().toNanos(), LONGEST_PAUSE);
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
            throw e.thrown;
        } catch (SpannerException e) {
            throw failures.of(name, e);
        } catch (IllegalStateException e) {
            throw closedOr(e);
        }
    }

    /** Runs a query on the current committed data. */
    <R> R reading(String name, Function<ReadContext, R> query) {
        try (var context = client().singleUse()) {
            return query.apply(context);
        } catch (SpannerException e) {
            throw failures.of(name, e);
        } catch (IllegalStateException e) {
            throw closedOr(e);
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

    /** Runs a statement that changes the schema, and returns when it is in effect. */
    void alter(String statement) {
        requireOpen();
        try {
            spanner.getDatabaseAdminClient()
                    .updateDatabaseDdl(id.getInstanceId().getInstance(), id.getDatabase(), List.of(statement), null)
                    .get(SCHEMA_PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw failures.general(SpannerExceptionFactory.newSpannerException(e.getCause()));
        } catch (SpannerException e) {
            throw failures.general(e);
        } catch (TimeoutException e) {
            throw new Unavailable(
                    failures.database() + ": a schema change is not in effect after " + SCHEMA_PATIENCE_SECONDS
                            + " s; check whether it is still running",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Unavailable(
                    "interrupted during a schema change of " + failures.database() + "; check whether it is in effect",
                    e);
        }
    }

    /** Either the client has been closed in the meantime, or the exception is unexpected. */
    private RuntimeException closedOr(IllegalStateException thrown) {
        return spanner.isClosed() ? closed(thrown) : thrown;
    }

    private Unavailable closed(@Nullable Throwable cause) {
        return new Unavailable("the client of " + id.getName() + " is closed; open another store", cause);
    }
}
