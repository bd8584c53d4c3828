// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.feed;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.PlacedTable;
import dev.seriatim.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** MariaDB and MySQL: a trigger fills the inbox at the insert. DDL commits, so a feed is made in steps that can be repeated. */
final class MySqlFeedSql extends FeedSql {

    private static final int LOCK_TIMEOUT = 1205;
    private static final int NO_PROCESS_PRIVILEGE = 1227;

    private static final String TABLE = """
            SELECT TABLE_TYPE, COALESCE(ENGINE, '') FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?""";

    private static final String COLUMNS = """
            SELECT c.COLUMN_NAME, c.COLUMN_TYPE, c.IS_NULLABLE, c.CHARACTER_SET_NAME, c.COLLATION_NAME, k.ORDINAL_POSITION \
            FROM information_schema.COLUMNS c LEFT JOIN information_schema.KEY_COLUMN_USAGE k \
            ON k.TABLE_SCHEMA = c.TABLE_SCHEMA AND k.TABLE_NAME = c.TABLE_NAME AND k.COLUMN_NAME = c.COLUMN_NAME \
            AND k.CONSTRAINT_NAME = 'PRIMARY' WHERE c.TABLE_SCHEMA = ? AND c.TABLE_NAME = ?""";

    private static final String SESSIONS = """
            SELECT CONCAT('session ', trx_mysql_thread_id, ' (in a transaction for ', TIMESTAMPDIFF(SECOND, trx_started, NOW()), ' s)') \
            FROM information_schema.INNODB_TRX WHERE trx_mysql_thread_id <> CONNECTION_ID() \
            ORDER BY trx_started LIMIT 3""";

    MySqlFeedSql(Dialect dialect, PlacedTable feeds) {
        super(dialect, feeds);
    }

