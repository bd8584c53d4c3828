// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.seriatim.cli.CommandLineRun;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.servers.PlantedSchema;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorOnSqliteTest {

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit's to set
    private Path folder;

    @Test
    void each_planted_fault_is_found_and_none_else_and_its_line_mends_it() throws Exception {
        Database database = Engine.SQLITE.freshDatabase();
        Path file = Path.of(database.name());
        PlantedSchema schema = PlantedSchema.sqlite();
        schema.plant(database.option("synchronous", "OFF"));
        List<String> left = new ArrayList<>(schema.faults().keySet());
        PlantedCounters.plant(database, "INTEGER PRIMARY KEY AUTOINCREMENT").stream()
                // The row number is the only generator that SQLite has; a sequence beside it is common.
                .filter(fault -> !fault.startsWith("defined-twice"))
                .forEach(left::add);
        assertThat(left).hasSizeGreaterThanOrEqualTo(38);
        assertThat(schema.clean()).hasSizeGreaterThanOrEqualTo(40);

        byte[] before = Files.readAllBytes(file);
        Examination first = Examination.of(database.url());
        assertThat(first.findings()).containsExactlyInAnyOrderElementsOf(left);
        assertThat(first.skipped()).isEmpty();
        List<String> raising = Examination.doctor(database.url(), "--mend", "--dry-run")
                .out()
                .lines()
                .filter(line -> !line.startsWith("--"))
                .toList();
        assertThat(raising).hasSameSizeAs(first.remediedBy("raises")).hasSizeGreaterThanOrEqualTo(12);
        assertThat(Files.readAllBytes(file)).isEqualTo(before);

        Examination raised = Examination.of(database.url(), "--mend");
        first.remediedBy("raises").forEach(finding -> left.remove(Examination.shown(finding)));
        assertThat(raised.mended()).hasSameSizeAs(raising);
        assertThat(raised.findings()).containsExactlyInAnyOrderElementsOf(left);

        for (JsonObject finding : raised.remediedBy("changes")) {
            database.execute(Examination.remedy(finding));
            left.remove(Examination.shown(finding));
        }
        for (JsonObject finding : raised.remediedBy("command")) {
            PlantedCounters.mend(database, finding);
            left.remove(Examination.shown(finding));
        }
        assertThat(Examination.of(database.url()).findings()).containsExactlyInAnyOrderElementsOf(left);
    }

    @Test
    void a_file_that_is_missing_or_no_database_is_named_and_left_as_it_is() throws Exception {
        Path missing = folder.resolve("missing.db");
        for (String url : List.of("sqlite:" + missing, "jdbc:sqlite:" + missing)) {
            Examination.doctor(url).failedWith("there is no such file: ", "missing.db; correct its name");
        }
        Path text = folder.resolve("text.db");
        Files.writeString(text, "not a database\n".repeat(100));
        Examination.doctor("sqlite:" + text)
                .failedWith("text.db is not a SQLite database, or is damaged; name another");
        assertThat(text).hasContent("not a database\n".repeat(100));
        Examination.doctor("sqlite:" + folder).failedWith("is a folder; name a file in it");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(text);
        }
        Path empty = Files.createFile(folder.resolve("empty.db"));
        assertThat(Examination.of("sqlite:" + empty).findings()).isEmpty();
        assertThat(empty).isEmptyFile();
    }

    @Test
    void a_writer_holds_up_nothing_in_wal_mode_and_is_named_where_it_locks_all() throws Exception {
        Database database = Engine.SQLITE.freshDatabase();
        database.execute(
                "CREATE TABLE full (id INTEGER PRIMARY KEY AUTOINCREMENT)",
                "INSERT INTO full VALUES (9223372036854775807)");
        try (Connection writer = database.connect();
                Statement statement = writer.createStatement()) {
            statement.execute("BEGIN EXCLUSIVE");
            CommandLineRun run = Examination.doctor(database.url(), "--timeout", "200ms");
            run.failedWith(" is locked (", "end the process that holds the lock, or try again later");
            statement.execute("ROLLBACK");
            statement.execute("PRAGMA journal_mode = WAL");
            statement.execute("BEGIN IMMEDIATE");
            statement.execute("DELETE FROM full");
            assertThat(Examination.of(database.url(), "--timeout", "200ms").findings())
                    .containsExactly("exhausted full.id");
            statement.execute("ROLLBACK");
        }
    }

    @Test
    @Tag("long") // ten seconds
    void a_lock_on_the_file_is_waited_for_once() throws Exception {
        Database database = Engine.SQLITE.freshDatabase();
        database.execute("CREATE TABLE numbered (id INTEGER PRIMARY KEY)");
        try (Connection writer = database.connect();
                Statement statement = writer.createStatement()) {
            statement.execute("BEGIN EXCLUSIVE");
            long begun = System.nanoTime();
            Examination.doctor(database.url(), "--timeout", "10s").failedWith(" is locked (");
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isBetween(ofSeconds(10), ofSeconds(19));
        }
    }

    /** As a copy of a dump does from which the word was removed. */
    @Test
    void a_key_that_lost_autoincrement_is_a_warning() throws Exception {
        Database database = Engine.SQLITE.freshDatabase();
        database.execute(
                "CREATE TABLE kept (id INTEGER PRIMARY KEY AUTOINCREMENT)",
                "CREATE TABLE lost (id INTEGER PRIMARY KEY)",
                "CREATE TABLE never (id INTEGER PRIMARY KEY)",
                "INSERT INTO kept VALUES (7)",
                "INSERT INTO lost VALUES (7)",
                "INSERT INTO never VALUES (7)",
                "INSERT INTO sqlite_sequence VALUES ('lost', 7)");
        Examination found = Examination.of(database.url());
        assertThat(found.findings()).containsExactly("reuses lost.id");
        assertThat(found.json().get("warnings").getAsInt()).isEqualTo(1);
        database.execute("DELETE FROM lost", "DELETE FROM kept", "INSERT INTO lost DEFAULT VALUES");
        assertThat(database.number("SELECT id FROM lost")).isEqualTo(1);
    }

    @Test
    void a_file_in_which_each_connection_chooses_how_safe_it_is_gets_a_note() throws Exception {
        Database database = Engine.SQLITE.freshDatabase();
        database.execute("CREATE TABLE plain (id INTEGER PRIMARY KEY)");
        assertThat(Examination.of(database.url()).notes())
                .containsExactlyInAnyOrder("note journal_mode", "note row numbers");
        database.execute("PRAGMA journal_mode = WAL");
        assertThat(Examination.of(database.url()).notes()).containsExactly("note row numbers");
    }
}
