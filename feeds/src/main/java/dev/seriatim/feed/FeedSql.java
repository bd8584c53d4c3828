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
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An engine's statements for feeds. In their texts, <code>{=}</code> is the engine's qualified operator and <code>{max}</code> its
 * function. Immutable and thread-safe.
 */
abstract class FeedSql {

    private static final Pattern MARK = Pattern.compile("\\{([^{}]+)\\}");

    final Dialect dialect;

    /** The table of feeds; beside it is that of the readers. */
    final PlacedTable feeds;

    private final Statements statements;

    /** @param resource the engine's statements */
    FeedSql(Dialect dialect, PlacedTable feeds, String resource) {
        this.dialect = dialect;
        this.feeds = feeds;
        statements = new Statements(resource);
    }

    /** Throws {@link Misconfigured} if the engine cannot keep what a feed promises. */
    static FeedSql of(Dialect dialect, PlacedTable feeds) {
        return switch (dialect.product()) {
            case "PostgreSQL" -> new PostgresFeedSql(dialect, feeds);
            case "MariaDB", "MySQL" -> new MySqlFeedSql(dialect, feeds);
            case "SQLite" -> new SqliteFeedSql(dialect, feeds);
            default -> throw refused(dialect.product());
        };
    }

    private static Misconfigured refused(String product) {
        String why = "is not tested with feeds";
        if (product.contains("Galera")) {
            why = "numbers arrivals out of order across nodes";
        } else if (product.startsWith("H2")) {
            why = "can undo what others have committed";
        } else if (product.contains("Spanner") || product.contains("DSQL")) {
            why = "has no triggers";
        }
        return new Misconfigured("no feeds in " + product + ", which " + why
                + "; numbers of the modes GROUPED and SYNC may be polled as they are");
    }

    /** Returns a text with the engine's operators and functions. */
    final String sql(String text) {
        return sql(text, Map.of());
    }

    private String sql(String text, Map<String, String> words) {
        return MARK.matcher(text).replaceAll(mark -> {
            String name = mark.group(1);
            String own = Character.isLetter(name.charAt(0)) ? dialect.function(name) : dialect.operator(name);
            return Matcher.quoteReplacement(words.getOrDefault(name, own));
        });
    }

    /** Returns the statements of a section, with these words in place of their names in braces. */
    final List<String> statements(String section, Map<String, String> words) {
        return statements.of(section).stream().map(text -> sql(text, words)).toList();
    }

    /** Returns the statement of a section that has one. */
    final String statement(String section, Map<String, String> words) {
        return statements(section, words).get(0);
    }

    final String statement(String section) {
        return statement(section, Map.of());
    }

    /** Returns the words of statements on what all feeds of a database share. */
    private Map<String, String> words() {
        Map<String, String> words = new HashMap<>();
        words.put("feeds", feeds.qualified());
        words.put("readers", readers());
        words.put("prefix", feeds.prefix());
        words.put("name_type", dialect.nameType());
        words.put("user", dialect.grantee());
        words.put("feed_row", String.join("", statements("feed_row", Map.of("feeds", feeds.qualified()))));
        return words;
    }

    /** Returns the words of statements on a feed. */
    final Map<String, String> words(FeedTables feed) {
        Map<String, String> words = words();
        words.put("table", feed.in(dialect, feed.table()));
        words.put("inbox", feed.in(dialect, feed.inbox()));
        words.put("sequence", feed.in(dialect, feed.inbox() + "_arrival_seq"));
        words.put("positions", feed.in(dialect, feed.positions()));
        words.put("view", feed.in(dialect, feed.view()));
        words.put("key", feed.key(dialect, ""));
        words.put("new_key", feed.key(dialect, "NEW."));
        words.put("taken_key", feed.key(dialect, "taken."));
        words.put("arrives", dialect.quote(trigger(feed)));
        words.put("arrives_function", feed.in(dialect, trigger(feed)));
        words.put("keeps", dialect.quote(keeps(feed)));
        words.put("keeps_function", feed.in(dialect, keeps(feed)));
        words.put("name_text", dialect.literal(feed.name()));
        return words;
    }

    final String readers() {
        return feeds.beside("_reader").qualified();
    }

