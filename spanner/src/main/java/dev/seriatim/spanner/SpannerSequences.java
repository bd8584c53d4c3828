// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.TransactionContext;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.engine.TransactionalSequences;
import java.util.function.Consumer;

/**
 * The sequences of a Spanner database, through Spanner's own client. Where to begin.
 *
 * <p>Thread-safe. What a draw costs, and how it goes with attempts that Spanner aborts, stands with {@link SpannerStore}.
 */
public final class SpannerSequences extends TransactionalSequences<TransactionContext, SpannerStore> {

    private SpannerSequences(SpannerStore store, boolean owned, Consumer<? super StoreSequences.Builder> settings) {
        super(store, owned, settings);
    }

    /**
     * Opens the sequences in the table {@code seriatim_sequences} of a database, which is made with the first of them.
     *
     * @param spanner stays the caller's
     * @throws dev.seriatim.SequenceException as {@link SpannerStore#open(Spanner, DatabaseId)}
     */
    public static SpannerSequences open(Spanner spanner, DatabaseId database) {
        return open(spanner, database, settings -> {});
    }

    /**
     * As {@link #open(Spanner, DatabaseId)}, with settings of their own.
     *
     * @throws dev.seriatim.SequenceException as {@link SpannerStore#open(Spanner, DatabaseId)}
     */
    public static SpannerSequences open(
            Spanner spanner, DatabaseId database, Consumer<? super StoreSequences.Builder> settings) {
        return new SpannerSequences(SpannerStore.open(spanner, database), true, settings);
    }

    /** The sequences of a store that is open and stays the caller's, such as one with a table of another name. */
    public static SpannerSequences over(SpannerStore store, Consumer<? super StoreSequences.Builder> settings) {
        return new SpannerSequences(store, false, settings);
    }
}
