// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.google.gson.Gson;
import dev.seriatim.cli.CommandLineRun;
import dev.seriatim.cli.terminal.JsonText;
import dev.seriatim.internal.UrlSecrets;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts of any length, and names that a terminal would act on. */
@Timeout(60)
class DoctorOnOddTextTest {

    private static final int LENGTH = 100_000;

    /** Line end, terminal control in 7 and 8 bits, reversed writing, and what HTML, JSON and SQL read. */
    private static final String ODD = "a\r\n\u001b[31m\u009b31m\u202egpj\u2028'\"`<img src=x>{fn x}";

    @TempDir
    private Path folder = Path.of("");

    private Path sqlite(String... statements) throws SQLException {
        Path file = folder.resolve("odd.db");
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
        return file;
    }

    /** {@code TEXT} has the length, in literals that are right where quotes double and a backslash escapes. */
    @ParameterizedTest
    @ValueSource(strings = {"a", "''", "nextval(''x", "/* ", "[ \" ` -- "})
    void a_default_of_any_length_does_not_end_the_examination(String part) throws Exception {
        String text = "'" + part.repeat(LENGTH / part.length()) + "'";
        Path file = sqlite(
                "CREATE TABLE long_default (id integer PRIMARY KEY AUTOINCREMENT, x text DEFAULT " + text + " /* "
                        + "x".repeat(LENGTH) + " */)",
                "INSERT INTO long_default VALUES (70, '')",
                "UPDATE sqlite_sequence SET seq = 3");
        assertThat(Examination.of("sqlite:" + file).findings()).containsExactly("reuses long_default.id");
        Files.delete(file);

        Database postgresql = Engine.POSTGRESQL.freshDatabase();
        postgresql.execute(
                "CREATE SEQUENCE s",
                "CREATE TABLE long_default (id bigint PRIMARY KEY DEFAULT nextval(CASE WHEN " + text
                        + " = '' THEN 'x' ELSE 's' END::regclass))",
                "CREATE TABLE late (id bigint PRIMARY KEY DEFAULT CASE WHEN " + text
                        + " = '' THEN nextval('s'::text) ELSE nextval('s'::text) END)",
                "CREATE TABLE short_default (id serial PRIMARY KEY)",
                "INSERT INTO short_default VALUES (70)");
        Examination found = Examination.of(postgresql.url());
        assertThat(found.findings()).containsExactly("behind public.short_default.id");
        assertThat(found.skipped())
                .containsExactly("public.late.id, public.long_default.id: its default computes with what it draws");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "'' \\\\ nextval(`a`"})
    void a_default_of_mariadb_of_any_length_does_not_end_the_examination(String part) throws Exception {
        Database database = Engine.MARIADB.freshDatabase();
        String text = "'" + part.repeat(40_000 / part.length()) + "'";
        database.execute(
                "CREATE SEQUENCE s",
                "CREATE TABLE long_default (id bigint PRIMARY KEY DEFAULT (nextval(s) + length(" + text + ")))",
                "CREATE TABLE short_default (id bigint PRIMARY KEY DEFAULT nextval(s))",
                "INSERT INTO short_default VALUES (70)");
        Examination found = Examination.of(database.url());
        assertThat(found.findings()).containsExactly("behind " + database.name() + ".short_default.id");
        assertThat(found.skipped())
                .containsExactly(database.name() + ".long_default.id: its default computes with a sequence's values");
    }

    @Test
    void a_number_beyond_every_type_costs_its_own_column_alone() throws Exception {
        Path file = sqlite(
                "CREATE TABLE child (p numeric UNIQUE)",
                "INSERT INTO child VALUES (1e999999999)",
                "CREATE TABLE other (p numeric UNIQUE)",
                "INSERT INTO other VALUES (7)");
        for (String name : List.of("child.p", "other.p")) {
            CommandLineRun.on("sqlite:" + file, "create", name).succeeded();
        }
        Examination found = Examination.of("sqlite:" + file);
        assertThat(found.skipped()).containsExactly("child.p: it holds what is no number");
        assertThat(found.findings()).containsExactly("behind other.p");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "//a:", "password"})
    void secrets_are_looked_for_in_a_text_of_any_length(String part) {
        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> UrlSecrets.redact("@=" + part.repeat(LENGTH)));
    }

    @Test
    void no_name_reaches_a_terminal_a_page_or_json_as_it_is() throws Exception {
        String quoted = '"' + ODD.replace("\"", "\"\"") + '"';
        Path file = sqlite(
                "CREATE TABLE " + quoted + " (" + quoted + " integer PRIMARY KEY AUTOINCREMENT)",
                "INSERT INTO " + quoted + " VALUES (70)",
                "UPDATE sqlite_sequence SET seq = 3");
        Map<String, String> store = Map.of("SERIATIM_STORE", "sqlite:" + file);
        CommandLineRun.of(store, "create", "a").succeeded();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                var rename = connection.prepareStatement("UPDATE seriatim_sequence SET name = ?")) {
            rename.setString(1, ODD);
            rename.execute();
        }
        Path html = folder.resolve("page.html");
        Path json = folder.resolve("page.json");
        for (List<String> words : List.of(
                List.of("doctor", "--html", html.toString(), "--json", json.toString()),
                List.of("doctor", "--format", "json"),
                List.of("doctor", "--mend", "--dry-run"),
                List.of("doctor", "--mend"),
                List.of("list"),
                List.of("list", "--format", "json"),
                List.of("show", ODD),
                List.of("show", "--format", "json", ODD),
                List.of("drop", "b" + ODD))) {
            CommandLineRun run = CommandLineRun.of(store, words.toArray(String[]::new));
            shows(words.toString(), run.out() + run.err());
        }
        shows("page", Files.readString(html));
        shows("json", Files.readString(json));
    }

    private static void shows(String by, String text) {
        assertThat(text.codePoints()
                        .filter(c -> (Character.isISOControl(c) && c != '\n')
                                || c == 0x202e
                                || c == 0x2028
                                || Character.getType(c) == Character.SURROGATE))
                .as(by)
                .isEmpty();
        assertThat(text).as(by).contains("gpj");
    }

    @Test
    void what_is_escaped_in_json_is_read_back_as_it_was() {
        String odd = ODD + "\ud800 \ud83d\ude00";
        String json = JsonText.escaped(new Gson().toJson(odd));
        shows("json", json);
        assertThat(json).contains("\\u009b", "\\u202e", "\\ud800", "\ud83d\ude00");
        assertThat(new Gson().fromJson(json, String.class)).isEqualTo(odd);
    }
}
