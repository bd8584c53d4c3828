// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.jdbc.sql.Scrubbing;
import dev.seriatim.store.SequenceTable;
import java.sql.Connection;
import java.time.Duration;

/**
 * How to reach the database of a store's URL without opening the store.
 *
 * @param database the database, for display
 * @param table the table that the URL names
 * @param scrubbing removes the URL's secrets from what its driver throws
 * @param door opens connections
 */
record StoreOpening(String database, SequenceTable table, Scrubbing scrubbing, Door door) {

    @FunctionalInterface
    interface Door {
        /**
         * Opens a connection; creates no database.
         *
         * @param readOnly whether the driver must not change anything either, where it can promise that
         * @param limit how long a server may take to log in
         * @throws dev.seriatim.SequenceException if it cannot be opened, without secrets
         */
        Connection open(boolean readOnly, Duration limit);
    }
}
