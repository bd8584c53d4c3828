// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.SpannerExceptionFactory;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.store.Layout;
import dev.seriatim.store.SequenceTable;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

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

    /** Returns the statement that creates a table if it does not exist. */
    static String createTable(SequenceTable table, Layout layout) {
        String columns = layout.columns().stream()
                .map(column -> ",\n  " + quoted(column) + " INT64 NOT NULL")
                .collect(Collectors.joining());
        String key = quoted(table.nameColumn());
        return "CREATE TABLE IF NOT EXISTS " + quoted(table.table()) + " (\n  " + key + " STRING(64) NOT NULL" + columns
                + "\n) PRIMARY KEY (" + key + ")";
    }

    /** Quotes a valid identifier for SQL. */
    static String quoted(String identifier) {
        return "`" + identifier + "`";
    }
}
