// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.cli.CommandLineRun;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.servers.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class VerifyCommandTest {

    @TempDir
    private Path folder;

    private String file() {
        return "sqlite:" + folder.resolve("numbers.db");
    }

    @ParameterizedTest
    @CsvSource({
        "--until, 'kills=2,kills=3'",
        "--modes, 'sync,SYNC'",
        "--faults, 'kill,stop,kill'",
    })
    void a_value_that_is_repeated_in_a_list_is_refused(String option, String values) {
        CommandLineRun.on("memory:", "verify", option, values).refusedWith(option + " " + values + " repeats a value");
    }

    @Test
    void a_file_passes_while_processes_are_killed_every_control_is_found_and_nothing_is_left() throws Exception {
        Path page = folder.resolve("verdict.html");
        VerifyRun run = VerifyRun.on(
                file(),
                "--until",
                "kills=2,unique=5000,ordered=200,gapless=200",
                "--format",
                "json",
                "--seed",
                "7",
                "--html",
                page.toString());
        assertThat(run.code()).as(run.summary()).isZero();
        assertThat(run.json().get("verdict").getAsString()).startsWith("no violation in ");
        assertThat(run.json().get("end").getAsString()).isEqualTo("goals");
        assertThat(run.json().get("seed").getAsString()).isEqualTo("7");
        assertThat(run.objects("modes")).hasSize(8).allSatisfy(mode -> {
            assertThat(mode.get("violations").getAsJsonArray()).isEmpty();
            assertThat(mode.get("numbers").getAsLong()).isPositive();
            boolean gapless = mode.get("promise").getAsString().contains("gapless");
            assertThat(!mode.get("committed").isJsonNull()
                            && mode.get("committed").getAsLong() > 0)
                    .isEqualTo(gapless);
        });
        assertThat(run.objects("controls"))
                .extracting(control -> control.get("name").getAsString())
                .containsExactly("READ_THEN_WRITE", "JOINS_SENT", "TWO_TRANSACTIONS");
        assertThat(run.objects("controls")).allSatisfy(control -> {
            assertThat(control.get("red").getAsBoolean()).as(control.toString()).isTrue();
            assertThat(control.get("found").getAsString()).isNotEmpty();
        });
        assertThat(run.faults("process killed")).isGreaterThanOrEqualTo(2);
        assertThat(run.objects("not_done"))
                .extracting(each -> each.get("what").getAsString())
                .contains("mode POOLED", "faults of the kind link", "control NATIVE");
        assertThat(run.json().get("not_done").toString()).doesNotContain("--server-command");
        assertThat(Files.readString(page)).contains("No violation in", "READ_THEN_WRITE", "--seed 7");
        assertThat(folder.resolve("numbers.db")).doesNotExist();
        assertThat(run.err()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--minutes 0 | --minutes must be above 0",
                "--minutes ten | 'ten' is not a double",
                "--processes 0 | --processes must be between 1 and 100",
                "--threads 1001 | --threads must be between 1 and 1000",
                "--faults kil | expected one of [KILL, STOP, LINK, SERVER]",
                "--faults server | this store has no server",
                "--faults link | this store has no server",
                "--faults kill --no-faults | give one of them",
                "--until kils=1 | expected one of [UNIQUE, ORDERED, GAPLESS, KILLS, SERVER_KILLS, server-kills",
                "--until kills=many | 'many' is not a whole number",
                "--until kills=0 | a goal must be at least 1",
                "--until server-kills=1 | --until server-kills needs faults of the kind server",
                "--until lost-answers=1 | needs faults of the kind link",
                "--soak --until kills=1 | --soak has goals of its own",
                "--modes ASYNC --until gapless=1,unique=1 | no mode of this run counts towards --until",
                "--modes POOLED | offers none of these modes; name others with --modes",
                "--modes POLLED | POLLED",
                "--until rows=1 | --until: rows are those of --feeds",
                "--feeds --until gapless=1 | which has no numbers",
                "--feeds --modes SYNC | --feeds has neither modes nor nodes",
                "--html /no/such/folder/page.html | create it first",
                "--server-command true | this store has none; leave it out",
                "--node sqlite:other.db | leads to another store than --store",
                "--node sqlite:1 --node sqlite:2 | add --processes 3",
            })
    void wrong_input_is_refused_in_one_line(String options, String message) {
        VerifyRun run = VerifyRun.on(file(), options.strip().split(" ", -1));
        assertThat(run.code()).as(run.summary()).isBetween(1, 2);
        assertThat(run.err()).contains(message);
        assertThat(run.err().strip().lines()).hasSize(1);
        assertThat(run.out()).isEmpty();
        assertThat(folder.resolve("numbers.db")).doesNotExist();
    }

    @Test
    void ctrl_c_before_the_modes_draw_proves_nothing_and_blames_no_control() {
        AtomicBoolean stop = new AtomicBoolean();
        stop.set(true);
        VerifyRun run = VerifyRun.on(stop, file());
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out())
                .contains("other controls: stopped before")
                .endsWith("not proven: it was stopped before the modes drew\n");
    }

    @Test
    void a_wrong_word_is_answered_with_the_words_that_the_command_takes() {
        CommandLineRun.of(Map.of(), "verify", "--store", file(), "--until", "serverkills=1")
                .refusedWith("expected one of [UNIQUE, ", "server-kills, ", "'serverkills'");
        CommandLineRun.of(Map.of(), "verify", "--store", file(), "--until", "kills")
                .refusedWith("seriatim: --until: 'kills' is not of the form GOAL=N; see ");
        CommandLineRun.of(Map.of(), "verify", "--store", file(), "--until", "")
                .refusedWith("seriatim: --until: '' is not of the form GOAL=N; see ");
        CommandLineRun.of(Map.of(), "verify", "--store", file() + "?password=hunter2", "--until", "hunter2")
                .refusedWith("seriatim: --until: '***' is not of the form GOAL=N; see ");
        CommandLineRun.of(Map.of(), "verify", "--store", file(), "--faults", "kil")
                .refusedWith("--faults is one of kill, stop, link, server, not 'kil'");
    }

    @Test
    void it_does_not_wait_for_a_server_once_it_is_stopped() {
        String url = "jdbc:h2:tcp://127.0.0.1:1/none";
        VerifyRun run = VerifyRun.on(new AtomicBoolean(true), url, "--server-command", "exec sleep 1000");
        assertThat(run.err()).contains("stopped before the server of --server-command answered");
        assertThat(run.code()).isEqualTo(1);
    }

    @Test
    void what_needs_a_server_is_refused_with_the_option_that_starts_one() {
        String url = "jdbc:h2:tcp://127.0.0.1:1/none";
        assertThat(VerifyRun.on(url, "--faults", "server").err())
                .contains("--server-command does not say how to start the server");
        assertThat(VerifyRun.on(url, "--until", "server-kills=1").err())
                .contains("--server-command must say how to start the server");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "memory: | memory of one process",
                "jdbc:h2:mem:shop | memory of one process",
                "jdbc:sqlite::memory: | memory of one process",
                "jdbc:h2:FOLDER/shop | can be open in one process only, and verify draws in several; add ;AUTO_SERVER=TRUE",
                "jdbc:h2:file:FOLDER/shop;AUTO_SERVER=FALSE | can be open in one process only",
            })
    void a_store_of_one_process_is_refused_before_anything_is_made(String url, String why) throws IOException {
        VerifyRun run = VerifyRun.on(url.replace("FOLDER", folder.toString()));
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).contains(why);
        assertThat(run.err().strip().lines()).hasSize(1);
        assertThat(run.out()).isEmpty();
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void a_file_of_h2s_is_drawn_from_if_its_first_process_serves_the_others() {
        VerifyRun run = VerifyRun.on(
                "jdbc:h2:" + folder.resolve("shop") + ";AUTO_SERVER=TRUE",
                "--no-controls",
                "--modes",
                "ASYNC",
                "--until",
                "ordered=50");
        assertThat(run.code()).as(run.summary()).isZero();
    }

    @Test
    @Timeout(60)
    void a_store_that_drops_commits_is_found() {
        // With one commit in 100,000 dropped, it takes minutes: see below.
        String url = DroppingDriver.url(500, "sqlite:" + folder.resolve("dropping.db"));
        VerifyRun run = VerifyRun.on(url, "--no-controls", "--no-faults", "--minutes", "2", "--format", "json");
        assertThat(run.code()).as(run.summary()).isEqualTo(3);
        assertThat(run.json().get("end").getAsString()).isEqualTo("violation");
        assertThat(run.json().get("broken").getAsLong()).isPositive();
        assertThat(run.err()).contains("broken: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"denying", "repeating"})
    @Timeout(60)
    void a_store_that_denies_commits_or_deals_numbers_again_is_found_although_processes_are_killed(String lie) {
        String url = DroppingDriver.url(lie, 20, "sqlite:" + folder.resolve(lie + ".db"));
        VerifyRun run = VerifyRun.on(
                url,
                "--no-controls",
                "--modes",
                "SYNC",
                "--faults",
                "kill",
                "--until",
                "kills=1,gapless=200",
                "--format",
                "json");
        assertThat(run.code()).as(run.summary()).isEqualTo(3);
        assertThat(run.json().getAsJsonArray("modes").toString())
                .contains(lie.equals("denying") ? "committed, not acknowledged" : "is committed already");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SYNC | nothing has been drawn for 2 s: ",
                "SYNC,ASYNC | SYNC did not draw once more in 2 s: " // updates still have room
            })
    @Timeout(60)
    void a_full_disk_proves_nothing_and_breaks_no_promise(String modes, String why) {
        String url = "jdbc:sqlite:" + folder.resolve("full.db") + "?max_page_count=5";
        VerifyRun run = VerifyRun.on(
                url,
                "--no-controls",
                "--no-faults",
                "--modes",
                modes,
                "--patience",
                "2s",
                "--minutes",
                "0.5",
                "--until",
                modes.equals("SYNC") ? "gapless=100000" : "ordered=5000",
                "--format",
                "json");
        assertThat(run.code()).as(run.summary()).isEqualTo(1);
        assertThat(run.json().get("verdict").getAsString()).startsWith("not proven: " + why);
        assertThat(run.json().get("problem").getAsString()).contains("full");
        assertThat(run.json().getAsJsonArray("failures").toString()).contains("SYNC");
        assertThat(run.objects("modes")).allSatisfy(mode -> {
            assertThat(mode.get("committed").isJsonNull()).isTrue();
            assertThat(mode.get("next_value").isJsonNull()).isTrue();
        });
    }

    @Test
    @Tag("long")
    @EnabledIfSystemProperty(
            named = "seriatim.trials",
            matches = "soak",
            disabledReason = "takes minutes; -Dseriatim.trials=soak runs it")
    void one_commit_in_a_hundred_thousand_that_is_dropped_is_found_within_five_minutes() {
        String rest = Engine.POSTGRESQL.freshDatabase().url().replaceFirst("jdbc:", "");
        long began = System.nanoTime();
        VerifyRun run = VerifyRun.on(DroppingDriver.url(100_000, rest), "--minutes", "5", "--format", "json");
        assertThat(run.code()).as(run.summary()).isEqualTo(3);
        System.out.println("found after " + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began) + " s, "
                + run.json().get("verdict").getAsString());
    }

    /** Returns the lines of standard error, without the progress that a slow machine shows once a minute. */
    private static Stream<String> failures(VerifyRun run) {
        return run.err().strip().lines().filter(line -> !line.matches("seriatim: [a-z ]+ (\\d+ min )?\\d+ s\\b.*"));
    }

    @Test
    @Tag("long")
    void a_server_that_goes_away_before_a_control_is_found_is_not_blamed_on_the_control() throws Exception {
        try (Server server = Server.postgresql(Map.of())) {
            Database database = server.freshDatabase();
            CompletableFuture<VerifyRun> run =
                    CompletableFuture.supplyAsync(() -> VerifyRun.on(database.url(), "--patience", "3s"));
            awaitTable(database, "_two_transactions");
            server.kill();
            VerifyRun ended = run.get(60, TimeUnit.SECONDS);
            assertThat(ended.code()).as(ended.summary()).isEqualTo(1);
            assertThat(failures(ended)).hasSize(1);
            assertThat(ended.err()).doesNotContain("not proven").contains("DROP TABLE IF EXISTS");
        }
    }

    @Test
    @Tag("long")
    void a_server_that_goes_away_ends_it_with_what_is_known_and_how_to_clean_up() throws Exception {
        try (Server server = Server.postgresql(Map.of())) {
            Database database = server.freshDatabase();
            CompletableFuture<VerifyRun> run = CompletableFuture.supplyAsync(
                    () -> VerifyRun.on(database.url(), "--no-controls", "--no-faults", "--patience", "2s"));
            awaitLedger(database, "_sync");
            server.kill();
            VerifyRun ended = run.get(60, TimeUnit.SECONDS);
            assertThat(ended.code()).isEqualTo(1);
            assertThat(failures(ended)).hasSize(1);
            assertThat(ended.err())
                    .contains("cannot remove what verify created")
                    .contains("DROP TABLE IF EXISTS");
            server.restart();
            for (String statement :
                    ended.err().substring(ended.err().indexOf("DROP")).split(";", -1)) {
                database.execute(statement.strip());
            }
            assertThat(tables(database)).isZero();
        }
    }

    @Test
    @Tag("long")
    void a_row_that_vanishes_and_a_counter_that_goes_back_are_found() throws Exception {
        for (String harm : new String[] {"DELETE FROM %s WHERE n = 3", "UPDATE %s SET next_value = 2"}) {
            Database database = Engine.POSTGRESQL.freshDatabase();
            CompletableFuture<VerifyRun> run = CompletableFuture.supplyAsync(() ->
                    VerifyRun.on(database.url(), "--no-controls", "--no-faults", "--minutes", "2", "--format", "json"));
            String table = awaitLedger(database, "_sync");
            database.execute(harm.formatted(harm.startsWith("DELETE") ? table : table.replace("_sync", "")));
            VerifyRun ended = run.get(120, TimeUnit.SECONDS);
            assertThat(ended.code()).as(ended.summary()).isEqualTo(3);
            assertThat(tables(database)).isZero();
        }
    }

    private static long tables(Database database) throws SQLException {
        return database.number(
                "SELECT COUNT(*) FROM information_schema.tables WHERE table_name LIKE 'seriatim_verify%'");
    }

    /** Returns the name of a table, once it is there. */
    private static String awaitTable(Database database, String suffix) throws Exception {
        String count =
                "SELECT COUNT(*) FROM information_schema.tables WHERE table_name LIKE 'seriatim_verify%" + suffix + "'";
        while (database.number(count) == 0) {
            Thread.sleep(50);
        }
        try (var connection = database.connect();
                var rows = connection.createStatement().executeQuery(count.replace("COUNT(*)", "table_name"))) {
            rows.next();
            return rows.getString(1);
        }
    }

    /** Returns the name of a ledger, once it has rows. */
    private static String awaitLedger(Database database, String suffix) throws Exception {
        String name = awaitTable(database, suffix);
        while (database.number("SELECT COUNT(*) FROM " + name) < 10) {
            Thread.sleep(50);
        }
        return name;
    }
}
