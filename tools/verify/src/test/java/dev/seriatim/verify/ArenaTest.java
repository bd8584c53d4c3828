// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.servers.Server;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.SchemaInstaller;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.verify.CommittedState.Counted;
import dev.seriatim.verify.fault.LinkedUrl;
import dev.seriatim.verify.fault.TcpLink;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ArenaTest {

    private static final List<DrawMode> ALL = List.of(DrawMode.values());
    private static final Duration REMOVAL = Duration.ofSeconds(30);

    /** As many as a look has, or more: to the query, to the commit, and to what a new connection asks. */
    private static final int MOST_ANSWERS = 6;

    private static List<String> tables(Database database) throws SQLException {
        List<String> names = new ArrayList<>();
        try (var connection = database.connect();
                var tables = connection
                        .getMetaData()
                        .getTables(connection.getCatalog(), connection.getSchema(), "%", new String[] {"TABLE"})) {
            while (tables.next()) {
                names.add(tables.getString("TABLE_NAME"));
            }
        }
        return names;
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL", "H2"})
    void everything_is_made_apart_and_removed_again(Engine engine) throws SQLException {
        Database database = engine.freshDatabase();
        try (Arena arena = Arena.open(database.url(), ALL, REMOVAL)) {
            assertThat(arena.offered().size() + arena.missing().size()).isEqualTo(ALL.size());
            assertThat(tables(database)).isNotEmpty().allMatch(name -> name.startsWith(Arena.PREFIX));
            for (ArenaSequence each : arena.offered().values()) {
                assertThat(arena.next(each)).isEqualTo(ArenaSequence.START);
                assertThat(each.hasLedger()).isEqualTo(each.mode().drawsInTransaction());
                if (each.hasLedger()) {
                    assertThat(arena.tables().state(each))
                            .isEqualTo(new CommittedState(1, 1, Counted.NONE, Counted.NONE));
                    assertThat(arena.tables().laidOut(each)).isEmpty();
                }
            }
        }
        assertThat(tables(database)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void a_row_that_is_missing_or_too_many_is_seen(Engine engine) throws SQLException {
        Database database = engine.freshDatabase();
        try (Arena arena = Arena.open(database.url(), List.of(DrawMode.SYNC), REMOVAL)) {
            ArenaSequence sync = arena.offered().get(DrawMode.SYNC);
            assertThat(sync).isNotNull();
            String table = sync.ledger().replace("_sync", "");
            database.execute(
                    "UPDATE " + table + " SET next_value = 4",
                    "INSERT INTO " + sync.ledger() + " VALUES (1)",
                    "INSERT INTO " + sync.ledger() + " VALUES (3)");
            assertThat(arena.tables().state(sync))
                    .isEqualTo(new CommittedState(1, 4, new Counted(2, 1, 3), Counted.NONE));
            assertThat(arena.tables().state(sync).looksGapless()).isFalse();
            database.execute("INSERT INTO " + sync.ledger() + " VALUES (2)");
            assertThat(arena.tables().state(sync).looksGapless()).isTrue();
            List<Long> numbers = new ArrayList<>();
            assertThat(arena.tables().ledger(sync, numbers::add)).isEqualTo(3);
            assertThat(numbers).containsExactly(1L, 2L, 3L);
            database.execute("INSERT INTO " + sync.ledger() + " VALUES (4)");
            assertThat(arena.tables().state(sync).looksGapless()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void a_look_of_which_any_answer_is_lost_can_be_taken_again(Engine engine) throws SQLException {
        int failed = 0;
        LinkedUrl through = LinkedUrl.parse(engine.freshDatabase().url());
        try (TcpLink link = through.open();
                Arena arena = Arena.open(through.through(link.port()), List.of(DrawMode.SYNC), REMOVAL)) {
            ArenaSequence sync = arena.offered().get(DrawMode.SYNC);
            assertThat(sync).isNotNull();
            List<Runnable> looks = List.of(
                    () -> arena.tables().state(sync),
                    () -> arena.tables().ledger(sync, number -> {}),
                    () -> arena.next(sync));
            for (Runnable look : looks) {
                for (int nth = 1; nth <= MOST_ANSWERS; nth++) {
                    link.loseAnswers(1, nth);
                    Throwable failure = catchThrowable(look::run);
                    assertThat(failure == null || failure instanceof Unavailable)
                            .as("answer %d: %s", nth, failure)
                            .isTrue();
                    failed += failure == null ? 0 : 1;
                    link.restore();
                }
            }
        }
        assertThat(failed).isPositive();
    }

    @Test
    void a_long_ledger_is_read_whole_and_in_order() throws SQLException {
        Database database = Engine.POSTGRESQL.freshDatabase();
        try (Arena arena = Arena.open(database.url(), List.of(DrawMode.SYNC), REMOVAL)) {
            ArenaSequence sync = arena.offered().get(DrawMode.SYNC);
            assertThat(sync).isNotNull();
            database.execute("INSERT INTO " + sync.ledger() + " SELECT generate_series(1, 100000)");
            long[] last = {0};
            assertThat(arena.tables().ledger(sync, number -> assertThat(number).isEqualTo(++last[0])))
                    .isEqualTo(100_000);
        }
    }

    @Test
    void a_file_that_was_not_there_is_deleted_and_one_that_was_is_kept(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("new.db");
        for (boolean existed : new boolean[] {false, true}) {
            try (Arena arena = Arena.open("sqlite:" + file, ALL, REMOVAL)) {
                assertThat(arena.missing()).containsOnlyKeys(DrawMode.POOLED);
                assertThat(Files.exists(file)).isTrue();
            }
            assertThat(Files.exists(file)).isEqualTo(existed);
            if (!existed) {
                Files.createFile(file);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"new.db", "a;b.db"})
    void a_file_that_was_not_there_is_kept_if_another_has_a_sequence_in_it(String name, @TempDir Path folder) {
        String url = "sqlite:" + folder.resolve(name);
        try (Arena arena = Arena.open(url, ALL, REMOVAL);
                OpenStore other = StoreDriver.open(url)) {
            assertThat(arena.offered()).isNotEmpty();
            ((SchemaInstaller) other).install();
            other.create(SequenceDefinition.of("invoice"));
        }
        try (OpenStore other = StoreDriver.open(url)) {
            assertThat(other.describe("invoice").nextValue()).isEqualTo(1);
        }
        assertThat(folder).isDirectoryContaining(file -> file.endsWith(name));
        assertThat(folder.toFile().list()).hasSize(1);
    }

    @Test
    void a_file_that_cannot_be_used_is_named_with_the_remedy_and_nothing_else(@TempDir Path folder) throws Exception {
        Path plain = Files.createFile(folder.resolve("plain"));
        assertThatThrownBy(
                        () -> Arena.open("sqlite:" + folder.resolve("missing").resolve("new.db"), ALL, REMOVAL))
                .isInstanceOf(Misconfigured.class)
                .hasMessage(folder.resolve("missing").resolve("new.db")
                        + " is in a folder that does not exist; create the folder first: " + folder.resolve("missing"));
        assertThatThrownBy(() -> Arena.open("sqlite:" + plain.resolve("new.db"), ALL, REMOVAL))
                .isInstanceOf(Misconfigured.class)
                .hasMessageEndingWith("is in a folder that is a file; name another folder than " + plain);
        assertThatThrownBy(() -> Arena.open("sqlite:" + folder, ALL, REMOVAL))
                .isInstanceOf(Misconfigured.class)
                .hasMessage(folder + " is a folder; name a file in it");
        assertThatThrownBy(() -> Arena.open("jdbc:sqlite:" + plain + "?open_mode=1", ALL, REMOVAL))
                .hasMessageContaining("is read-only")
                .hasMessageEndingWith("open it without open_mode=1");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(plain);
        }
    }

    @Test
    void a_file_that_stays_locked_is_named_once_and_so_is_what_may_have_been_made(@TempDir Path folder)
            throws SQLException {
        Path file = folder.resolve("locked.db");
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE others (n BIGINT PRIMARY KEY)");
            statement.execute("BEGIN EXCLUSIVE");
            assertThatThrownBy(() -> Arena.open("sqlite:" + file + "?busy-timeout=300ms", ALL, Duration.ZERO))
                    .isInstanceOf(Unavailable.class)
                    .satisfies(e -> assertThat(e.getMessage())
                            .containsOnlyOnce("locked.db")
                            .contains("verify may have created tables there")
                            .contains("DROP TABLE IF EXISTS")
                            .doesNotContain("\n"));
        }
    }

    @Test
    void a_user_who_may_not_create_tables_hears_that_in_one_line() throws SQLException {
        Database database = Engine.POSTGRESQL.freshDatabase();
        String user = "reader_" + Long.toHexString(System.nanoTime());
        database.execute("CREATE ROLE " + user + " LOGIN PASSWORD 'hunter2'");
        Database reader = database.as(user, "hunter2");
        assertThatThrownBy(() -> Arena.open(reader.url(), ALL, REMOVAL))
                .isInstanceOf(Misconfigured.class)
                .satisfies(e -> assertThat(e.getMessage())
                        .startsWith("verify draws from tables of its own")
                        .contains("let this user create them")
                        .doesNotContain("hunter2")
                        .doesNotContain("\n"));
        assertThat(tables(database)).isEmpty();
    }

    @Test
    void a_plain_table_of_the_users_is_refused() {
        assertThatThrownBy(() -> Arena.open("sqlite:none.db?table=t&kind=next", ALL, REMOVAL))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("leave the option kind");
        assertThat(Files.exists(Path.of("none.db"))).isFalse();
    }

    @Test
    void a_store_without_tables_is_named_by_the_commands_that_remove_the_rest() {
        Database database = Engine.POSTGRESQL.freshDatabase();
        String url = database.option("seriatim.sequences", "native").url();
        String store = "'" + database.server() + database.name() + "?seriatim.sequences=native'";
        try (Arena arena = Arena.open(url, ALL, REMOVAL)) {
            assertThat(arena.removal())
                    .isNotEmpty()
                    .allMatch(each -> each.startsWith("seriatim drop --store " + store + " seriatim_verify_"));
        }
    }

    @Test
    @Tag("long")
    void a_server_that_went_away_leaves_a_line_that_says_what_removes_the_rest() throws SQLException {
        try (Server server = Server.postgresql(Map.of())) {
            Database database = server.freshDatabase();
            Arena arena = Arena.open(database.url(), ALL, Duration.ofSeconds(2));
            server.kill();
            assertThatThrownBy(arena::close)
                    .isInstanceOf(Unavailable.class)
                    .satisfies(e -> assertThat(e.getMessage())
                            .startsWith("cannot remove what verify created in ")
                            .doesNotContain("\n"));
            server.restart();
            assertThat(tables(database)).isNotEmpty();
            for (String statement : arena.removal()) {
                database.execute(statement);
            }
            assertThat(tables(database)).isEmpty();
        }
    }
}
