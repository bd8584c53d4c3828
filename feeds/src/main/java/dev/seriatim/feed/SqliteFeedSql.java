// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.feed;

import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.PlacedTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.OptionalLong;

/** SQLite has one writer at a time, so a trigger gives the position in the writer's own transaction. */
final class SqliteFeedSql extends FeedSql {

    SqliteFeedSql(Dialect dialect, PlacedTable feeds) {
        super(dialect, feeds, "sqlite.sql");
    }

    @Override
    int move(Connection transaction, FeedTables feed, long floor) {
        return 0;
    }

    /**
     * {@inheritDoc} The first statement writes, even if the reader is there: it waits for the transaction that writes, or fails
     * if this one has read what another has changed since.
     */
    @Override
    OptionalLong lockedPlace(Connection transaction, FeedTables feed, String reader) throws SQLException {
        execute(transaction, statement("enter_reader", feed), reader);
        return super.lockedPlace(transaction, feed, reader);
    }
}
