// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.feed;

import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.PlacedTable;
import dev.seriatim.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** PostgreSQL: a deferred trigger fills the inbox at the commit. */
final class PostgresFeedSql extends FeedSql {

    PostgresFeedSql(Dialect dialect, PlacedTable feeds) {
        super(dialect, feeds, "postgres.sql");
    }

    /** {@inheritDoc} Grants on it survive, unless a column has gone. */
    @Override
    void renew(Connection connection, FeedTables feed, Source source) throws SQLException {
        run(connection, statements("brief"));
        Savepoint before = connection.setSavepoint();
        try {
            super.renew(connection, feed, source);
        } catch (SQLException e) {
            if (dialect.lockHeld(e)) {
                throw new Overloaded(
                        "view '" + feed.view() + "' is in use by another session; end it, then try again", e);
            }
            connection.rollback(before); // a column has gone
            run(connection, statements("replaced_view", words(feed, source)));
        }
    }

    @Override
    int move(Connection transaction, FeedTables feed, long floor) throws SQLException {
        return execute(transaction, statement("move", feed, Map.of("floor", floor, "limit", Passes.FULL)));
    }

    @Override
    Optional<Floor.Observation> observe(Connection connection, FeedTables feed) throws SQLException {
        try (PreparedStatement arrival = connection.prepareStatement(statement("arrival", feed));
                ResultSet last = arrival.executeQuery()) {
            if (!last.next()) {
                return Optional.empty();
            }
            Set<String> holders = Set.copyOf(Sql.all(connection, statement("write_locks", feed)));
            return Optional.of(new Floor.Observation(last.getLong(1), holders, last.getString(2)));
        }
    }
}
