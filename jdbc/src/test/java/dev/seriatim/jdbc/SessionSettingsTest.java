// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.seriatim.Allocation;
import dev.seriatim.GaplessSequence;
import dev.seriatim.GroupedSequence;
import dev.seriatim.PooledSequence;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Regressed;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.servers.Server;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every setting that a user's code leaves on a connection, for each way in which a store gets connections and in every mode:
 * no number is dealt twice, out of order or left out, and neither side obeys the other's settings.
 */
@Tag("long")
class SessionSettingsTest {

    private static final int SESSIONS = 3;
    private static final int ROUNDS = 2;

    /** How a store gets its connections. */
    private enum Lending {
        URL,
        KEEPING,
        /** The user's pool, whose connections have the user's settings; each has them before draws go on. */
        POOL,
        /** PgBouncer in transaction mode, whose sessions another program has changed before draws go on. */
        POOLER;

        boolean isOthers() {
            return this == POOL || this == POOLER;
        }
    }

    @FunctionalInterface
    private interface Change {
        void on(Connection connection) throws SQLException;
    }

    /**
     * @param refusable may make a draw on a connection of the user's pool fail; never deal a wrong number
     * @param place decides which table an unqualified name means
     */
    private record Setting(String name, boolean refusable, boolean place, Change change) {
        private static Setting sql(String... sql) {
            return new Setting(String.join("; ", sql), false, false, connection -> execute(connection, sql));
        }

        private static Setting jdbc(String name, Change change) {
            return new Setting(name, false, false, change);
        }

        Setting orRefused() {
            return new Setting(name, true, place, change);
        }

        boolean ends() {
            return name.matches("(?:LOCK|START) .*");
        }

        Setting ofPlace() {
            return new Setting(name, refusable, true, change);
        }
    }

