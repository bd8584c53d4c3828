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
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** PostgreSQL: a deferred trigger fills the inbox at the commit. */
final class PostgresFeedSql extends FeedSql {

    private static final String LOCK_TIMEOUT = "55P03";
    private static final String BODY = "$seriatim$";
    private static final String SAFELY = " SET search_path = pg_catalog, pg_temp AS ";

    private static final String FIND = """
            SELECT n.nspname, c.relkind, c.relpersistence, c.oid, EXISTS (SELECT 1 FROM pg_catalog.pg_attribute a \
            WHERE a.attrelid OPERATOR(pg_catalog.=) c.oid AND a.attname OPERATOR(pg_catalog.=) 'position' AND NOT a.attisdropped) FROM pg_catalog.pg_class c \
            JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace \
            WHERE c.oid OPERATOR(pg_catalog.=) pg_catalog.to_regclass(?)""";

    /** Without columns, the primary key's. */
    private static final String KEY = """
            SELECT a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod), a.attnotnull \
            FROM pg_catalog.pg_attribute a LEFT JOIN pg_catalog.pg_index i \
            ON i.indrelid OPERATOR(pg_catalog.=) a.attrelid AND i.indisprimary \
            WHERE a.attrelid OPERATOR(pg_catalog.=) CAST(? AS pg_catalog.oid) AND NOT a.attisdropped AND a.attnum OPERATOR(pg_catalog.>) 0 \
            AND (CASE WHEN pg_catalog.cardinality(CAST(? AS pg_catalog.text[])) OPERATOR(pg_catalog.=) 0 \
            THEN a.attnum OPERATOR(pg_catalog.=) ANY (CAST(i.indkey AS pg_catalog.int2[])) \
            ELSE CAST(a.attname AS pg_catalog.text) OPERATOR(pg_catalog.=) ANY (CAST(? AS pg_catalog.text[])) END) \
            ORDER BY pg_catalog.array_position(CAST(? AS pg_catalog.text[]), CAST(a.attname AS pg_catalog.text)), \
            pg_catalog.array_position(CAST(i.indkey AS pg_catalog.int2[]), a.attnum)""";

    private static final String WRITE_LOCKS =
            "('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')";

    private static final String RELATION = """
            l.locktype OPERATOR(pg_catalog.=) 'relation' AND l.granted \
            AND l.relation OPERATOR(pg_catalog.=) CAST(pg_catalog.to_regclass(?) AS pg_catalog.oid) \
            AND l.database OPERATOR(pg_catalog.=) (SELECT d.oid FROM pg_catalog.pg_database d \
            WHERE d.datname OPERATOR(pg_catalog.=) pg_catalog.current_database()) AND l.mode IN\s""";

    /** Without a row if sessions keep values back, so that one who holds no lock may insert one. */
    private static final String ARRIVAL = """
            SELECT CASE WHEN s.is_called THEN s.last_value ELSE 0 END, pg_catalog.concat(s.tableoid, ' ', \
            pg_catalog.date_part('epoch', pg_catalog.pg_postmaster_start_time())) \
            FROM %s s JOIN pg_catalog.pg_sequence c ON c.seqrelid OPERATOR(pg_catalog.=) s.tableoid \
            WHERE c.seqcache OPERATOR(pg_catalog.=) 1""";

    private static final String HOLDERS =
            "SELECT l.virtualtransaction FROM pg_catalog.pg_locks l WHERE " + RELATION + WRITE_LOCKS;

    private static final String TRIGGER = """
            SELECT tgenabled FROM pg_catalog.pg_trigger \
            WHERE tgrelid OPERATOR(pg_catalog.=) CAST(pg_catalog.to_regclass(?) AS pg_catalog.oid) \
            AND CAST(tgname AS pg_catalog.text) OPERATOR(pg_catalog.=) ?""";

    private static final String CACHE = """
            SELECT seqcache FROM pg_catalog.pg_sequence \
            WHERE seqrelid OPERATOR(pg_catalog.=) CAST(pg_catalog.to_regclass(?) AS pg_catalog.oid)""";