    // Making a feed

    /**
     * A user's table.
     *
     * @param keyTypes the types of the key's columns, as written in {@code CREATE TABLE}
     * @param hasPosition whether it has a column {@code position}
     */
    record Source(String schema, List<String> key, List<String> keyTypes, boolean hasPosition) {}

    /**
     * Finds a table and its key.
     *
     * @throws Misconfigured if it cannot have a feed
     */
    abstract Source find(Connection connection, FeedDefinition definition) throws SQLException;

    /** Returns statements that create what all feeds of a database share, if it is missing. */
    final List<String> shared() {
        return statements("shared", words());
    }

    /** Returns statements that create the SQL functions; none if the engine has none. */
    final List<String> functions() {
        return statements("function", words());
    }

    /** Returns statements that make a feed and enter its row, in the order in which they run. */
    final List<String> creation(FeedTables feed, Source source) {
        Map<String, String> words = words(feed);
        words.put("columns", columns(source));
        boolean readyAtOnce = statements.of("ready").isEmpty();
        words.put("insert_feed", insertFeed(feed, readyAtOnce));
        List<String> creation = new ArrayList<>(statements("creation", words));
        if (!feed.fromNow()) {
            creation.addAll(statements("existing", words));
        }
        creation.addAll(statements("unlock", words));
        creation.add(createView("CREATE VIEW", feed, source));
        creation.addAll(statements("ready", words));
        return creation;
    }

    /**
     * Makes a feed; in a transaction if the engine's DDL takes part in it.
     *
     * @param check refuses names that are taken
     */
    abstract void create(Connection connection, FeedTables feed, Source source, SqlWork<?> check) throws SQLException;

    /** Makes the view again, with the table's present columns. */
    abstract void renew(Connection connection, FeedTables feed, Source source) throws SQLException;

    /** Returns statements that remove a feed; they may be repeated. */
    final List<String> removal(FeedTables feed) {
        List<String> removal = new ArrayList<>(statements("removal", words(feed)));
        removal.add("DROP VIEW IF EXISTS " + feed.in(dialect, feed.view()));
        removal.add("DROP TABLE IF EXISTS " + feed.in(dialect, feed.inbox()));
        removal.add("DROP TABLE IF EXISTS " + feed.in(dialect, feed.positions()));
        removal.add("DELETE FROM " + readers() + sql(" WHERE feed {=} ") + dialect.literal(feed.name()));
        removal.add("DELETE FROM " + feeds.qualified() + sql(" WHERE name {=} ") + dialect.literal(feed.name()));
        return removal;
    }

    /** Returns the name of the trigger that fills the inbox. */
    static String trigger(FeedTables feed) {
        return FeedTables.beside(feed.base(), "_arrives");
    }

    /** Returns the name of the trigger against TRUNCATE. */
    private static String keeps(FeedTables feed) {
        return FeedTables.beside(feed.base(), "_keeps");
    }

    /** Returns a statement that creates the outbox's table if it is missing. */
    final String outbox(String table) {
        return statement("outbox", Map.of("outbox", dialect.quote(table)));
    }

    /** Returns the privileges of a program that stamps and reads, as statements to paste. */
    final List<String> grants(FeedTables feed) {
        return statements("grant", words(feed));
    }

    private String columns(Source source) {
        List<String> columns = new ArrayList<>();
        for (int i = 0; i < source.key().size(); i++) {
            columns.add(
                    dialect.quote(source.key().get(i)) + " " + source.keyTypes().get(i) + " NOT NULL");
        }
        return String.join(", ", columns);
    }

    private String insertFeed(FeedTables feed, boolean ready) {
        return "INSERT INTO " + feeds.qualified() + " (name, source_schema, source_table, inbox, positions, view_name,"
                + " key_columns, from_now, ready) VALUES (" + literals(feed, ready) + ")";
    }

    /** The names have neither quotes nor backslashes. */
    private String literals(FeedTables feed, boolean ready) {
        List<String> values = new ArrayList<>();
        for (String text : List.of(
                feed.name(),
                feed.schema(),
                feed.table(),
                feed.inbox(),
                feed.positions(),
                feed.view(),
                String.join("\n", feed.key()))) {
            values.add(dialect.literal(text));
        }
        values.add(feed.fromNow() ? "1" : "0");
        values.add(ready ? "1" : "0");
        return String.join(", ", values);
    }

