// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import dev.seriatim.cli.CommandLineRun;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is raised, over which connections, and what one slow part of the catalog costs. */
class DoctorMendingTest {

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit's to set
    private Path folder;

    private static Database behind(int tables) throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        for (int i = 0; i < tables; i++) {
            database.execute("CREATE TABLE t" + i + " (id serial PRIMARY KEY)", "INSERT INTO t" + i + " VALUES (5)");
        }
        return database;
    }

    @Test
    void all_raises_take_one_connection_and_a_refused_one_leaves_the_others() throws Exception {
        Database database = behind(30);
        long before = sessions(database);
        try (Connection other = database.connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("SELECT setval('t7_id_seq', 1, false)");
            statement.execute("ALTER SEQUENCE t7_id_seq CACHE 1");
            Examination mended = Examination.of(database.url(), "--mend", "--timeout", "2s");
            assertThat(mended.mended()).hasSize(29).doesNotContain("behind public.t7.id");
            assertThat(mended.run().err()).contains("refuses DO ", "t7_id_seq", "again if another session held it");
        }
        assertThat(sessions(database) - before)
                .as("two examinations, the raises, the lock, this")
                .isLessThan(10);
    }

    private static long sessions(Database database) throws Exception {
        database.execute("SELECT pg_stat_force_next_flush()");
        return database.number("SELECT sessions FROM pg_stat_database WHERE datname = current_database()");
    }

    @Test
    void a_part_of_the_catalog_that_is_locked_leaves_the_others() throws Exception {
        Database database = behind(1);
        database.execute("CREATE SEQUENCE short MAXVALUE 10", "SELECT setval('short', 10)");
        CommandLineRun.on(database.url(), "create", "ours", "--max-value", "10", "--start-with", "10")
                .succeeded();
        skipped(database, "pg_catalog.pg_attrdef", "columns: another session holds a lock", "exhausted public.short");
        skipped(database, "pg_catalog.pg_sequence", "sequences: another session holds a lock", "running-out ours");
        skipped(database, "pg_catalog.pg_publication", "publications: another session holds", "behind public.t0.id");
        skipped(database, "seriatim_sequence", "table seriatim_sequence: another session", "behind public.t0.id");
    }

    private static void skipped(Database database, String locked, String line, String found) throws Exception {
        try (Connection other = database.connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("LOCK TABLE " + locked + " IN ACCESS EXCLUSIVE MODE");
            Examination rest = Examination.of(database.url(), "--timeout", "300ms");
            assertThat(rest.findings()).as(locked).contains(found);
            assertThat(rest.skipped()).as(locked).anyMatch(skip -> skip.startsWith(line));
        }
    }

    @Test
    void two_options_do_not_write_one_file() throws Exception {
        Database database = Engine.SQLITE.freshDatabase();
        database.execute("CREATE TABLE numbered (id INTEGER PRIMARY KEY)");
        Path file = folder.resolve("f");
        String same = folder.resolve(".").resolve("f").toString();
        Examination.doctor(database.url(), "--json", file.toString(), "--html", same)
                .failedWith("--html: cannot write '" + same + "': another option names it; choose another file");
        Examination.doctor(database.url(), "--history", same, "--json", file.toString())
                .failedWith("--json: cannot write '" + file + "': another option names it; choose another file");
        Files.createFile(file);
        Path link = Files.createSymbolicLink(folder.resolve("link"), file);
        Examination.doctor(database.url(), "--json", file.toString(), "--html", link.toString())
                .failedWith("another option names it");
        Examination.doctor(database.url(), "--accept", file.toString(), "--json", link.toString())
                .failedWith("--json: cannot write '" + link + "': another option names it");
        assertThat(file).isEmptyFile();
        for (String option : List.of("--json", "--html", "--history")) {
            Examination.doctor(database.url(), option, "-")
                    .failedWith(
                            option + ": cannot write '-': name a file; for JSON on standard output, use --format json");
        }
        String json = Examination.doctor(database.url(), "--format", "json").out();
        assertThat(JsonParser.parseString(json).isJsonObject()).isTrue();
    }
}
