// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.SpannerExceptionFactory;
import dev.seriatim.SequenceException.Unavailable;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Changes the database's schema. Thread-safe. */
record Ddl(SpannerDatabase database, SpannerFailures failures) {

    /** Spanner may need tens of seconds for schema changes. */
    private static final long PATIENCE_SECONDS = 120;

    /** Runs a statement and returns when it is in effect. */
    void run(String statement) {
        try {
            database.spanner()
                    .getDatabaseAdminClient()
                    .updateDatabaseDdl(
                            database.id().getInstanceId().getInstance(),
                            database.id().getDatabase(),
                            List.of(statement),
                            null)
                    .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw failures.general(SpannerExceptionFactory.newSpannerException(e.getCause()));
        } catch (SpannerException e) {
            throw failures.general(e);
        } catch (TimeoutException e) {
            throw new Unavailable(
                    failures.database() + ": a schema change is not in effect after " + PATIENCE_SECONDS
                            + " s; check whether it is still running",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Unavailable(
                    "interrupted during a schema change of " + failures.database() + "; check whether it is in effect",
                    e);
        }
    }

    /** Quotes a valid identifier for SQL. */
    static String quoted(String identifier) {
        return "`" + identifier + "`";
    }
}