    /** Sessions with one of these locks on a table, and what they do; users see only their own sessions' states. */
    private static final String SESSIONS = """
            SELECT DISTINCT a.pid, coalesce(a.state, 'not visible'), CAST(pg_catalog.date_part('epoch', \
            pg_catalog.clock_timestamp() OPERATOR(pg_catalog.-) a.xact_start) AS bigint) \
            FROM pg_catalog.pg_locks l JOIN pg_catalog.pg_stat_activity a ON a.pid OPERATOR(pg_catalog.=) l.pid \
            WHERE l.pid OPERATOR(pg_catalog.<>) pg_catalog.pg_backend_pid() AND\s""" + RELATION;

    PostgresFeedSql(Dialect dialect, PlacedTable feeds) {
        super(dialect, feeds);
    }

    // Making a feed

    @Override
    Source find(Connection connection, FeedDefinition definition) throws SQLException {
        String table = definition.table();
        String name =
                definition.schema().map(schema -> dialect.quote(schema) + ".").orElse("") + dialect.quote(table);
        try (PreparedStatement statement = connection.prepareStatement(FIND)) {
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

    private static Source key(
            Connection connection, FeedDefinition definition, String schema, String oid, boolean hasPosition)
            throws SQLException {
        List<String> names = new ArrayList<>();
        List<String> types = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(KEY)) {
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
    List<String> shared() {
        List<String> statements = new ArrayList<>();
        statements.add(
                "CREATE TABLE IF NOT EXISTS " + feeds.qualified() + " (name " + dialect.nameType()
                        + " PRIMARY KEY, source_schema text NOT NULL, source_table text NOT NULL, inbox text NOT NULL,"
                        + " positions text NOT NULL, view_name text NOT NULL, key_columns text NOT NULL,"
                        + " from_now integer NOT NULL, ready integer NOT NULL, created_at timestamptz NOT NULL DEFAULT pg_catalog.now())");
        statements.add("CREATE TABLE IF NOT EXISTS " + readers() + " (feed " + dialect.nameType() + " NOT NULL, reader "
                + dialect.nameType() + " NOT NULL, position bigint NOT NULL DEFAULT 0, PRIMARY KEY (feed, reader))");
        return statements;
    }

    @Override
    List<String> functions() {
        List<String> statements = new ArrayList<>();
        statements.add(function("feed_stamp(feed text)", "bigint", """
                DECLARE f %s%%ROWTYPE; k text; kept text; moved bigint;
                BEGIN
                  IF current_setting('transaction_isolation') <> 'read committed' THEN
                    RAISE EXCEPTION 'feed_stamp needs READ COMMITTED, not %%', current_setting('transaction_isolation')
                      USING ERRCODE = 'invalid_transaction_state';
                  END IF;
                  -- A crash would take back positions that others have seen.
                  IF current_setting('synchronous_commit') = 'off' THEN
                    PERFORM set_config('synchronous_commit', 'on', true);
                  END IF;
                  SELECT * INTO f FROM %s s WHERE s.name = feed FOR UPDATE SKIP LOCKED;
                  IF NOT FOUND THEN
                    PERFORM 1 FROM %s s WHERE s.name = feed;
                    IF FOUND THEN RETURN 0; END IF;
                    RAISE EXCEPTION 'feed %% not found; create it with: seriatim feed create', feed USING ERRCODE = 'no_data_found';
                  END IF;
                  SELECT string_agg(format('%%I', c), ', ' ORDER BY n), string_agg(format('taken.%%I', c), ', ' ORDER BY n)
                    INTO k, kept FROM unnest(string_to_array(f.key_columns, E'\\n')) WITH ORDINALITY AS u(c, n);
                  EXECUTE format('WITH taken AS (DELETE FROM %%1$I.%%2$I WHERE ctid = ANY (ARRAY(SELECT ctid FROM %%1$I.%%2$I'
                    || ' ORDER BY arrival LIMIT 5000)) RETURNING arrival, %%4$s), last AS (SELECT coalesce(max(position), 0) AS'
                    || ' position FROM %%1$I.%%3$I) INSERT INTO %%1$I.%%3$I (position, %%4$s) SELECT last.position + row_number()'
                    || ' OVER (ORDER BY taken.arrival), %%5$s FROM taken, last', f.source_schema, f.inbox, f.positions, k, kept);
                  GET DIAGNOSTICS moved = ROW_COUNT;
                  RETURN moved;
                END""".formatted(
                        feeds.qualified(), feeds.qualified(), feeds.qualified())));
        statements.add(function("feed_last(feed text)", "bigint", """
                DECLARE f %s%%ROWTYPE; last bigint;
                BEGIN
                  SELECT * INTO STRICT f FROM %s s WHERE s.name = feed;
                  EXECUTE format('SELECT coalesce(max(position), 0) FROM %%I.%%I', f.source_schema, f.positions) INTO last;
                  RETURN last;
                END""".formatted(feeds.qualified(), feeds.qualified())));
        statements.add(function(
                "feed_advance(feed text, reader text, \"position\" bigint)", "bigint", """
                BEGIN
                  INSERT INTO %1$s VALUES ($1, $2, 0) ON CONFLICT DO NOTHING;
                  UPDATE %1$s r SET position = $3 WHERE r.feed = $1 AND r.reader = $2 AND r.position <= $3;
                  IF NOT FOUND THEN
                    RAISE EXCEPTION 'reader %% of feed %% stands beyond %%; rewind it with: seriatim feed reader', $2, $1, $3
                      USING ERRCODE = 'object_not_in_prerequisite_state';
                  END IF;
                  RETURN $3;
                END""".formatted(readers())));
        return statements;
    }

    private String function(String signature, String returns, String body) {
        return "CREATE OR REPLACE FUNCTION " + feeds.prefix() + signature + " RETURNS " + returns + " LANGUAGE plpgsql"
                + SAFELY + BODY + "\n" + body + " " + BODY;
    }

    private static String keeps(FeedTables feed) {
        return FeedTables.beside(feed.base(), "_keeps");
    }

    @Override
    List<String> creation(FeedTables feed, Source source) {
        String table = feed.in(dialect, feed.table());
        String inbox = feed.in(dialect, feed.inbox());
        String key = feed.key(dialect, "");
        String arrives = feed.in(dialect, trigger(feed));
        String keeps = feed.in(dialect, keeps(feed));
        List<String> statements = new ArrayList<>(List.of(
                "SET LOCAL lock_timeout = '2s'",
                "LOCK TABLE " + table + " IN SHARE ROW EXCLUSIVE MODE",
                insertFeed(feed, true),
                "CREATE TABLE " + inbox + " (arrival bigint GENERATED ALWAYS AS IDENTITY (CACHE 1) PRIMARY KEY, "
                        + columns(source) + ")",
                "CREATE TABLE " + feed.in(dialect, feed.positions()) + " (position bigint PRIMARY KEY, "
                        + columns(source) + ")",
                // Writers need no rights on the inbox: the function has its owner's.
                "CREATE FUNCTION " + arrives + "() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER" + SAFELY + BODY
                        + " BEGIN INSERT INTO " + inbox + " (" + key + ") VALUES (" + feed.key(dialect, "NEW.")
                        + "); RETURN NULL; END " + BODY,
                "REVOKE ALL ON FUNCTION " + arrives + "() FROM PUBLIC",
                "CREATE CONSTRAINT TRIGGER " + dialect.quote(trigger(feed)) + " AFTER INSERT ON " + table
                        + " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION " + arrives + "()",
                "CREATE FUNCTION " + keeps + "() RETURNS trigger LANGUAGE plpgsql" + SAFELY + BODY
                        + " BEGIN RAISE EXCEPTION 'table % has a feed, whose positions would name rows that are gone;"
                        + " drop the feed first, or delete the rows', TG_TABLE_NAME"
                        + " USING ERRCODE = 'object_not_in_prerequisite_state'; END " + BODY,
                "CREATE TRIGGER " + dialect.quote(keeps(feed)) + " BEFORE TRUNCATE ON " + table
                        + " FOR EACH STATEMENT EXECUTE FUNCTION " + keeps + "()"));
        if (!feed.fromNow()) {
            statements.add(
                    "INSERT INTO " + inbox + " (" + key + ") SELECT " + key + " FROM " + table + " ORDER BY " + key);
        }
        statements.add(createView("CREATE VIEW", feed, source));
        return statements;
    }

    @Override
    void create(Connection connection, FeedTables feed, Source source) throws SQLException {
        readCommitted(connection);
        try {
            for (String statement : creation(feed, source)) {
                Sql.execute(connection, statement);
            }
        } catch (SQLException e) {
            if (LOCK_TIMEOUT.equals(e.getSQLState())) {
                connection.rollback();
                throw FeedFailures.written(
                        feed.table(), sessions(connection, feed.in(dialect, feed.table()), WRITE_LOCKS), e);
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

    @Override
    List<String> removal(FeedTables feed) {
        List<String> statements = new ArrayList<>(super.removal(feed));
        // Its functions take their triggers with them, also if the table has another name now.
        statements.set(0, "DROP FUNCTION IF EXISTS " + feed.in(dialect, trigger(feed)) + "() CASCADE");
        statements.add(1, "DROP FUNCTION IF EXISTS " + feed.in(dialect, keeps(feed)) + "() CASCADE");
        return statements;
    }

    @Override
    String outbox(String table) {
        return "CREATE TABLE IF NOT EXISTS " + table
                + " (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, \"key\" text,"
                + " type text NOT NULL, payload text NOT NULL, at timestamptz NOT NULL DEFAULT pg_catalog.now())";
    }

    @Override
    List<String> grants(FeedTables feed) {
        String to = " TO " + dialect.grantee();
        String inbox = feed.in(dialect, feed.inbox());
        return List.of(
                "GRANT SELECT, UPDATE (created_at) ON " + feeds.qualified() + to,
                "GRANT SELECT, INSERT, UPDATE ON " + readers() + to,
                "GRANT SELECT, DELETE ON " + inbox + to,
                "GRANT SELECT ON SEQUENCE " + feed.in(dialect, feed.inbox() + "_arrival_seq") + to,
                "GRANT SELECT, INSERT, DELETE ON " + feed.in(dialect, feed.positions()) + to,
                "GRANT SELECT ON " + feed.in(dialect, feed.view()) + to);
    }

    // Passes

    @Override
    void readCommitted(Connection transaction) throws SQLException {
        Sql.execute(transaction, "SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
    }

    /**
     * {@inheritDoc} The rows are found by their place in the table. Found by their arrival, the plan would depend on statistics:
     * if the inbox was last analysed when it was empty, a pass took 25 s.
     */
    @Override
    int move(Connection transaction, FeedTables feed, long floor, int limit) throws SQLException {
        String inbox = feed.in(dialect, feed.inbox());
        String positions = feed.in(dialect, feed.positions());
        String key = feed.key(dialect, "");
        return execute(
                transaction,
                "WITH taken AS (DELETE FROM " + inbox + " WHERE ctid {=} ANY (ARRAY(SELECT ctid FROM " + inbox
                        + " WHERE arrival {>} " + floor + " ORDER BY arrival LIMIT " + limit + ")) RETURNING arrival, "
                        + key
                        + "), last AS (SELECT coalesce({max}(position), 0) AS position FROM " + positions
                        + ") INSERT INTO " + positions + " (position, " + key
                        + ") SELECT last.position {+} {row_number}() OVER (ORDER BY taken.arrival), "
                        + feed.key(dialect, "taken.") + " FROM taken, last");
    }

    @Override
    Optional<Floor.Observation> observe(Connection connection, FeedTables feed) throws SQLException {
        String text = ARRIVAL.formatted(feed.in(dialect, feed.inbox() + "_arrival_seq"));
        try (PreparedStatement arrival = connection.prepareStatement(text);
                ResultSet last = arrival.executeQuery();
                PreparedStatement holders = connection.prepareStatement(HOLDERS)) {
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
        List<String> sessions = new ArrayList<>(sessions(connection, feeds.qualified(), "('RowShareLock')"));
        sessions.addAll(sessions(connection, feed.in(dialect, feed.inbox()), WRITE_LOCKS));
        return sessions;
    }

    private List<String> sessions(Connection connection, String table, String modes) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(SESSIONS + modes)) {
            statement.setString(1, table);
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
        Optional<String> state = Sql.read(connection, TRIGGER, feed.in(dialect, feed.table()), trigger(feed));
        if (state.isEmpty()) {
            return Optional.of("trigger " + trigger(feed) + " is missing");
        }
        if (!state.get().matches("[OA]")) {
            return Optional.of("trigger " + trigger(feed) + " is disabled");
        }
        Optional<String> cache = Sql.read(connection, CACHE, feed.in(dialect, feed.inbox() + "_arrival_seq"));
        return cache.filter(size -> !size.equals("1"))
                .map(size -> "the sequence of " + feed.inbox() + " has a CACHE of " + size
                        + ", so arrivals are out of order");
    }
}
