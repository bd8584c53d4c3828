// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.feed;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.PlacedTable;
import dev.seriatim.jdbc.sql.Sql;
import dev.seriatim.jdbc.sql.SqlFailures;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An engine's statements for feeds. They are in {@code feeds.sql}, and in the engine's file, whose sections replace those of the same
 * name. A line of {@code //} separates statements; the first line of each is a comment with the name of its section. In braces
 * stands a word, a section, or an operator or function, which the engine qualifies. Immutable and thread-safe.
 */
abstract class FeedSql {

    private static final Pattern MARK = Pattern.compile("\\{([^{}]+)\\}");

    final Dialect dialect;

    /** The table of feeds; beside it is that of the readers. */
    final PlacedTable feeds;

    private final Map<String, List<String>> sections;

    /** @param resource the engine's statements */
    FeedSql(Dialect dialect, PlacedTable feeds, String resource) {
        this.dialect = dialect;
        this.feeds = feeds;
        sections = sections("feeds.sql");
        sections.putAll(sections(resource));
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

    private static Map<String, List<String>> sections(String resource) {
        try (InputStream in = Objects.requireNonNull(FeedSql.class.getResourceAsStream(resource), resource)) {
            Map<String, List<String>> sections = new HashMap<>();
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
            for (String each : text.split("\n//\n", -1)) {
                String statement = each.replaceFirst("\\A(?:--[^\n]*\n)+", "");
                String section = each.replaceFirst("(?s)\\A-- (\\w+).*", "$1");
                sections.computeIfAbsent(section, none -> new ArrayList<>()).add(statement);
            }
            return sections;
        } catch (IOException e) {
            throw new UncheckedIOException(resource, e);
        }
    }

    // Texts

    final List<String> statements(String section, Map<String, String> words) {
        return sections.getOrDefault(section, List.of()).stream()
                .map(text -> sql(text, words))
                .toList();
    }

    private String sql(String text, Map<String, String> words) {
        return MARK.matcher(text).replaceAll(mark -> {
            String name = mark.group(1);
            String meaning = words.get(name);
            if (meaning == null && sections.containsKey(name)) {
                meaning = statements(name, words).get(0);
            } else if (meaning == null) {
                meaning = Character.isLetter(name.charAt(0)) ? dialect.function(name) : dialect.operator(name);
            }
            return Matcher.quoteReplacement(meaning);
        });
    }

    /** Returns the statements of a section on what all feeds share; none if the engine has no such section. */
    final List<String> statements(String section) {
        return statements(section, words());
    }

    /** Returns the statements of a section on a feed; none if the engine has no such section. */
    final List<String> statements(String section, FeedTables feed) {
        return statements(section, words(feed));
    }

    final String statement(String section, FeedTables feed) {
        return statement(section, feed, Map.of());
    }

    /** @param more further words */
    final String statement(String section, FeedTables feed, Map<String, ?> more) {
        Map<String, String> words = words(feed);
        more.forEach((name, meaning) -> words.put(name, meaning.toString()));
        return statements(section, words).get(0);
    }

    private Map<String, String> words() {
        Map<String, String> words = new HashMap<>();
        words.put("feeds", feeds.qualified());
        words.put("feeds_reference", dialect.literal(feeds.qualified()));
        words.put("readers", feeds.beside("_reader").qualified());
        words.put("prefix", feeds.prefix());
        words.put("name_type", dialect.nameType());
        words.put("user", dialect.grantee());
        return words;
    }

    /** For a table {@code orders}: {table} is {@code "public"."orders"}, {table_text} is {@code 'orders'}. */
    private Map<String, String> words(FeedTables feed) {
        Map<String, String> words = words();
        Map<String, String> relations = Map.of(
                "table", feed.table(),
                "inbox", feed.inbox(),
                "sequence", feed.inbox() + "_arrival_seq",
                "positions", feed.positions(),
                "view", feed.view(),
                "arrives_function", feed.trigger(),
                "keeps_function", feed.truncateTrigger());
        relations.forEach((word, name) -> {
            words.put(word, feed.in(dialect, name));
            words.put(word + "_text", dialect.literal(name));
            words.put(word + "_reference", dialect.literal(feed.in(dialect, name)));
        });
        words.put("arrives", dialect.quote(feed.trigger()));
        words.put("arrives_text", dialect.literal(feed.trigger()));
        words.put("keeps", dialect.quote(feed.truncateTrigger()));
        words.put("keeps_text", dialect.literal(feed.truncateTrigger()));
        words.put("name_text", dialect.literal(feed.name()));
        words.put("schema_text", dialect.literal(feed.schema()));
        words.put("key_text", dialect.literal(String.join("\n", feed.key())));
        words.put("from_now", feed.fromNow() ? "1" : "0");
        words.put("key", quoted("", feed.key()));
        for (String prefix : List.of("new", "taken", "p", "t")) {
            words.put(prefix + "_key", quoted(prefix + ".", feed.key()));
        }
        words.put("same_key", feed.sameKey(dialect));
        return words;
    }

    /** Returns quoted columns after a prefix, such as {@code t.}. */
    private String quoted(String prefix, List<String> columns) {
        return columns.stream().map(column -> prefix + dialect.quote(column)).collect(Collectors.joining(", "));
    }

    final Map<String, String> words(FeedTables feed, Source source) {
        Map<String, String> words = words(feed);
        words.put("view_position", source.position());
        return words;
    }

    // Statements on tables that grow have no parameters, and are not prepared: PostgreSQL keeps the plan of a prepared
    // statement, and one that it made while the table was empty reads the whole table ever after.

    /** Returns the first column of a query's first row; empty if there is none, or the engine has no such section. */
    final Optional<String> read(Connection connection, String section, FeedTables feed) throws SQLException {
        return all(connection, section, feed).stream().filter(Objects::nonNull).findFirst();
    }

    final List<String> all(Connection connection, String section, FeedTables feed) throws SQLException {
        List<String> queries = statements(section, feed);
        return queries.isEmpty() ? List.of() : Sql.all(connection, queries.get(0));
    }

    @FunctionalInterface
    interface Row<R> {
        R of(ResultSet row) throws SQLException;
    }

    static <R> List<R> rows(Connection connection, String query, Row<R> each) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            List<R> rows = new ArrayList<>();
            while (row.next()) {
                rows.add(each.of(row));
            }
            return rows;
        }
    }

    static int execute(Connection connection, String text) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.executeUpdate(text);
        }
    }

    static int execute(Connection connection, String text, @Nullable String... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(text)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setString(i + 1, parameters[i]);
            }
            return statement.executeUpdate();
        }
    }

    static void run(Connection connection, List<String> statements) throws SQLException {
        for (String statement : statements) {
            Sql.execute(connection, statement);
        }
    }

    // Making a feed

    /**
     * A user's table.
     *
     * @param keyTypes the types of the key's columns, as written in {@code CREATE TABLE}
     * @param position the name of the position in the view, which no column has
     */
    record Source(String schema, List<String> key, List<String> keyTypes, String position) {}

    /**
     * Finds a table and its key.
     *
     * @throws Misconfigured if it cannot have a feed
     */
    Source find(Connection connection, FeedDefinition definition) throws SQLException {
        String table = definition.table();
        String schema;
        FeedTables wanted = FeedTables.of(definition, definition.schema().orElse(""), definition.key());
        try (PreparedStatement statement = connection.prepareStatement(statement("find", wanted));
                ResultSet row = statement.executeQuery()) {
            if (!row.next()) {
                throw missing(definition);
            }
            if (!row.getBoolean(2)) {
                throw new Misconfigured("'" + table + "' is not an ordinary table; name the table that holds the rows");
            }
            if (row.getString(3) != null) {
                throw new Misconfigured("table '" + table + "' " + row.getString(3));
            }
            schema = row.getString(1);
            checked(definition, schema, definition.key());
        }
        TreeMap<Integer, String> key = new TreeMap<>();
        TreeMap<Integer, String> types = new TreeMap<>();
        Set<String> names = new HashSet<>();
        String columns = statement("columns", FeedTables.of(definition, schema, definition.key()));
        try (PreparedStatement statement = connection.prepareStatement(columns);
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                String name = row.getString(1);
                String compared = row.getString(5);
                names.add(compared);
                int place = definition.key().isEmpty()
                        ? row.getInt(4)
                        : definition.key().indexOf(name) + 1;
                if (place > 0 && !row.getBoolean(3)) {
                    throw new Misconfigured("column '" + name + "' of table '" + table
                            + "' can be null, so it is no key; make it NOT NULL, or name another key");
                }
                if (place > 0 && (compared.equals("position") || (compared.equals("arrival") && !schema.isEmpty()))) {
                    throw new Misconfigured("column '" + name + "' of table '" + table
                            + "' cannot be in a key, since the feed has a column of that name; rename it");
                }
                if (place > 0) {
                    key.put(place, name);
                    types.put(place, row.getString(2));
                }
            }
        }
        if (key.isEmpty() || key.size() < definition.key().size()) {
            throw new Misconfigured("table '" + table + "' has no "
                    + (definition.key().isEmpty() ? "primary key" : "such columns " + definition.key())
                    + "; name unique columns as its key (--key, FeedDefinition.key)");
        }
        checked(definition, schema, key.values());
        String position = "position";
        while (names.contains(position)) {
            position = "feed_" + position;
        }
        return new Source(schema, List.copyOf(key.values()), List.copyOf(types.values()), position);
    }

    /** Names that were found are checked as those that were given: their owner may be hostile. */
    private static void checked(FeedDefinition given, String schema, Collection<String> key) {
        FeedTables.of(given, schema, List.copyOf(key)).definition();
    }

    static Misconfigured missing(FeedDefinition definition) {
        String schema = definition.schema().map(name -> name + ".").orElse("");
        return new Misconfigured("table '" + schema + definition.table()
                + "' not found; write its name as the database spells it, with its schema");
    }

    /** Returns statements that make a feed and enter its row, in the order in which they run. */
    final List<String> creation(FeedTables feed, Source source) {
        Map<String, String> words = words(feed, source);
        List<String> columns = new ArrayList<>();
        for (int i = 0; i < feed.key().size(); i++) {
            columns.add(
                    dialect.quote(feed.key().get(i)) + " " + source.keyTypes().get(i) + " NOT NULL");
        }
        words.put("columns", String.join(", ", columns));
        List<String> creation = new ArrayList<>();
        for (String section :
                List.of("insert_feed", "creation", "lock_table", "arm", "existing", "unlock", "new_view", "ready")) {
            if (!(section.equals("existing") && feed.fromNow())) {
                creation.addAll(statements(section, words));
            }
        }
        return creation;
    }

    /** Makes a feed; in a transaction if the engine's DDL takes part in it. */
    void create(Connection connection, FeedTables feed, Source source) throws SQLException {
        begin(connection);
        checkNew(connection, feed);
        locking(connection, feed, creation(feed, source));
    }

    /** Throws {@link Misconfigured} if the key is not unique, or another feed or object has one of the feed's names. */
    final void checkNew(Connection connection, FeedTables feed) throws SQLException {
        if (read(connection, "unique_key", feed).isEmpty()) {
            throw new Misconfigured("table '" + feed.table() + "' has no unique index over "
                    + String.join(", ", feed.key()) + "; create one");
        }
        Optional<String> other = read(connection, "namesake", feed);
        if (other.isPresent()) {
            throw new Misconfigured("feed '" + feed.name() + "' would have the tables of feed '" + other.get()
                    + "'; name it differently");
        }
        Optional<String> taken = read(connection, "taken", feed);
        if (taken.isPresent()) {
            throw new Misconfigured("feed '" + feed.name() + "' would create '" + taken.get()
                    + "', which exists; drop or rename that, or name the feed differently");
        }
    }

    /** Runs statements of which one locks the user's table; waits at most 2 seconds. */
    final void locking(Connection connection, FeedTables feed, List<String> statements) throws SQLException {
        try {
            run(connection, statements);
        } catch (SQLException e) {
            if (!dialect.lockHeld(e) || dialect.hasOneWriter()) { // SQLite: Transactions repeats it
                throw e;
            }
            connection.rollback();
            List<String> sessions = sessions(connection, "writers", feed);
            throw new Overloaded(
                    "table '" + feed.table() + "' is in use by "
                            + (sessions.isEmpty() ? "another session" : String.join(", ", sessions))
                            + "; end it, then try again. Nothing is changed",
                    e);
        }
    }

    /** Makes the triggers again if one is missing or disabled. */
    final void arm(Connection connection, FeedTables feed) throws SQLException {
        if (read(connection, "unarmed", feed).isPresent()) {
            try {
                for (String section : List.of("lock_table", "disarm", "arm")) {
                    locking(connection, feed, statements(section, feed));
                }
            } finally {
                run(connection, statements("unlock", feed));
            }
        }
    }

    /** Makes the view again, with the table's present columns. */
    void renew(Connection connection, FeedTables feed, Source source) throws SQLException {
        run(connection, statements("renewed_view", words(feed, source)));
    }

    /** Returns statements that remove a feed; they may be repeated. */
    final List<String> removal(FeedTables feed) {
        List<String> removal = new ArrayList<>(statements("disarm", feed));
        removal.addAll(statements("removal", feed));
        return removal;
    }

    /** Returns statements that create the outbox's table if it is missing. */
    final List<String> outbox(String table) {
        return statements("outbox", Map.of("outbox", dialect.quote(table)));
    }

    // Passes

    /** Begins a transaction's work: each later statement sees what others have committed before it. */
    final void begin(Connection transaction) throws SQLException {
        run(transaction, statements("begin"));
    }

    /** Returns whether rows above the floor wait for a position. */
    final boolean waits(Connection connection, FeedTables feed, long floor) throws SQLException {
        return !Sql.all(connection, statement("waits", feed, Map.of("floor", floor)))
                .isEmpty();
    }

    /** Locks the feed's row; returns false if another session has it, unless this may wait. */
    final boolean lock(Connection transaction, FeedTables feed, boolean wait) throws SQLException {
        return read(transaction, wait ? "await_lock" : "lock", feed).isPresent();
    }

    /** Gives the next positions to the lowest arrivals, with the feed's row locked; returns how many. */
    abstract int move(Connection transaction, FeedTables feed, long floor) throws SQLException;

    /** Reads the inbox's sequence and then its writers; empty if the engine cannot tell. */
    Optional<Floor.Observation> observe(Connection connection, FeedTables feed) throws SQLException {
        return Optional.empty();
    }

    // Reading

    /** Reads a number; 0 if there is none. */
    final long number(Connection connection, String section, FeedTables feed) throws SQLException {
        return read(connection, section, feed).map(Long::valueOf).orElse(0L);
    }

    final long last(Connection connection, FeedTables feed) throws SQLException {
        return number(connection, "last", feed);
    }

    final List<Entry> entries(Connection connection, FeedTables feed, List<String> columns, long after, int limit)
            throws SQLException {
        String first = dialect.quote(feed.key().get(0));
        Map<String, ?> words =
                Map.of("after", after, "limit", limit, "first_key", first, "columns", quoted("t.", columns));
        String text = statement(columns.isEmpty() ? "entries" : "rows", feed, words);
        return rows(connection, text, row -> entry(row, feed.key().size(), columns));
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

    /** Reads a reader's place; empty if it is missing. */
    final OptionalLong place(Connection connection, FeedTables feed, String reader) throws SQLException {
        return place(connection, "place", feed, reader);
    }

    /** Reads a reader's place and locks it; empty if it is missing or another session has locked it. */
    OptionalLong lockedPlace(Connection transaction, FeedTables feed, String reader) throws SQLException {
        return place(transaction, "locked_place", feed, reader);
    }

    private OptionalLong place(Connection connection, String section, FeedTables feed, String reader)
            throws SQLException {
        return Sql.read(connection, statement(section, feed), reader)
                .map(place -> OptionalLong.of(Long.parseLong(place)))
                .orElse(OptionalLong.empty());
    }

    final int move(Connection transaction, FeedTables feed, String reader, long position) throws SQLException {
        return execute(transaction, statement("move_reader", feed, Map.of("position", position)), reader);
    }

    // Checking

    final FeedCheck check(Connection connection, FeedTables feed) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(statement("check", feed))) {
            row.next();
            return new FeedCheck(
                    row.getLong(1),
                    row.getLong(2),
                    row.getLong(3),
                    row.getLong(4),
                    row.getLong(5),
                    feed.fromNow(),
                    broken(connection, feed));
        }
    }

    private Optional<String> broken(Connection connection, FeedTables feed) throws SQLException {
        Optional<String> trigger = read(connection, "unarmed", feed);
        if (trigger.isPresent()) {
            return Optional.of("trigger " + trigger.get() + mends(feed));
        }
        Optional<String> cache = read(connection, "cache", feed)
                .map(size -> "the sequence of " + feed.inbox() + " has a CACHE of " + size
                        + ", so arrivals are out of order; set it to 1");
        return cache.isPresent() ? cache : brokenView(connection, feed);
    }

    private static String mends(FeedTables feed) {
        return "; 'seriatim feed check " + feed.name() + " --mend' creates it again";
    }

    /** Returns why the view cannot be read; empty if it can, or if this user may not. */
    final Optional<String> brokenView(Connection connection, FeedTables feed) throws SQLException {
        try {
            Sql.read(connection, "SELECT 1 FROM " + feed.in(dialect, feed.view()) + " LIMIT 0");
            return Optional.empty();
        } catch (SQLException e) {
            return switch (dialect.fault(e)) {
                case MISSING_TABLE, MISSING_COLUMN, OTHER ->
                    Optional.of("view " + feed.view() + ": " + SqlFailures.oneLine(e) + mends(feed));
                case DENIED -> Optional.empty();
                default -> throw e;
            };
        }
    }

    /** Returns sessions that a pass or the making of a feed may wait for, for display. */
    List<String> sessions(Connection connection, String section, FeedTables feed) throws SQLException {
        return all(connection, section, feed);
    }
}
