// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.feed;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.Fault;
import dev.seriatim.jdbc.sql.PlacedTable;
import dev.seriatim.jdbc.sql.Sql;
import dev.seriatim.jdbc.sql.SqlWork;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** MariaDB and MySQL: a trigger fills the inbox at the insert. DDL commits, so a feed is made in steps that can be repeated. */
final class MySqlFeedSql extends FeedSql {

    private static final int LOCK_TIMEOUT = 1205;
    private static final int NO_PROCESS_PRIVILEGE = 1227;

    MySqlFeedSql(Dialect dialect, PlacedTable feeds) {
        super(dialect, feeds, "mysql.sql");
    }

    @Override
    Source find(Connection connection, FeedDefinition definition) throws SQLException {
        checkServer(connection);
        String table = definition.table();
        String schema = definition.schema().orElse(connection.getCatalog());
        try (PreparedStatement statement = connection.prepareStatement(statement("find"))) {
            statement.setString(1, schema);
            statement.setString(2, table);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    throw FeedFailures.noTable(table);
                }
                if (!row.getString(1).equals("BASE TABLE")) {
                    throw FeedFailures.notTable(table);
                }
                if (!row.getString(2).equalsIgnoreCase("InnoDB")) {
                    throw new Misconfigured("table '" + table + "' is " + row.getString(2)
                            + ", which has no transactions; ALTER TABLE … ENGINE = InnoDB");
                }
            }
        }
        return FeedFailures.checked(definition, columns(connection, definition, schema));
    }

    private Source columns(Connection connection, FeedDefinition definition, String schema) throws SQLException {
        String[] names = new String[64];
        String[] types = new String[64];
        int most = 0;
        boolean hasPosition = false;
        try (PreparedStatement statement = connection.prepareStatement(statement("columns"))) {
            statement.setString(1, schema);
            statement.setString(2, definition.table());
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    String name = row.getString(1);
                    hasPosition |= name.equalsIgnoreCase("position");
                    int place = definition.key().isEmpty()
                            ? row.getInt(6)
                            : definition.key().indexOf(name) + 1;
                    if (place > 0 && row.getString(3).equals("YES")) {
                        throw FeedFailures.nullable(definition.table(), name);
                    }
                    if (place > 0) {
                        names[place - 1] = name;
                        types[place - 1] = row.getString(2)
                                + (row.getString(4) == null
                                        ? ""
                                        : " CHARACTER SET " + row.getString(4) + " COLLATE " + row.getString(5));
                        most = Math.max(most, place);
                    }
                }
            }
        }
        List<String> found = new ArrayList<>();
        List<String> foundTypes = new ArrayList<>();
        for (int i = 0; i < most; i++) {
            if (names[i] != null) {
                found.add(names[i]);
                foundTypes.add(types[i]);
            }
        }
        return new Source(schema, found, foundTypes, hasPosition);
    }

    private void checkServer(Connection connection) throws SQLException {
        if (variable(connection, "log_bin").equals("ON")
                && variable(connection, "binlog_format").equals("STATEMENT")) {
            throw new Misconfigured("binlog_format is STATEMENT, with which a pass cannot run at READ COMMITTED;"
                    + " SET GLOBAL binlog_format = 'MIXED' or 'ROW'");
        }
        if (dialect.poolClaim("").isEmpty()) {
            throw new Misconfigured("this server has no SKIP LOCKED; feeds need MariaDB 10.6 or MySQL 8");
        }
    }

    private static String variable(Connection connection, String name) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("SHOW VARIABLES WHERE Variable_name = '" + name + "'")) {
            return row.next() ? row.getString(2) : "";
        }
    }

    @Override
    void create(Connection connection, FeedTables feed, Source source, SqlWork<?> check) throws SQLException {
        String name = "seriatim feed "
                + Integer.toHexString(feed.in(dialect, feed.inbox()).hashCode());
        if (!Sql.read(connection, statement("exclude"), name).orElse("0").equals("1")) {
            throw new SQLTransientException("another session makes feed '" + feed.name() + "'");
        }
        try {
            // A process that ended while it made the feed has left its row, which is not ready.
            if (Sql.read(connection, statement("unready", words(feed)), feed.name())
                    .isPresent()) {
                undo(connection, feed);
            }
            check.run(connection);
            make(connection, feed, source);
        } finally {
            Sql.read(connection, statement("admit"), name);
        }
    }

    private void make(Connection connection, FeedTables feed, Source source) throws SQLException {
        boolean made = false;
        try {
            for (String statement : creation(feed, source)) {
                Sql.execute(connection, statement);
            }
            made = true;
        } catch (SQLException e) {
            if (e.getErrorCode() == LOCK_TIMEOUT) {
                throw FeedFailures.written(feed.table(), holders(connection, feed), e);
            }
            // Another process has made it.
            made = dialect.fault(e) == Fault.DUPLICATE;
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
            for (String statement : statements("unlock", Map.of())) {
                Sql.execute(connection, statement);
            }
            for (String statement : removal(feed)) {
                Sql.execute(connection, statement);
            }
        } catch (SQLException lost) {
            // The first failure is the one to report.
        }
    }

    @Override
    void renew(Connection connection, FeedTables feed, Source source) throws SQLException {
        Sql.execute(connection, createView("CREATE OR REPLACE VIEW", feed, source));
    }

    /** {@inheritDoc} Queries of an {@code INSERT … SELECT} then see committed rows alone, and wait for no writer. */
    @Override
    void readCommitted(Connection transaction) throws SQLException {
        Sql.execute(transaction, "SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
    }

    @Override
    int move(Connection transaction, FeedTables feed, long floor, int limit) throws SQLException {
        Map<String, String> words = words(feed);
        words.put("last", Long.toString(last(transaction, feed)));
        words.put("limit", Integer.toString(limit));
        int inserted = execute(transaction, statement("insert", words));
        int deleted = execute(transaction, statement("delete", words));
        if (inserted != deleted) {
            throw new Misconfigured("rows of table '" + feed.inbox()
                    + "' were changed by others during a pass, which changed" + " nothing; run 'seriatim feed check'");
        }
        return inserted;
    }

    @Override
    String enterReader() {
        return "INSERT IGNORE INTO " + readers() + " VALUES (?, ?, 0)";
    }

    @Override
    List<String> holders(Connection connection, FeedTables feed) throws SQLException {
        try {
            return Sql.all(connection, statement("sessions"));
        } catch (SQLException e) {
            if (e.getErrorCode() == NO_PROCESS_PRIVILEGE) {
                return List.of("sessions that only a user with the privilege PROCESS sees");
            }
            throw e;
        }
    }

    @Override
    Optional<String> triggerFault(Connection connection, FeedTables feed) throws SQLException {
        boolean missing = Sql.read(connection, statement("trigger"), feed.schema(), trigger(feed), feed.table())
                .isEmpty();
        return missing ? Optional.of("trigger " + trigger(feed) + " is missing") : Optional.empty();
    }
}
