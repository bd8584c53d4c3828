// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.option;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqliteSiteTest {

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void name_a_file() {
        file = folder.resolve("shop.db");
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + file);
    }

    private void run(String... statements) throws SQLException {
        try (Connection connection = connect()) {
            run(connection, statements);
        }
    }

    private static void run(Connection connection, String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    private String read(String query) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                var found = statement.executeQuery(query)) {
            return found.getString(1);
        }
    }

    private List<String> files() throws Exception {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(each -> each.getFileName().toString()).toList();
        }
    }

    @Test
    void a_file_that_was_missing_is_missing_again() throws Exception {
        SqliteSite site = SqliteSite.of(file);
        run("PRAGMA journal_mode = WAL", "CREATE TABLE own (id integer primary key autoincrement)", "DROP TABLE own");
        site.leave();
        assertThat(files()).isEmpty();
    }

    @Test
    void a_file_that_was_missing_and_that_nobody_made_is_none_afterwards() throws Exception {
        SqliteSite.of(file).leave();
        assertThat(files()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"CREATE TABLE customer (name)", "CREATE VIEW customer AS SELECT 'Ada' AS name"})
    void a_file_that_was_missing_is_kept_if_another_puts_something_into_it(String statement) throws Exception {
        SqliteSite site = SqliteSite.of(file);
        run("PRAGMA journal_mode = WAL", statement);
        site.leave();
        assertThat(read("SELECT count(*) FROM customer")).isNotNull();
    }

    @Test
    void a_file_that_was_missing_is_kept_while_another_has_it_open() throws Exception {
        SqliteSite site = SqliteSite.of(file);
        try (Connection other = connect()) {
            run(other, "PRAGMA journal_mode = WAL", "CREATE TABLE other (id)", "DROP TABLE other");
            site.leave();
            run(other, "CREATE TABLE customer (name)", "INSERT INTO customer VALUES ('Ada')");
        }
        assertThat(read("SELECT name FROM customer")).isEqualTo("Ada");
        assertThat(read("PRAGMA journal_mode")).isEqualTo("wal");
    }

    @ParameterizedTest
    @ValueSource(strings = {"delete", "wal"})
    void a_file_that_was_there_has_the_journal_mode_that_it_had(String journal) throws Exception {
        run("PRAGMA journal_mode = " + journal, "CREATE TABLE customer (name)");
        SqliteSite site = SqliteSite.of(file);
        run("PRAGMA journal_mode = WAL", "INSERT INTO customer VALUES ('Ada')");
        site.leave();
        assertThat(read("PRAGMA journal_mode")).isEqualTo(journal);
        assertThat(read("SELECT name FROM customer")).isEqualTo("Ada");
    }

    @Test
    void an_empty_file_that_was_there_is_kept() throws Exception {
        Files.createFile(file);
        SqliteSite site = SqliteSite.of(file);
        run("PRAGMA journal_mode = WAL", "CREATE TABLE own (id)", "DROP TABLE own");
        site.leave();
        assertThat(files()).contains("shop.db");
        assertThat(read("PRAGMA journal_mode")).isEqualTo("delete");
    }

    @Test
    void a_file_of_another_kind_is_left_alone() throws Exception {
        Files.writeString(file, "no database");
        SqliteSite.of(file).leave();
        assertThat(file).hasContent("no database");
    }

    @Test
    void a_semicolon_in_a_file_s_name_separates_no_options() {
        assertThat(new OptionedUrl("sqlite:a;b.db").with(Map.of("table", "own")))
                .isEqualTo("sqlite:a;b.db?table=own");
        assertThat(new OptionedUrl("sqlite:a;b.db?kind=next").with(Map.of("table", "own")))
                .isEqualTo("sqlite:a;b.db?kind=next&table=own");
        assertThat(new OptionedUrl("jdbc:h2:./a;USER=sa").with(Map.of("table", "own")))
                .isEqualTo("jdbc:h2:./a;USER=sa;seriatim.table=own");
    }
}
