// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.SpannerExceptionFactory;
import dev.seriatim.SequenceException.Unavailable;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Changes of the database's schema. Thread-safe. */
record Ddl(SpannerDatabase database, SpannerFailures failures) {

    /** Spanner takes its time with these, tens of seconds at times. */
    private static final long PATIENCE_SECONDS = 120;

    /** Runs a statement; returns when it is in force. */
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
                    failures.database() + ": a change of the schema is not in force after " + PATIENCE_SECONDS
                            + " s; look whether it still runs",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Unavailable("interrupted while the schema of " + failures.database() + " changed", e);
        }
    }

    /** An identifier, which was checked, as SQL spells it. */
    static String quoted(String identifier) {
        return "`" + identifier + "`";
    }
}
