// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.SpannerException;
import dev.seriatim.SequenceException.Misconfigured;
import java.time.Duration;

/**
 * A database, and how to get there. Immutable and thread-safe.
 *
 * @param spanner the way to the service
 * @param id which database
 * @param client the way to the database
 * @param patience how long a call waits for conflicts with other sessions to end
 */
record Place(Spanner spanner, DatabaseId id, DatabaseClient client, Duration patience) {

    /** How long a call waits for conflicts with other sessions to end, unless told otherwise. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    /**
     * Asks the database a question, so that what is wrong with the way there is said at once.
     *
     * @throws dev.seriatim.SequenceException when it does not answer, or speaks another dialect
     */
    static Place reached(Spanner spanner, DatabaseId id, Duration patience) {
        try {
            Place place = new Place(spanner, id, spanner.getDatabaseClient(id), patience);
            if (place.client.getDialect() != Dialect.GOOGLE_STANDARD_SQL) {
                throw new Misconfigured(
                        "database " + id.getName()
                                + " speaks PostgreSQL's dialect, which this store does not; name one in GoogleSQL, or use a JDBC URL");
            }
            return place;
        } catch (SpannerException e) {
            throw new Failures("", id.getName(), patience).general(e);
        }
    }
}
