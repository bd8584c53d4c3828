// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.feed;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.PlacedTable;
import dev.seriatim.jdbc.sql.Sql;
import dev.seriatim.jdbc.sql.SqlWork;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** PostgreSQL: a deferred trigger fills the inbox at the commit. */
final class PostgresFeedSql extends FeedSql {

    private static final String LOCK_TIMEOUT = "55P03";

    PostgresFeedSql(Dialect dialect, PlacedTable feeds) {
        super(dialect, feeds, "postgres.sql");
    }

    // Making a feed

    @Override
    Source find(Connection connection, FeedDefinition definition) throws SQLException {
        String table = definition.table();
        String name =
                definition.schema().map(schema -> dialect.quote(schema) + ".").orElse("") + dialect.quote(table);
        try (PreparedStatement statement = connection.prepareStatement(statement("find"))) {
            statement.setString(1, name);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    throw FeedFailures.noTable(table);
                }
                String kind = row.getString(2);
                if (!kind.equals("r") && !kind.equals("p")) {
                    throw FeedFailures.notTable(table);
                }
                if (!row.getString(3).equals("p")) {
                    throw new Misconfigured("table '" + table + "' is temporary or unlogged and loses rows in a crash;"
                            + " ALTER TABLE … SET LOGGED, or name another one");
                }
                return key(connection, definition, row.getString(1), row.getString(4), row.getBoolean(5));
            }
        }
    }

    private Source key(Connection connection, FeedDefinition definition, String schema, String oid, boolean hasPosition)
            throws SQLException {
        List<String> names = new ArrayList<>();
        List<String> types = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(statement("key"))) {
            statement.setString(1, oid);
            for (int i = 2; i <= 4; i++) {
                statement.setArray(
                        i, connection.createArrayOf("text", definition.key().toArray()));
            }
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    if (!row.getBoolean(3)) {
                        throw FeedFailures.nullable(definition.table(), row.getString(1));
                    }
                    names.add(row.getString(1));
                    types.add(row.getString(2));
                }
            }
        }
        return FeedFailures.checked(definition, new Source(schema, names, types, hasPosition));
    }

    @Override
    void create(Connection connection, FeedTables feed, Source source, SqlWork<?> check) throws SQLException {
        readCommitted(connection);
        check.run(connection);
        try {
            for (String statement : creation(feed, source)) {
                Sql.execute(connection, statement);
            }
        } catch (SQLException e) {
            if (LOCK_TIMEOUT.equals(e.getSQLState())) {
                connection.rollback();
                throw FeedFailures.written(feed.table(), sessions(connection, feed.in(dialect, feed.table()), ""), e);
            }
            throw e;
        }
    }

    /** {@inheritDoc} Grants on it survive, unless a column has gone. */
    @Override
    void renew(Connection connection, FeedTables feed, Source source) throws SQLException {
        Savepoint before = connection.setSavepoint();
        try {
            Sql.execute(connection, createView("CREATE OR REPLACE VIEW", feed, source));
        } catch (SQLException columnHasGone) {
            connection.rollback(before);
            Sql.execute(connection, "DROP VIEW " + feed.in(dialect, feed.view()));
            Sql.execute(connection, createView("CREATE VIEW", feed, source));
        }
    }

    // Passes

    @Override
    void readCommitted(Connection transaction) throws SQLException {
        Sql.execute(transaction, "SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
    }

    @Override
    int move(Connection transaction, FeedTables feed, long floor, int limit) throws SQLException {
        Map<String, String> words = words(feed);
        words.put("floor", Long.toString(floor));
        words.put("limit", Integer.toString(limit));
        return execute(transaction, statement("move", words));
    }

    @Override
    Optional<Floor.Observation> observe(Connection connection, FeedTables feed) throws SQLException {
        try (PreparedStatement arrival = connection.prepareStatement(statement("arrival", words(feed)));
                ResultSet last = arrival.executeQuery();
                PreparedStatement holders = connection.prepareStatement(statement("holders"))) {
            if (!last.next()) {
                return Optional.empty();
            }
            holders.setString(1, feed.in(dialect, feed.inbox()));
            Set<String> names = new HashSet<>();
            try (ResultSet row = holders.executeQuery()) {
                while (row.next()) {
                    names.add(row.getString(1));
                }
            }
            return Optional.of(new Floor.Observation(last.getLong(1), names, last.getString(2)));
        }
    }

    @Override
    String enterReader() {
        return "INSERT INTO " + readers() + " VALUES (?, ?, 0) ON CONFLICT DO NOTHING";
    }

    // Checking

    @Override
    String without(FeedTables feed, String table) {
        return "NOT EXISTS (SELECT 1 FROM " + table + " x WHERE " + feed.sameKey(dialect, "x", "t") + ")";
    }

    @Override
    List<String> holders(Connection connection, FeedTables feed) throws SQLException {
        return sessions(connection, feed.in(dialect, feed.inbox()), feeds.qualified());
    }

    /** Returns the sessions that write to a table, or have locked a row of another one. */
    private List<String> sessions(Connection connection, String written, String locked) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(statement("sessions"))) {
            statement.setString(1, written);
            statement.setString(2, locked);
            try (ResultSet row = statement.executeQuery()) {
                List<String> sessions = new ArrayList<>();
                while (row.next()) {
                    String transaction = row.getLong(3) > 0 ? ", in a transaction for " + row.getLong(3) + " s" : "";
                    sessions.add("session " + row.getLong(1) + " (" + row.getString(2) + transaction + ")");
                }
                return sessions;
            }
        }
    }

    @Override
    Optional<String> triggerFault(Connection connection, FeedTables feed) throws SQLException {
        Optional<String> state =
                Sql.read(connection, statement("trigger"), feed.in(dialect, feed.table()), trigger(feed));
        if (state.isEmpty()) {
            return Optional.of("trigger " + trigger(feed) + " is missing");
        }
        if (!state.get().matches("[OA]")) {
            return Optional.of("trigger " + trigger(feed) + " is disabled");
        }
        Optional<String> cache =
                Sql.read(connection, statement("cache"), feed.in(dialect, feed.inbox() + "_arrival_seq"));
        return cache.filter(size -> !size.equals("1"))
                .map(size -> "the sequence of " + feed.inbox() + " has a CACHE of " + size
                        + ", so arrivals are out of order");
    }
}