    final String createView(String create, FeedTables feed, Source source) {
        return create + " " + feed.in(dialect, feed.view()) + " AS SELECT p.position"
                + (source.hasPosition() ? " AS feed_position" : "") + ", t.* FROM " + feed.in(dialect, feed.positions())
                + " p JOIN " + feed.in(dialect, feed.table()) + " t ON " + feed.sameKey(dialect, "t", "p");
    }

    // Passes

    /** Begins a transaction's work: each later statement sees what others have committed before it. */
    abstract void readCommitted(Connection transaction) throws SQLException;

    /** Returns whether rows above the floor wait for a position. */
    boolean waits(Connection connection, FeedTables feed, long floor) throws SQLException {
        return Sql.read(
                        connection,
                        sql("SELECT 1 FROM " + feed.in(dialect, feed.inbox()) + " WHERE arrival {>} " + floor
                                + " ORDER BY arrival LIMIT 1"))
                .isPresent();
    }

    /** Locks the feed's row; returns false if another session has it, unless this may wait. */
    boolean lock(Connection transaction, FeedTables feed, boolean wait) throws SQLException {
        String lock =
                "SELECT 1 FROM " + feeds.qualified() + " WHERE name {=} ? FOR UPDATE" + (wait ? "" : " SKIP LOCKED");
        return Sql.read(transaction, sql(lock), feed.name()).isPresent();
    }

    /** Gives the next positions to the lowest arrivals, with the feed's row locked; returns how many. */
    abstract int move(Connection transaction, FeedTables feed, long floor, int limit) throws SQLException;

    /** Reads the inbox's sequence and then its writers; empty if the engine cannot tell. */
    Optional<Floor.Observation> observe(Connection connection, FeedTables feed) throws SQLException {
        return Optional.empty();
    }

    // Reading

    final long last(Connection connection, FeedTables feed) throws SQLException {
        String max = "SELECT position FROM " + feed.in(dialect, feed.positions()) + " ORDER BY position DESC LIMIT 1";
        return Sql.read(connection, max).map(Long::valueOf).orElse(0L);
    }

    long waiting(Connection connection, FeedTables feed) throws SQLException {
        String count = sql("SELECT {count}(*) FROM " + feed.in(dialect, feed.inbox()));
        return Long.parseLong(Sql.read(connection, count).orElse("0"));
    }

    /** The limit is part of the text, so that no plan depends on a guess of it. */
    final List<Entry> read(Connection connection, FeedTables feed, List<String> columns, long after, int limit)
            throws SQLException {
        StringBuilder text = new StringBuilder("SELECT p.position, ").append(feed.key(dialect, "p."));
        String positions = feed.in(dialect, feed.positions());
        if (columns.isEmpty()) {
            text.append(" FROM ").append(positions).append(" p");
        } else {
            text.append(", t.").append(dialect.quote(feed.key().get(0)));
            columns.forEach(column -> text.append(", t.").append(dialect.quote(column)));
            text.append(" FROM ").append(positions).append(" p LEFT JOIN ");
            text.append(feed.in(dialect, feed.table())).append(" t ON ").append(feed.sameKey(dialect, "t", "p"));
        }
        text.append(" WHERE p.position {>} ? ORDER BY p.position LIMIT ").append(limit);
        try (PreparedStatement statement = connection.prepareStatement(sql(text.toString()))) {
            statement.setLong(1, after);
            try (ResultSet row = statement.executeQuery()) {
                List<Entry> entries = new ArrayList<>();
                while (row.next()) {
                    entries.add(entry(row, feed.key().size(), columns));
                }
                return entries;
            }
        }
    }

