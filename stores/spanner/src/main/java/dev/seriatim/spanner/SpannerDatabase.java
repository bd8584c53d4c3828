// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.Options;
import com.google.cloud.spanner.Options.TransactionOption;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.TransactionManager;
import com.google.cloud.spanner.TransactionRunner;
import com.google.spanner.v1.TransactionOptions.IsolationLevel;
import com.google.spanner.v1.TransactionOptions.ReadWrite.ReadLockMode;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Unavailable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A database and the clients for it. Immutable and thread-safe.
 *
 * @param spanner the client of the service
 * @param id the database's identifier
 * @param client the client of the database
 * @param patience maximum time a call waits for conflicts with other sessions to end
 */
record SpannerDatabase(Spanner spanner, DatabaseId id, DatabaseClient client, Duration patience) {

    /** Default maximum time a call waits for conflicts with other sessions to end. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Overrides the client's defaults: a counter is locked when it is read, and nothing is read twice. */
    private static final TransactionOption[] OURS = {
        Options.isolationLevel(IsolationLevel.SERIALIZABLE), Options.readLockMode(ReadLockMode.PESSIMISTIC)
    };

    /**
     * Sends a query to the database, so that connection problems are reported immediately.
     *
     * @throws dev.seriatim.SequenceException if the database does not answer, or uses another dialect
     */
    static SpannerDatabase reached(Spanner spanner, DatabaseId id, Duration patience) {
        try {
            SpannerDatabase database = new SpannerDatabase(spanner, id, spanner.getDatabaseClient(id), patience);
            if (database.client.getDialect() != Dialect.GOOGLE_STANDARD_SQL) {
                throw new Misconfigured("""
                        database %s uses the PostgreSQL dialect, which this store does not support; name one in \
                        GoogleSQL, or use a JDBC URL""".formatted(id.getName()));
            }
            return database;
        } catch (SpannerException e) {
            throw new SpannerFailures("", id.getName(), patience).general(e);
        }
    }

    /** Returns the client of the service while it is open. */
    @Override
    public Spanner spanner() {
        if (spanner.isClosed()) {
            throw closed(null);
        }
        return spanner;
    }

    /** Returns the client of the database while it is open. */
    @Override
    public DatabaseClient client() {
        if (spanner.isClosed()) {
            throw closed(null);
        }
        return client;
    }

    /** Begins a transaction that the store repeats. */
    TransactionManager transactionManager() {
        return client().transactionManager(OURS);
    }

    /** Begins a transaction that the client repeats. */
    TransactionRunner transactionRunner() {
        return client().readWriteTransaction(OURS);
    }

    /**
     * Translates an exception of the client: either it has been closed in the meantime, or the exception is unexpected.
     */
    RuntimeException closedOr(IllegalStateException thrown) {
        return spanner.isClosed() ? closed(thrown) : thrown;
    }

    private Unavailable closed(@Nullable Throwable cause) {
        return new Unavailable("the client of " + id.getName() + " is closed; open another store", cause);
    }
}
