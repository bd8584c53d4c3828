// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.feed;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.Fault;
import dev.seriatim.jdbc.sql.PlacedTable;
import dev.seriatim.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.util.List;
import java.util.Map;

/** MariaDB and MySQL: a trigger fills the inbox at the insert. DDL commits, so a feed is made in steps that can be repeated. */
final class MySqlFeedSql extends FeedSql {

    private static final int NO_PROCESS_PRIVILEGE = 1227;

    MySqlFeedSql(Dialect dialect, PlacedTable feeds) {
        super(dialect, feeds, "mysql.sql");
    }

    @Override
    Source find(Connection connection, FeedDefinition definition) throws SQLException {
        if (Sql.all(connection, statements("server").get(0)).size() == 2) {
            throw new Misconfigured("binlog_format is STATEMENT, with which a pass cannot run at READ COMMITTED;"
                    + " SET GLOBAL binlog_format = 'MIXED' or 'ROW'");
        }
        if (dialect.poolClaim("").isEmpty()) {
            throw new Misconfigured("this server has no SKIP LOCKED; feeds need MariaDB 10.6 or MySQL 8");
        }
        return super.find(connection, definition);
    }

    @Override
    void create(Connection connection, FeedTables feed, Source source) throws SQLException {
        String name = "seriatim feed "
                + Integer.toHexString(feed.in(dialect, feed.inbox()).hashCode());
        if (!Sql.read(connection, "SELECT GET_LOCK(?, 5)", name).orElse("0").equals("1")) {
            throw new SQLTransientException("another session makes feed '" + feed.name() + "'");
        }
        try {
            // A process that ended while it made the feed has left its row, which is not ready.
            if (read(connection, "unready", feed).isPresent()) {
                undo(connection, feed);
            }
            checkNew(connection, feed);
            make(connection, feed, source);
            connection.commit(); // or the next one would find it not ready, and undo it
        } finally {
            Sql.read(connection, "SELECT RELEASE_LOCK(?)", name);
        }
    }

    private void make(Connection connection, FeedTables feed, Source source) throws SQLException {
        boolean made = false;
        try {
            locking(connection, feed, creation(feed, source));
            made = true;
        } catch (SQLException e) {
            made = dialect.fault(e) == Fault.DUPLICATE; // by another process
            throw e;
        } finally {
            if (!made) {
                undo(connection, feed);
            }
        }
    }

    /** What cannot be undone now, the next creation removes, since the feed's row says that it is not ready. */
    private void undo(Connection connection, FeedTables feed) {
        try {
            run(connection, statements("unlock", feed));
            run(connection, removal(feed));
        } catch (SQLException lost) {
            // The first failure is the one to report.
        }
    }

    @Override
    int move(Connection transaction, FeedTables feed, long floor) throws SQLException {
        Map<String, ?> words = Map.of("last", last(transaction, feed), "limit", Passes.FULL);
        int inserted = execute(transaction, statement("insert", feed, words));
        int deleted = execute(transaction, statement("delete", feed, words));
        if (inserted != deleted) {
            throw new Misconfigured("rows of table '" + feed.inbox()
                    + "' were changed by others during a pass, which changed nothing; run 'seriatim feed check'");
        }
        return inserted;
    }

    @Override
    List<String> sessions(Connection connection, String section, FeedTables feed) throws SQLException {
        try {
            return super.sessions(connection, "sessions", feed);
        } catch (SQLException e) {
            if (e.getErrorCode() == NO_PROCESS_PRIVILEGE) {
                return List.of("sessions that only a user with the privilege PROCESS sees");
            }
            throw e;
        }
    }
}