    private static List<Setting> ofAnyServer() {
        return List.of(
                Setting.jdbc("setReadOnly", connection -> connection.setReadOnly(true)),
                Setting.jdbc(
                        "setTransactionIsolation",
                        connection -> connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE)),
                Setting.jdbc("setAutoCommit", connection -> connection.setAutoCommit(false)),
                Setting.jdbc(
                        "setHoldability", connection -> connection.setHoldability(ResultSet.HOLD_CURSORS_OVER_COMMIT)),
                Setting.jdbc("setNetworkTimeout", connection -> connection.setNetworkTimeout(Runnable::run, 20_000)));
    }

    private static List<Setting> postgres() {
        return List.of(
                Setting.sql("SET search_path = other").ofPlace(),
                Setting.jdbc("setSchema", connection -> connection.setSchema("other"))
                        .ofPlace(),
                Setting.sql("CREATE TEMP TABLE seriatim_sequence AS SELECT * FROM other.seriatim_sequence")
                        .ofPlace(),
                Setting.sql("SET ROLE settings_reader").orRefused(),
                Setting.sql("SET SESSION AUTHORIZATION settings_reader").orRefused(),
                Setting.sql("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY")
                        .orRefused(),
                Setting.sql("SET default_transaction_isolation = serializable"),
                Setting.sql("SET statement_timeout = 1").orRefused(),
                Setting.sql("SET lock_timeout = 1"),
                Setting.sql("SET idle_in_transaction_session_timeout = 50").orRefused(),
                Setting.sql("SET synchronous_commit = off"),
                Setting.sql("SET TimeZone = 'Asia/Kathmandu'"),
                Setting.sql("SET DateStyle = 'SQL, DMY'").orRefused(),
                Setting.sql("SET client_encoding = LATIN1").orRefused(),
                Setting.sql("SET standard_conforming_strings = off"),
                Setting.sql("SET extra_float_digits = 0"),
                Setting.sql("SET bytea_output = escape"),
                Setting.sql("SET row_security = off"),
                Setting.sql("SET session_replication_role = replica"),
                Setting.sql("SET enable_indexscan = off", "SET enable_seqscan = off"),
                Setting.sql("SET plan_cache_mode = force_generic_plan"),
                Setting.sql("SET transform_null_equals = on"),
                Setting.sql("SET work_mem = '64kB'"),
                Setting.sql("SET application_name = 'theirs'"),
                Setting.sql("PREPARE \"S_1\" AS SELECT 99").orRefused(),
                Setting.sql("DEALLOCATE ALL"),
                Setting.sql("SELECT pg_advisory_lock(pg_backend_pid())"),
                Setting.sql("LISTEN something"),
                Setting.sql("DECLARE held CURSOR WITH HOLD FOR SELECT 1"),
                Setting.sql("SELECT set_config('app.tenant', 'a', false)"),
                Setting.sql("BEGIN").orRefused(),
                Setting.sql("BEGIN ISOLATION LEVEL REPEATABLE READ", "SELECT 1").orRefused());
    }

    private static List<Setting> mysql(Engine engine, String other) {
        List<Setting> all = new ArrayList<>(List.of(
                Setting.sql("USE " + other).ofPlace(),
                Setting.jdbc("setCatalog", connection -> connection.setCatalog(other))
                        .ofPlace(),
                Setting.sql("CREATE TEMPORARY TABLE seriatim_sequence AS SELECT * FROM " + other + ".seriatim_sequence")
                        .ofPlace(),
                Setting.sql("SET SESSION TRANSACTION READ ONLY").orRefused(),
                Setting.sql("SET SESSION TRANSACTION ISOLATION LEVEL READ UNCOMMITTED"),
                Setting.sql("SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE"),
                Setting.sql("SET autocommit = 0").orRefused(),
                Setting.sql("SET sql_mode = ''"),
                Setting.sql("SET sql_mode = 'ANSI,NO_BACKSLASH_ESCAPES,PAD_CHAR_TO_FULL_LENGTH'"),
                Setting.sql("SET sql_safe_updates = 1"),
                Setting.sql("SET sql_select_limit = 1"),
                Setting.sql("SET sql_select_limit = 0").orRefused(),
                Setting.sql("SET innodb_lock_wait_timeout = 1"),
                Setting.sql("SET lock_wait_timeout = 1"),
                Setting.sql("SET foreign_key_checks = 0"),
                Setting.sql("SET unique_checks = 0"),
                Setting.sql("SET time_zone = '+05:45'"),
                Setting.sql("SET timestamp = 1"),
                Setting.sql("SET NAMES latin1"),
                Setting.sql("SET character_set_results = latin1"),
                Setting.sql("SET @a = 1"),
                Setting.sql("SET last_insert_id = 99"),
                Setting.sql("SET auto_increment_increment = 7"),
                Setting.sql("SET completion_type = 1"),
                Setting.sql("SET sql_auto_is_null = 1"),
                Setting.sql("SET group_concat_max_len = 4"),
                Setting.sql("SET default_storage_engine = MyISAM"),
                Setting.sql("PREPARE p FROM 'SELECT 1'"),
                Setting.sql("SELECT GET_LOCK(CONCAT('lock', CONNECTION_ID()), 1)"),
                Setting.sql("LOCK TABLES kept READ").orRefused(),
                Setting.sql("START TRANSACTION").orRefused(),
                Setting.sql("START TRANSACTION WITH CONSISTENT SNAPSHOT").orRefused()));
        if (engine == Engine.MARIADB) {
            all.add(Setting.sql("SET sql_mode = 'ORACLE'").orRefused());
            all.add(Setting.sql("SET max_statement_time = 0.0001").orRefused());
        } else {
            all.add(Setting.sql("SET max_execution_time = 1"));
        }
        return all;
    }

    private static void execute(Connection connection, String... sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String each : sql) {
                statement.execute(each);
            }
        }
    }

    static Stream<Arguments> ways() {
        return Stream.of(Engine.POSTGRESQL, Engine.MARIADB, Engine.MYSQL)
                .flatMap(engine -> Stream.of(Lending.values())
                        .filter(lending -> lending != Lending.POOLER || engine == Engine.POSTGRESQL)
                        .map(lending -> Arguments.of(engine, lending)));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void no_setting_of_a_session_decides_about_draws(Engine engine, Lending lending) throws Exception {
        Database database = engine.freshDatabase();
        String other = "other";
        if (engine == Engine.POSTGRESQL) {
            database.execute(
                    "CREATE SCHEMA other",
                    "DO $$ BEGIN CREATE ROLE settings_reader; EXCEPTION WHEN duplicate_object THEN NULL; END $$");
        } else {
            other = database.url().replaceFirst("[?].*", "").replaceFirst(".*/", "") + "_other";
            database.execute("CREATE DATABASE " + other);
        }
        database.execute("CREATE TABLE kept (mode VARCHAR(64), n BIGINT)");
        List<Setting> settings = new ArrayList<>(ofAnyServer());
        settings.addAll(engine == Engine.POSTGRESQL ? postgres() : mysql(engine, other));
        List<String> wrong = new ArrayList<>();
        Optional<Server> pooler = Optional.of(lending)
                .filter(Lending.POOLER::equals)
                .map(through -> Server.pgBouncer(database, SESSIONS));
        try (Trial trial =
                new Trial(database, pooler.map(Server::administration).orElse(database), lending)) {
            for (Setting setting : settings) {
                if (engine != Engine.POSTGRESQL
                        && lending == Lending.POOL
                        && setting.name().startsWith("CREATE TEMP")) {
                    continue; // hides the table under its qualified name, too
                }
                if (setting.place()) {
                    database.execute(
                            "DROP TABLE IF EXISTS " + other + ".seriatim_sequence",
                            "CREATE TABLE " + other + ".seriatim_sequence AS SELECT * FROM seriatim_sequence");
                }
                wrong.addAll(trial.of(setting));
                if (lending == Lending.POOLER) {
                    trial.endSessions();
                }
            }
        } finally {
            pooler.ifPresent(Server::close);
        }
        assertThat(wrong).isEmpty();
    }

    /** A store and its sequences, while one setting after another is changed. */
    private static final class Trial implements AutoCloseable {

        /** A session of no store. */
        private final SqlSession own;

        /** The database, through the pooler if there is one. */
        private final Database reached;

        private final String table;
        private final Lending lending;
        private final HikariDataSource pool;
        private final JdbcSequences sequences;
        private final GroupedSequence<Connection> grouped;
        private final Map<String, Callable<Long>> modes = new LinkedHashMap<>();
        private final Map<String, List<Long>> drawn = new TreeMap<>();
        private final List<String> failures = new ArrayList<>();
        private final List<String> wrong = new ArrayList<>();

        Trial(Database database, Database reached, Lending lending) throws SQLException {
            own = SqlSession.on(database);
            this.reached = reached;
            table = database.url().startsWith("jdbc:postgresql")
                    ? "public.kept"
                    : database.url().replaceFirst("[?].*", "").replaceFirst(".*/", "") + ".kept";
            this.lending = lending;
            HikariConfig config = new HikariConfig();
            config.setJdbcUrl(reached.url());
            config.setUsername(reached.user());
            config.setPassword(reached.password());
            config.setMaximumPoolSize(SESSIONS);
            pool = new HikariDataSource(config);
            sequences = switch (lending) {
                case URL -> JdbcSequences.open(database.url());
                case KEEPING -> JdbcSequences.keeping(pool, 2, s -> {});
                case POOL -> JdbcSequences.borrowing(pool, s -> {});
                case POOLER -> JdbcSequences.open(reached.url());
            };
            modes.put("ASYNC", sequences.open("ASYNC", Allocation.async())::next);
            modes.put("CONFIRMED", sequences.open("CONFIRMED", Allocation.confirmed(3))::next);
            modes.put("BATCH", sequences.open("BATCH", Allocation.batch(2))::next);
            GaplessSequence<Connection> sync = sequences.gapless("SYNC");
            modes.put("SYNC", () -> sequences.<Long, Exception>inTransaction(c -> kept(c, "SYNC", sync.next(c))));
            PooledSequence<Connection> pooled = sequences.gapless("POOLED").pooled();
            modes.put("POOLED", () -> sequences.<Long, Exception>inTransaction(c -> kept(c, "POOLED", pooled.next(c))));
            grouped = sequences.gapless("GROUPED").grouped();
            modes.put(
                    "GROUPED",
                    () -> grouped.<Long, Exception>commit(turn -> kept(turn.transaction(), "GROUPED", turn.next())));
        }

        private long kept(Connection connection, String mode, long number) throws SQLException {
            execute(connection, "INSERT INTO " + table + " VALUES ('" + mode + "', " + number + ")");
            return number;
        }

        /** Returns what is wrong after a change. */
        List<String> of(Setting setting) throws SQLException {
            failures.clear();
            wrong.clear();
            draw();
            List<Map<String, String>> sessions = change(setting);
            for (int round = 0; round < ROUNDS; round++) {
                draw();
            }
            if (!sessions.isEmpty()) {
                sessions(setting).forEach(after -> {
                    if (!sessions.contains(after)) {
                        differences(sessions.get(0), after);
                    }
                });
            }
            if (lending.isOthers()) {
                pool.getHikariPoolMXBean().softEvictConnections();
            }
            drawn.forEach(this::check);
            if (!refusable(setting)) {
                wrong.addAll(failures);
            }
            return wrong.stream().map(each -> setting.name() + ": " + each).toList();
        }

        private void draw() {
            modes.forEach((mode, draw) -> {
                try {
                    drawn.computeIfAbsent(mode, none -> new ArrayList<>()).add(draw.call());
                } catch (Exception e) {
                    failures.add(mode + ": " + e.getMessage());
                    if (e instanceof Regressed || !(e instanceof SequenceException || e instanceof SQLException)) {
                        wrong.add(mode + ": " + e);
                    }
                }
            });
        }

        /** Returns what the sessions of a pool are then. */
        private List<Map<String, String>> change(Setting setting) throws SQLException {
            if (lending.isOthers()) {
                try {
                    onEachSession(connection -> {
                        setting.change().on(connection);
                        return Map.of();
                    });
                } catch (SQLException refused) {
                    // Setters of JDBC are refused in a transaction, which is what a pooler lends a session for.
                    assertThat(refusable(setting) || lending == Lending.POOLER)
                            .as(setting.name())
                            .isTrue();
                }
                return sessions(setting);
            }
            Map<String, String> before = sequences.inTransaction(SessionSettingsTest::session);
            List<Callable<?>> changes = new ArrayList<>();
            changes.add(() -> sequences.<Integer, Exception>inTransaction(connection -> changed(connection, setting)));
            if (!setting.ends()) { // what becomes of a group then is GroupEndedTest's subject
                changes.add(() -> grouped.<Integer, Exception>commit(turn -> changed(turn.transaction(), setting)));
            }
            for (Callable<?> change : changes) {
                try {
                    change.call();
                } catch (Exception refused) {
                    // by the driver, or since a unit may not do everything
                }
            }
            for (int i = 0; i < 2; i++) {
                differences(before, sequences.inTransaction(SessionSettingsTest::session));
            }
            return List.of();
        }

        private static int changed(Connection connection, Setting setting) throws SQLException {
            setting.change().on(connection);
            return 1;
        }

        private boolean refusable(Setting setting) {
            return lending == Lending.POOL
                    ? setting.refusable()
                    : lending == Lending.POOLER
                            && (setting.refusable() || setting.name().equals("setReadOnly"));
        }

        private List<Map<String, String>> sessions(Setting setting) throws SQLException {
            return refusable(setting)
                    ? List.of()
                    : onEachSession(SessionSettingsTest::session); // a query may fail, too
        }

        private interface Look {
            Map<String, String> at(Connection connection) throws SQLException;
        }

        /** A pooler lends a session for a transaction, so each session has one. */
        private List<Map<String, String>> onEachSession(Look look) throws SQLException {
            List<Connection> lent = new ArrayList<>();
            List<Map<String, String>> seen = new ArrayList<>();
            try {
                for (int i = 0; i < SESSIONS; i++) {
                    Connection connection = pool.getConnection();
                    lent.add(connection);
                    if (lending == Lending.POOLER) {
                        connection.setAutoCommit(false);
                        execute(connection, "SELECT 1");
                    }
                }
                for (Connection connection : lent) {
                    seen.add(look.at(connection));
                    if (lending == Lending.POOLER) {
                        connection.commit();
                    }
                }
            } finally {
                for (Connection connection : lent) {
                    connection.close();
                }
            }
            return seen;
        }

        /** Ends all other sessions. The pooler notices each by its own query, which may be refused until then. */
        void endSessions() throws Exception {
            own.number("SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity"
                    + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            for (int answered = 0; answered < SESSIONS; ) {
                try {
                    reached.number("SELECT 1");
                    answered++;
                } catch (SQLException ended) {
                    assertThat(System.nanoTime()).as(ended.toString()).isLessThan(deadline);
                    answered = 0;
                }
            }
        }

        private void check(String mode, List<Long> values) {
            boolean gapless = mode.matches("SYNC|POOLED|GROUPED");
            for (int i = 1; i < values.size(); i++) {
                long step = values.get(i) - values.get(i - 1);
                if (gapless ? step != 1 : step < 1) {
                    wrong.add(mode + " dealt " + values.subList(Math.max(0, i - 3), values.size()));
                    break;
                }
            }
            try {
                long last = values.get(values.size() - 1);
                long next = own.number("SELECT next_value FROM seriatim_sequence WHERE name = '" + mode + "'");
                long rows = own.number("SELECT COUNT(*) FROM kept WHERE mode = '" + mode + "'");
                if (next <= last || (gapless && rows != values.size())) {
                    wrong.add(mode + " dealt " + last + "; counter: " + next + ", rows: " + rows);
                }
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
        }

        private void differences(Map<String, String> before, Map<String, String> after) {
            after.forEach((variable, value) -> {
                if (!value.equals(before.get(variable))) {
                    wrong.add(variable + " was " + before.get(variable) + " and is " + value);
                }
            });
        }

        @Override
        public void close() throws SQLException {
            sequences.close();
            pool.close();
            own.close();
        }
    }

    /** Returns what the server shows of a session, without what changes by itself and what HikariCP resets. */
    private static Map<String, String> session(Connection connection) throws SQLException {
        boolean postgres = connection.getMetaData().getDatabaseProductName().equals("PostgreSQL");
        String query = postgres
                ? "SELECT name, setting FROM pg_catalog.pg_settings WHERE name NOT LIKE 'transaction%'"
                        + " UNION ALL SELECT 'role', CAST(CURRENT_USER AS text)"
                        + " UNION ALL SELECT 'advisory', CAST(COUNT(*) AS text) FROM pg_catalog.pg_locks"
                        + " WHERE locktype = 'advisory' AND pid = pg_backend_pid()"
                        + " UNION ALL SELECT 'cursor ' || name, 'open' FROM pg_catalog.pg_cursors WHERE is_holdable"
                        + " UNION ALL SELECT 'listening', channel FROM pg_listening_channels() AS channel"
                : "SHOW SESSION VARIABLES WHERE variable_name NOT IN ('autocommit', 'timestamp', 'last_insert_id', 'insert_id', 'identity',"
                        + " 'rand_seed1', 'rand_seed2', 'error_count', 'warning_count', 'pseudo_thread_id', 'statement_id', 'in_transaction',"
                        + " 'last_gtid', 'gtid_executed', 'session_track_gtids', 'gtid_current_pos', 'gtid_binlog_pos',"
                        + " 'gtid_binlog_state', 'original_commit_timestamp')";
        Map<String, String> session = new TreeMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            while (row.next()) {
                session.put(row.getString(1), String.valueOf(row.getString(2)));
            }
        }
        return session;
    }
}