    private static Entry entry(ResultSet row, int keys, List<String> columns) throws SQLException {
        List<Object> key = new ArrayList<>();
        for (int i = 0; i < keys; i++) {
            Object value = row.getObject(2 + i);
            key.add(value instanceof Integer || value instanceof Short ? ((Number) value).longValue() : value);
        }
        Optional<Map<String, @Nullable Object>> values = Optional.empty();
        int present = 2 + keys;
        if (!columns.isEmpty() && row.getObject(present) != null) {
            Map<String, @Nullable Object> map = new LinkedHashMap<>();
            for (int i = 0; i < columns.size(); i++) {
                map.put(columns.get(i), row.getObject(present + 1 + i));
            }
            values = Optional.of(Collections.unmodifiableMap(map));
        }
        return new Entry(row.getLong(1), keys == 1 ? key.get(0) : List.copyOf(key), values);
    }

    // Readers

    /** Returns a statement that enters a reader unless it is there; its parameters are the feed and the reader. */
    abstract String enterReader();

    /** Reads a reader's place, and locks it if {@code lock}; empty if it is missing or another session has locked it. */
    OptionalLong place(Connection connection, FeedTables feed, String reader, boolean lock) throws SQLException {
        String text = "SELECT position FROM " + readers() + " WHERE feed {=} ? AND reader {=} ?";
        return Sql.read(connection, sql(text + (lock ? " FOR UPDATE SKIP LOCKED" : "")), feed.name(), reader)
                .map(Long::valueOf)
                .map(OptionalLong::of)
                .orElse(OptionalLong.empty());
    }

    final void move(Connection transaction, FeedTables feed, String reader, long position) throws SQLException {
        String text = "UPDATE " + readers() + " SET position = " + position + " WHERE feed {=} ? AND reader {=} ?";
        execute(transaction, text, feed.name(), reader);
    }

    final int execute(Connection connection, String text, String... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql(text))) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setString(i + 1, parameters[i]);
            }
            return statement.executeUpdate();
        }
    }

    // Checking

    /** Returns the condition that no row of a table has the key of the table {@code t}. */
    String without(FeedTables feed, String table) {
        return "(" + feed.key(dialect, "t.") + ") NOT IN (SELECT " + feed.key(dialect, "") + " FROM " + table + ")";
    }

    final FeedCheck check(Connection connection, FeedTables feed) throws SQLException {
        String positions = feed.in(dialect, feed.positions());
        String key = feed.key(dialect, "");
        String text = "SELECT (SELECT {count}(*)" + unentered(feed) + "), (SELECT {count}(*) FROM " + positions
                + " t WHERE " + without(feed, feed.in(dialect, feed.table())) + "), (SELECT {count}(*) FROM "
                + positions
                + ") {-} (SELECT {count}(*) FROM (SELECT DISTINCT " + key + " FROM " + positions
                + ") k), (SELECT coalesce({max}(position) {-} {min}(position) {+} 1 {-} {count}(*), 0) FROM "
                + positions
                + "), (SELECT coalesce({min}(position), 1) {-} 1 FROM " + positions + ")";
        try (PreparedStatement statement = connection.prepareStatement(sql(text));
                ResultSet row = statement.executeQuery()) {
            row.next();
            return new FeedCheck(
                    row.getLong(1),
                    row.getLong(2),
                    row.getLong(3),
                    row.getLong(4),
                    row.getLong(5),
                    feed.fromNow(),
                    triggerFault(connection, feed));
        }
    }

    /** Returns what follows the columns of a query for the table's rows without an entry. */
    String unentered(FeedTables feed) {
        return " FROM " + feed.in(dialect, feed.table()) + " t WHERE "
                + without(feed, feed.in(dialect, feed.positions())) + " AND "
                + without(feed, feed.in(dialect, feed.inbox()));
    }

    /** Enters the rows without an entry, with the feed's row locked; returns how many. */
    int mend(Connection transaction, FeedTables feed) throws SQLException {
        String key = feed.key(dialect, "");
        return execute(
                transaction,
                "INSERT INTO " + feed.in(dialect, feed.inbox()) + " (" + key + ") SELECT " + key + unentered(feed)
                        + " ORDER BY " + key);
    }

    /** Returns sessions that a pass may wait for, or whose snapshots slow it down, for display. */
    List<String> holders(Connection connection, FeedTables feed) throws SQLException {
        return List.of();
    }

    /** Returns what is wrong with the trigger, in one line; empty if it is as it was made. */
    abstract Optional<String> triggerFault(Connection connection, FeedTables feed) throws SQLException;
}
