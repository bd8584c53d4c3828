// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.TransactionContext;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.engine.TransactionalSequences;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The sequences of a Spanner database, through Spanner's own client. The entry point for applications. Thread-safe. See
 * {@link SpannerStore} for the cost of draws and the handling of aborted attempts.
 */
public final class SpannerSequences extends TransactionalSequences<TransactionContext, SpannerStore> {

    private SpannerSequences(
            Function<Duration, SpannerStore> opening,
            boolean owned,
            Consumer<? super StoreSequences.Builder> settings) {
        super(opening, owned, settings);
    }

    /**
     * Opens the sequences in the table {@code seriatim_sequence} of a database, which is created with the first
     * sequence, as {@link SpannerStore#open(Spanner, DatabaseId)} does. Closing them does not close the client.
     */
    public static SpannerSequences open(Spanner spanner, DatabaseId database) {
        return open(spanner, database, settings -> {});
    }

    /** Like {@link #open(Spanner, DatabaseId)}, with the given settings. */
    public static SpannerSequences open(
            Spanner spanner, DatabaseId database, Consumer<? super StoreSequences.Builder> settings) {
        return new SpannerSequences(patience -> SpannerStore.open(spanner, database), true, settings);
    }

    /** Opens the sequences of an existing store, such as one with another table. Closing them leaves it open. */
    public static SpannerSequences over(SpannerStore store, Consumer<? super StoreSequences.Builder> settings) {
        return new SpannerSequences(patience -> store, false, settings);
    }
}
