// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.feed;

import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.PlacedTable;
import dev.seriatim.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** SQLite has one writer at a time, so a trigger gives the position in the writer's own transaction. */
final class SqliteFeedSql extends FeedSql {

    SqliteFeedSql(Dialect dialect, PlacedTable feeds) {
        super(dialect, feeds);
    }

    @Override
    Source find(Connection connection, FeedDefinition definition) throws SQLException {
        String table = definition.table();
        Optional<String> kind = Sql.read(
                connection, "SELECT type FROM main.sqlite_master WHERE name = ? AND type IN ('table', 'view')", table);
        if (kind.isEmpty()
                || definition.schema().filter(schema -> !schema.equals("main")).isPresent()) {
            throw FeedFailures.noTable(table);
        }
        if (!kind.get().equals("table")) {
            throw FeedFailures.notTable(table);
        }
        Map<Integer, String> key = new TreeMap<>();
        Map<String, String> types = new TreeMap<>();
        boolean hasPosition = false;
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT name, type, \"notnull\", pk FROM pragma_table_info(?)")) {
            statement.setString(1, table);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    String name = row.getString(1);
                    hasPosition |= name.equalsIgnoreCase("position");
                    types.put(name, row.getString(2));
                    int place = definition.key().isEmpty()
                            ? row.getInt(4)
                            : definition.key().indexOf(name) + 1;
                    if (place > 0) {
                        // A primary key may hold null unless it is the rowid.
                        boolean isRowid = row.getInt(4) > 0 && row.getString(2).equalsIgnoreCase("INTEGER");
                        if (row.getInt(3) == 0 && !isRowid) {
                            throw FeedFailures.nullable(table, name);
                        }
                        key.put(place, name);
                    }
                }
            }
        }
        List<String> names = List.copyOf(key.values());
        return FeedFailures.checked(
                definition, new Source("", names, names.stream().map(types::get).toList(), hasPosition));
    }

    @Override
    List<String> shared() {
        return List.of(
                "CREATE TABLE IF NOT EXISTS " + feeds.qualified()
                        + " (name TEXT PRIMARY KEY NOT NULL, source_schema TEXT NOT NULL,"
                        + " source_table TEXT NOT NULL, inbox TEXT NOT NULL, positions TEXT NOT NULL, view_name TEXT NOT NULL,"
                        + " key_columns TEXT NOT NULL, from_now INTEGER NOT NULL, ready INTEGER NOT NULL)",
                "CREATE TABLE IF NOT EXISTS " + readers() + " (feed TEXT NOT NULL, reader TEXT NOT NULL,"
                        + " position INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (feed, reader))");
    }

    @Override
    List<String> creation(FeedTables feed, Source source) {
        String positions = feed.in(dialect, feed.positions());
        String key = feed.key(dialect, "");
        String table = feed.in(dialect, feed.table());
        List<String> statements = new ArrayList<>(List.of(
                insertFeed(feed, true),
                "CREATE TABLE " + positions + " (position INTEGER PRIMARY KEY, " + columns(source) + ")",
                "CREATE TRIGGER " + dialect.quote(trigger(feed)) + " AFTER INSERT ON " + table + " BEGIN INSERT INTO "
                        + positions + " (position, " + key + ") SELECT coalesce(max(position), 0) + 1, "
                        + feed.key(dialect, "NEW.") + " FROM " + positions + "; END",
                createView("CREATE VIEW", feed, source)));
        if (!feed.fromNow()) {
            statements.add("INSERT INTO " + positions + " (position, " + key + ") SELECT row_number() OVER (ORDER BY "
                    + key + "), " + key + " FROM " + table);
        }
        return statements;
    }

    @Override
    void create(Connection connection, FeedTables feed, Source source) throws SQLException {
        for (String statement : creation(feed, source)) {
            Sql.execute(connection, statement);
        }
    }

    @Override
    void renew(Connection connection, FeedTables feed, Source source) throws SQLException {
        Sql.execute(connection, "DROP VIEW IF EXISTS " + feed.in(dialect, feed.view()));
        Sql.execute(connection, createView("CREATE VIEW", feed, source));
    }

    @Override
    String outbox(String table) {
        return "CREATE TABLE IF NOT EXISTS " + table + " (id INTEGER PRIMARY KEY AUTOINCREMENT, \"key\" TEXT,"
                + " type TEXT NOT NULL, payload TEXT NOT NULL, at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP)";
    }

    @Override
    void readCommitted(Connection transaction) {}

    @Override
    boolean waits(Connection connection, FeedTables feed, long floor) {
        return false;
    }

    @Override
    long waiting(Connection connection, FeedTables feed) {
        return 0;
    }

    @Override
    boolean lock(Connection transaction, FeedTables feed, boolean wait) {
        return true; // the transaction is the only one that writes
    }

    @Override
    int move(Connection transaction, FeedTables feed, long floor, int limit) {
        return 0;
    }

    @Override
    String enterReader() {
        return "INSERT OR IGNORE INTO " + readers() + " VALUES (?, ?, 0)";
    }

    @Override
    OptionalLong place(Connection connection, FeedTables feed, String reader, boolean lock) throws SQLException {
        if (lock) {
            // A transaction that read first could not become the one that writes, if another has written since.
            execute(
                    connection,
                    "UPDATE " + readers() + " SET position = position WHERE feed = ? AND reader = ?",
                    feed.name(),
                    reader);
        }
        return super.place(connection, feed, reader, false);
    }

    @Override
    String unentered(FeedTables feed) {
        return " FROM " + feed.in(dialect, feed.table()) + " t WHERE "
                + without(feed, feed.in(dialect, feed.positions()));
    }

    @Override
    int mend(Connection transaction, FeedTables feed) throws SQLException {
        String positions = feed.in(dialect, feed.positions());
        String key = feed.key(dialect, "");
        return execute(
                transaction,
                "INSERT INTO " + positions + " (position, " + key + ") SELECT (SELECT coalesce(max(position), 0) FROM "
                        + positions + ") + row_number() OVER (ORDER BY " + key + "), " + key + unentered(feed));
    }

    @Override
    Optional<String> triggerFault(Connection connection, FeedTables feed) throws SQLException {
        boolean missing = Sql.read(
                        connection,
                        "SELECT 1 FROM main.sqlite_master WHERE type = 'trigger' AND name = ? AND tbl_name = ? COLLATE NOCASE",
                        trigger(feed),
                        feed.table())
                .isEmpty();
        return missing ? Optional.of("trigger " + trigger(feed) + " is missing") : Optional.empty();
    }
}
