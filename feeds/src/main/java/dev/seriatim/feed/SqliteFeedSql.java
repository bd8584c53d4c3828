// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.feed;

import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.PlacedTable;
import dev.seriatim.jdbc.sql.Sql;
import dev.seriatim.jdbc.sql.SqlWork;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** SQLite has one writer at a time, so a trigger gives the position in the writer's own transaction. */
final class SqliteFeedSql extends FeedSql {

    SqliteFeedSql(Dialect dialect, PlacedTable feeds) {
        super(dialect, feeds, "sqlite.sql");
    }

    @Override
    Source find(Connection connection, FeedDefinition definition) throws SQLException {
        String table = definition.table();
        Optional<String> kind = Sql.read(connection, statement("find"), table);
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
        try (PreparedStatement statement = connection.prepareStatement(statement("columns"))) {
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
    void create(Connection connection, FeedTables feed, Source source, SqlWork<?> check) throws SQLException {
        check.run(connection);
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
        return execute(transaction, statement("mend", words(feed)) + unentered(feed));
    }

    @Override
    Optional<String> triggerFault(Connection connection, FeedTables feed) throws SQLException {
        boolean missing = Sql.read(connection, statement("trigger"), trigger(feed), feed.table())
                .isEmpty();
        return missing ? Optional.of("trigger " + trigger(feed) + " is missing") : Optional.empty();
    }
}
