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
 * A database, and how to get there. Immutable and thread-safe.
 *
 * @param spanner the way to the service
 * @param id which database
 * @param client the way to the database
 * @param patience how long a call waits for conflicts with other sessions to end
 */
record SpannerDatabase(Spanner spanner, DatabaseId id, DatabaseClient client, Duration patience) {

    /** How long a call waits for conflicts with other sessions to end, unless told otherwise. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Whatever the client is set to by default: a counter is locked when it is read, and nothing is read twice. */
    private static final TransactionOption[] OURS = {
        Options.isolationLevel(IsolationLevel.SERIALIZABLE), Options.readLockMode(ReadLockMode.PESSIMISTIC)
    };

    /**
     * Asks the database a question, so that what is wrong with the way there is said at once.
     *
     * @throws dev.seriatim.SequenceException when it does not answer, or speaks another dialect
     */
    static SpannerDatabase reached(Spanner spanner, DatabaseId id, Duration patience) {
        try {
            SpannerDatabase database = new SpannerDatabase(spanner, id, spanner.getDatabaseClient(id), patience);
            if (database.client.getDialect() != Dialect.GOOGLE_STANDARD_SQL) {
                throw new Misconfigured("database " + id.getName()
                        + " speaks PostgreSQL's dialect, which this store does not; name one in GoogleSQL, or"
                        + " use a JDBC URL");
            }
            return database;
        } catch (SpannerException e) {
            throw new SpannerFailures("", id.getName(), patience).general(e);
        }
    }

    /** The way to the service, while it is open. */
    @Override
    public Spanner spanner() {
        if (spanner.isClosed()) {
            throw closed(null);
        }
        return spanner;
    }

    /** The way to the database, while it is open. */
    @Override
    public DatabaseClient client() {
        if (spanner.isClosed()) {
            throw closed(null);
        }
        return client;
    }

    /** Begins a transaction of our own, that we repeat. */
    TransactionManager transactionManager() {
        return client().transactionManager(OURS);
    }

    /** A transaction of our own that the client repeats. */
    TransactionRunner transactionRunner() {
        return client().readWriteTransaction(OURS);
    }

    /** What it means that the client has thrown this: it has been closed meanwhile, or else it is ours to find out. */
    RuntimeException closedOr(IllegalStateException thrown) {
        return spanner.isClosed() ? closed(thrown) : thrown;
    }

    private Unavailable closed(@Nullable Throwable cause) {
        return new Unavailable("the way to " + id.getName() + " has been closed; open another store", cause);
    }
}