    @Override
    Source find(Connection connection, FeedDefinition definition) throws SQLException {
        checkServer(connection);
        String table = definition.table();
        String schema = definition.schema().orElse(connection.getCatalog());
        try (PreparedStatement statement = connection.prepareStatement(TABLE)) {
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

    private static Source columns(Connection connection, FeedDefinition definition, String schema) throws SQLException {
        String[] names = new String[64];
        String[] types = new String[64];
        int most = 0;
        boolean hasPosition = false;
        try (PreparedStatement statement = connection.prepareStatement(COLUMNS)) {
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
    List<String> shared() {
        String options = dialect.tableOptions() + " ENGINE = InnoDB";
        return List.of(
                "CREATE TABLE IF NOT EXISTS " + feeds.qualified() + " (name " + dialect.nameType()
                        + " NOT NULL PRIMARY KEY,"
                        + " source_schema VARCHAR(64) NOT NULL, source_table VARCHAR(64) NOT NULL, inbox VARCHAR(64) NOT NULL,"
                        + " positions VARCHAR(64) NOT NULL, view_name VARCHAR(64) NOT NULL, key_columns VARCHAR(1000) NOT NULL,"
                        + " from_now INT NOT NULL, ready INT NOT NULL)" + options,
                "CREATE TABLE IF NOT EXISTS " + readers() + " (feed " + dialect.nameType() + " NOT NULL, reader "
                        + dialect.nameType()
                        + " NOT NULL, position BIGINT NOT NULL DEFAULT 0, PRIMARY KEY (feed, reader))"
                        + options);
    }

    /** {@inheritDoc} Procedures, since no function may run a statement that it composes. */
    @Override
    List<String> functions() {
        List<String> statements = new ArrayList<>();
        procedure(statements, "feed_stamp", "IN feed_name VARCHAR(64)", """
                  DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN ROLLBACK; RESIGNAL; END;
                  SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
                  START TRANSACTION;
                  %s FOR UPDATE SKIP LOCKED;
                  IF @seriatim_i IS NULL THEN
                    %s;
                    SET @seriatim_n = IF(@seriatim_i IS NULL, -1, 0);
                  ELSE
                    SET @seriatim_s = CONCAT('SELECT COALESCE(MAX(position), 0) INTO @seriatim_l FROM ', @seriatim_p);
                    PREPARE seriatim_x FROM @seriatim_s; EXECUTE seriatim_x;
                    SET @seriatim_s = CONCAT('INSERT INTO ', @seriatim_p, ' (position, arrival, ', @seriatim_k,
                      ') SELECT @seriatim_l + ROW_NUMBER() OVER (ORDER BY arrival), arrival, ', @seriatim_k, ' FROM (SELECT arrival, ',
                      @seriatim_k, ' FROM ', @seriatim_i, ' ORDER BY arrival LIMIT 5000) x');
                    PREPARE seriatim_x FROM @seriatim_s; EXECUTE seriatim_x; SET @seriatim_n = ROW_COUNT();
                    SET @seriatim_s = CONCAT('DELETE i FROM ', @seriatim_p, ' p STRAIGHT_JOIN ', @seriatim_i,
                      ' i ON i.arrival = p.arrival WHERE p.position > @seriatim_l');
                    PREPARE seriatim_x FROM @seriatim_s; EXECUTE seriatim_x;
                    IF ROW_COUNT() <> @seriatim_n THEN
                      SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'the inbox was changed by others; run seriatim feed check';
                    END IF;
                    DEALLOCATE PREPARE seriatim_x;
                  END IF;
                  COMMIT;
                  IF @seriatim_n < 0 THEN
                    SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'feed not found; create it with: seriatim feed create';
                  END IF;
                  SELECT @seriatim_n AS stamped;
                """.formatted(feedRow(), feedRow()));
        procedure(statements, "feed_last", "IN feed_name VARCHAR(64)", """
                  %s;
                  IF @seriatim_p IS NULL THEN
                    SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'feed not found; create it with: seriatim feed create';
                  END IF;
                  SET @seriatim_s = CONCAT('SELECT COALESCE(MAX(position), 0) AS last FROM ', @seriatim_p);
                  PREPARE seriatim_x FROM @seriatim_s; EXECUTE seriatim_x; DEALLOCATE PREPARE seriatim_x;
                """.formatted(feedRow()));
        procedure(
                statements,
                "feed_advance",
                "IN feed_name VARCHAR(64), IN reader_name VARCHAR(64), IN new_position BIGINT",
                """
                  INSERT IGNORE INTO %1$s VALUES (feed_name, reader_name, 0);
                  SELECT position INTO @seriatim_l FROM %1$s WHERE feed = feed_name AND reader = reader_name FOR UPDATE;
                  IF @seriatim_l > new_position THEN
                    SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'the reader stands beyond; rewind it with: seriatim feed reader';
                  END IF;
                  UPDATE %1$s SET position = new_position WHERE feed = feed_name AND reader = reader_name;
                """.formatted(readers()));
        return statements;
    }

    /** Reads the tables of a feed, quoted, into variables; null if it is missing. */
    private String feedRow() {
        String name = "CONCAT('`', REPLACE(source_schema, '`', '``'), '`.`', REPLACE(%s, '`', '``'), '`')";
        return "SET @seriatim_i = NULL, @seriatim_p = NULL; SELECT " + name.formatted("inbox") + ", "
                + name.formatted("positions")
                + ", CONCAT('`', REPLACE(REPLACE(key_columns, '`', '``'), '\\n', '`, `'), '`')"
                + " INTO @seriatim_i, @seriatim_p, @seriatim_k FROM " + feeds.qualified()
                + " WHERE name = feed_name AND ready = 1";
    }

    private void procedure(List<String> statements, String name, String parameters, String body) {
        statements.add("DROP PROCEDURE IF EXISTS " + feeds.prefix() + name);
        statements.add("CREATE PROCEDURE " + feeds.prefix() + name + "(" + parameters
                + ") SQL SECURITY INVOKER\nBEGIN\n" + body + "END");
    }

    @Override
    List<String> creation(FeedTables feed, Source source) {
        String table = feed.in(dialect, feed.table());
        String inbox = feed.in(dialect, feed.inbox());
        String key = feed.key(dialect, "");
        List<String> statements = new ArrayList<>(List.of(
                insertFeed(feed, false),
                "CREATE TABLE " + inbox + " (arrival BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY, " + columns(source)
                        + ") ENGINE = InnoDB",
                "CREATE TABLE " + feed.in(dialect, feed.positions()) + " (position BIGINT NOT NULL PRIMARY KEY,"
                        + " arrival BIGINT NOT NULL, " + columns(source) + ") ENGINE = InnoDB",
                "SET SESSION lock_wait_timeout = 2",
                "LOCK TABLES " + table + " WRITE, " + inbox + " WRITE",
                "CREATE TRIGGER " + feed.in(dialect, trigger(feed)) + " AFTER INSERT ON " + table
                        + " FOR EACH ROW INSERT INTO " + inbox + " (" + key + ") VALUES (" + feed.key(dialect, "NEW.")
                        + ")"));
        if (!feed.fromNow()) {
            statements.add(
                    "INSERT INTO " + inbox + " (" + key + ") SELECT " + key + " FROM " + table + " ORDER BY " + key);
        }
        statements.add("UNLOCK TABLES");
        statements.add("SET SESSION lock_wait_timeout = DEFAULT");
        statements.add(createView("CREATE OR REPLACE VIEW", feed, source));
        statements.add("UPDATE " + feeds.qualified() + " SET ready = 1 WHERE name = " + dialect.literal(feed.name()));
        return statements;
    }

    @Override
    void create(Connection connection, FeedTables feed, Source source) throws SQLException {
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
            Sql.execute(connection, "UNLOCK TABLES");
            Sql.execute(connection, "SET SESSION lock_wait_timeout = DEFAULT");
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

    @Override
    String outbox(String table) {
        return "CREATE TABLE IF NOT EXISTS " + table
                + " (id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY, `key` VARCHAR(255),"
                + " type VARCHAR(255) NOT NULL, payload LONGTEXT NOT NULL, at TIMESTAMP(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6))"
                + " CHARACTER SET utf8mb4 ENGINE = InnoDB";
    }

    @Override
    List<String> grants(FeedTables feed) {
        String to = " TO " + dialect.grantee();
        return List.of(
                "GRANT SELECT, UPDATE ON " + feeds.qualified() + to,
                "GRANT SELECT, INSERT, UPDATE ON " + readers() + to,
                "GRANT SELECT, DELETE ON " + feed.in(dialect, feed.inbox()) + to,
                "GRANT SELECT, INSERT, DELETE ON " + feed.in(dialect, feed.positions()) + to,
                "GRANT SELECT ON " + feed.in(dialect, feed.view()) + to);
    }

    /** {@inheritDoc} Queries of an {@code INSERT … SELECT} then see committed rows alone, and wait for no writer. */
    @Override
    void readCommitted(Connection transaction) throws SQLException {
        Sql.execute(transaction, "SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
    }

    /** {@inheritDoc} The rows to delete are looked up by their arrival, so that the statement meets no uncommitted one. */
    @Override
    int move(Connection transaction, FeedTables feed, long floor, int limit) throws SQLException {
        String inbox = feed.in(dialect, feed.inbox());
        String positions = feed.in(dialect, feed.positions());
        String key = feed.key(dialect, "");
        long last = last(transaction, feed);
        int inserted = execute(
                transaction,
                "INSERT INTO " + positions + " (position, arrival, " + key + ") SELECT " + last
                        + " + ROW_NUMBER() OVER (ORDER BY arrival), arrival, " + key + " FROM (SELECT arrival, " + key
                        + " FROM "
                        + inbox + " ORDER BY arrival LIMIT " + limit + ") x");
        int deleted = execute(
                transaction,
                "DELETE i FROM " + positions + " p STRAIGHT_JOIN " + inbox
                        + " i ON i.arrival = p.arrival WHERE p.position > " + last);
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
            return Sql.all(connection, SESSIONS);
        } catch (SQLException e) {
            if (e.getErrorCode() == NO_PROCESS_PRIVILEGE) {
                return List.of("sessions that only a user with the privilege PROCESS sees");
            }
            throw e;
        }
    }

    @Override
    Optional<String> triggerFault(Connection connection, FeedTables feed) throws SQLException {
        boolean missing = Sql.read(
                        connection,
                        "SELECT 1 FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = ? AND TRIGGER_NAME = ?"
                                + " AND EVENT_OBJECT_TABLE = ?",
                        feed.schema(),
                        trigger(feed),
                        feed.table())
                .isEmpty();
        return missing ? Optional.of("trigger " + trigger(feed) + " is missing") : Optional.empty();
    }
}
