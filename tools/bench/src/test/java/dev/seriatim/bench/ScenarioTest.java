// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.seriatim.bench.load.Pause;
import dev.seriatim.cli.TypedCommand;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.servers.H2Files;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The scenarios on real databases, each run short; what they check of their own numbers is checked here as well. */
@Tag("long")
@Execution(ExecutionMode.CONCURRENT)
@Order(1)
class ScenarioTest {

    private static final String TABLES =
            "SELECT COUNT(*) FROM INFORMATION_SCHEMA.TABLES WHERE LOWER(TABLE_NAME) LIKE 'seriatim%'";

    /** On these engines the catalog is that of the whole server, where other tests make tables meanwhile. */
    private static final Pattern CATALOG_OF_SERVER = Pattern.compile("jdbc:(mariadb|mysql):.*");

    private static String tables(Database database) {
        return CATALOG_OF_SERVER.matcher(database.url()).matches() ? TABLES + " AND TABLE_SCHEMA = DATABASE()" : TABLES;
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL", "MARIADB", "MYSQL"})
    void rows_with_numbers_are_inserted_by_all_who_can_and_nothing_is_left(Engine engine) throws SQLException {
        Database database = engine.freshDatabase();
        long tables = database.number(tables(database));
        TypedCommand run = BenchRun.on(
                database.url(),
                "--scenario",
                "mariadb",
                "--threads",
                "2",
                "--duration",
                "100ms",
                "--rounds",
                "1",
                "--baselines",
                "--format",
                "json");
        assertThat(run.err()).contains(" runs on ").contains("about ").doesNotContain("every iteration failed");
        assertThat(run.code()).as(run.err()).isZero();
        Set<String> expected = new TreeSet<>(List.of(
                "AUTO_INCREMENT",
                "EMULATED",
                "GROUPED",
                "COMBINED",
                "CONFIRMED",
                "BATCH",
                "ADAPTIVE",
                "UUID_V4",
                "UUID_V7"));
        if (engine != Engine.H2) {
            expected.add("POOLED");
        }
        if (engine != Engine.MYSQL) {
            expected.add("NATIVE");
        }
        for (String experiment :
                List.of("row by row", "10 rows per transaction", "10 rows per transaction, one batch")) {
            List<JsonObject> runs = of(run, experiment);
            assertThat(modes(runs)).as(experiment).isEqualTo(expected);
            assertThat(runs).allSatisfy(figures -> {
                assertThat(figures.get("values_per_second").getAsDouble()).isPositive();
                assertThat(figures.get("errors").getAsLong()).isZero();
                assertThat(figures.get("duplicates").getAsLong()).isZero();
                assertThat(figures.get("limit_per_second").isJsonNull()).isTrue();
            });
        }
        assertThat(published(of(run, "10 rows per transaction"), "EMULATED")).isEqualTo(4429);
        assertThat(published(of(run, "row by row"), "AUTO_INCREMENT")).isEqualTo(651);
        assertThat(gaps(run, "EMULATED")).isZero();
        assertThat(gaps(run, "GROUPED")).isZero();
        assertThat(database.number(tables(database))).isEqualTo(tables);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void one_value_per_reservation_is_measured_against_a_cache_and_UUIDs(Engine engine) throws SQLException {
        Database database = engine.freshDatabase();
        long tables = database.number(tables(database));
        TypedCommand run = BenchRun.on(
                database.url(),
                "--scenario",
                "dsql",
                "--threads",
                "5",
                "--rounds",
                "1",
                "--baselines",
                "--format",
                "json");
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.err()).contains("21 runs on ".replace("21", "42")); // each experiment is practised once
        for (String experiment : List.of("100 single draws", "bulk insert of 1000 rows", "5 workers × 100 draws")) {
            List<JsonObject> runs = of(run, experiment);
            assertThat(runs.stream().map(r -> r.get("label").getAsString()))
                    .containsExactly(
                            "ASYNC",
                            "BATCH, batch size 65536",
                            "UUID",
                            "UUID_V4",
                            "NATIVE, cache 1",
                            "NATIVE, cache 65536",
                            "UUID_V7");
            assertThat(runs)
                    .allSatisfy(figures ->
                            assertThat(figures.get("errors").getAsLong()).isZero());
        }
        assertThat(of(run, "5 workers × 100 draws")).allSatisfy(figures -> {
            assertThat(figures.get("iterations").getAsLong()).isEqualTo(500);
            assertThat(figures.get("published").isJsonNull())
                    .as("other than 100 workers")
                    .isTrue();
        });
        assertThat(of(run, "bulk insert of 1000 rows")
                        .get(0)
                        .getAsJsonObject("published")
                        .get("total_ms")
                        .getAsDouble())
                .isEqualTo(6229.11);
        assertThat(of(run, "100 single draws")
                        .get(1)
                        .getAsJsonObject("published")
                        .get("mean_ms")
                        .getAsDouble())
                .isEqualTo(13.60);
        assertThat(database.number(tables(database))).isEqualTo(tables);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void single_increments_are_drawn_by_one_process_and_by_two(Engine engine) throws SQLException {
        Database database = engine.freshDatabase();
        long tables = database.number(tables(database));
        TypedCommand run = BenchRun.on(
                database.url(),
                "--scenario",
                "couchbase",
                "--threads",
                "4",
                "--duration",
                "200ms",
                "--rounds",
                "1",
                "--format",
                "json");
        assertThat(run.code()).as(run.err()).isZero();
        for (int processes = 1; processes <= 2; processes++) {
            List<JsonObject> runs = of(run, processes == 1 ? "one process" : "two processes");
            assertThat(runs.stream().map(r -> r.get("label").getAsString()))
                    .containsExactly("ASYNC", "STRIPED, 4 counters", "ADAPTIVE");
            int expected = processes;
            assertThat(runs).allSatisfy(figures -> {
                assertThat(figures.get("processes").getAsInt()).isEqualTo(expected);
                assertThat(figures.get("errors").getAsLong()).isZero();
            });
            assertThat(runs.get(0).get("order_violations").getAsLong()).isZero();
            assertThat(published(runs, "ASYNC")).isEqualTo(processes == 1 ? 25_000 : 40_000);
        }
        assertThat(database.number(tables(database))).isEqualTo(tables);
    }

    /** On a PostgreSQL that is taken for it, since it has the catalogue; its tables stay tables, which can be dropped. */
    @Test
    void Aurora_DSQL_itself_takes_part() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        database.execute(
                "ALTER DATABASE " + database.name() + " SET default_transaction_isolation = 'repeatable read'",
                Files.readString(Path.of("../../jdbc/src/test/resources/dev/seriatim/jdbc/dsql-like.sql")),
                "DROP EVENT TRIGGER dsql_ddl");
        TypedCommand run = BenchRun.on(
                database.url(),
                "--scenario",
                "dsql",
                "--threads",
                "2",
                "--rounds",
                "1",
                "--baselines",
                "--format",
                "json");
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.objects("runs").stream().map(r -> r.get("label").getAsString()))
                .contains("ASYNC", "UUID", "NATIVE, cache 1", "NATIVE, cache 65536");
        assertThat(run.objects("runs")).allSatisfy(figures -> {
            assertThat(figures.get("errors").getAsLong()).isZero();
            assertThat(figures.get("duplicates").getAsLong()).isZero();
        });
        TypedCommand rows = BenchRun.on(
                database.url(),
                "--scenario",
                "mariadb",
                "--mode",
                "AUTO_INCREMENT",
                "--threads",
                "2",
                "--duration",
                "100ms",
                "--rounds",
                "1",
                "--format",
                "json");
        assertThat(rows.code()).as(rows.err()).isZero();
        assertThat(modes(of(rows, "row by row"))).containsExactly("AUTO_INCREMENT");
    }

    @Test
    void a_file_takes_part_as_well(@TempDir Path folder) {
        TypedCommand run = BenchRun.on(
                "sqlite:" + folder.resolve("s.db"),
                "--scenario",
                "mariadb,dsql",
                "--threads",
                "2",
                "--duration",
                "50ms",
                "--rounds",
                "1",
                "--format",
                "json");
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(modes(of(run, "10 rows per transaction")))
                .contains("AUTO_INCREMENT", "EMULATED", "GROUPED", "ADAPTIVE");
        assertThat(run.objects("not_offered").stream()
                        .map(left -> left.get("mode").getAsString()))
                .contains("POOLED", "NATIVE", "UUID");
    }

    @Test
    void modes_stand_beside_the_published_four() {
        TypedCommand run = BenchRun.on(
                "memory:",
                "--scenario",
                "spanner",
                "--iterations",
                "60",
                "--mode",
                "SYNC,BATCH,COMBINED",
                "--format",
                "json");
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.objects("runs")).hasSize(6);
        JsonObject sync = run.objects("runs").get(0);
        assertThat(sync.get("scenario").getAsString()).isEqualTo("spanner");
        assertThat(sync.getAsJsonObject("published").get("p99_ms").getAsDouble())
                .isEqualTo(2703);
        assertThat(run.objects("runs").get(5).get("published").isJsonNull()).isFalse();
        assertThat(run.objects("runs").get(2).get("mode").getAsString()).isEqualTo("COMBINED");
        assertThat(run.objects("runs").get(2).get("published").isJsonNull()).isTrue();
    }

    @Test
    void what_a_store_does_not_offer_is_named_once_with_its_reason() {
        TypedCommand run =
                BenchRun.on("memory:", "--scenario", "mariadb,couchbase", "--duration", "50ms", "--rounds", "1");
        assertThat(run.code()).isZero();
        assertThat(run.out().replaceAll("\\s+", " "))
                .containsOnlyOnce("mariadb:"
                        + " AUTO_INCREMENT; EMULATED; GROUPED; POOLED; COMBINED; CONFIRMED; BATCH, batch size 200; ADAPTIVE: not"
                        + " offered by this store: it has no tables to insert rows into")
                .containsOnlyOnce("not offered by this store: several processes cannot share it");
    }

    @Test
    void what_a_rollback_would_spoil_in_a_file_of_h2s_is_not_offered_there() {
        TypedCommand run = BenchRun.on(
                H2Files.freshDatabase().url(),
                "--scenario",
                "spanner",
                "--mode",
                "SYNC,GROUPED,COMBINED",
                "--rounds",
                "1");
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("COMBINED").contains("SYNC", "GROUPED", "a rollback can undo");
        assertThat(run.err()).doesNotContain("every iteration failed");
    }

    @Test
    void an_interrupted_scenario_reports_what_it_has_and_leaves_nothing() throws Exception {
        Database database = Engine.H2.freshDatabase();
        long tables = database.number(tables(database));
        AtomicBoolean stop = new AtomicBoolean();
        String rows = TABLES.replace("COUNT(*)", "COALESCE(SUM(ROW_COUNT_ESTIMATE), 0)");
        FutureTask<Void> interrupter = new FutureTask<>(() -> {
            while (database.number(rows) < 100) {
                new Pause(new AtomicBoolean()).until(System.nanoTime() + 10_000_000L);
            }
            new Pause(new AtomicBoolean()).until(System.nanoTime() + 2_000_000_000L);
            stop.set(true);
            return null;
        });
        new Thread(interrupter).start();
        TypedCommand run = BenchRun.on(
                stop,
                database.url(),
                "--scenario",
                "mariadb",
                "--threads",
                "2",
                "--duration",
                "300ms",
                "--rounds",
                "50",
                "--format",
                "json");
        interrupter.get(1, TimeUnit.MINUTES);
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.err()).contains("interrupted; the report covers the runs until then");
        assertThat(run.json().get("interrupted").getAsBoolean()).isTrue();
        assertThat(run.objects("runs")).isNotEmpty();
        assertThat(database.number(tables(database))).isEqualTo(tables);
    }

    @Test
    void a_table_that_is_there_is_used_and_left_as_it_was() throws SQLException {
        Database database = Engine.H2.freshDatabase();
        try (var store = dev.seriatim.store.StoreDriver.open(database.url())) {
            store.create(dev.seriatim.SequenceDefinition.of("orders"));
        }
        TypedCommand run = BenchRun.on(
                database.url(), "--scenario", "couchbase", "--threads", "1", "--duration", "50ms", "--rounds", "1");
        assertThat(run.err()).contains("table seriatim_sequence of");
        try (var store = dev.seriatim.store.StoreDriver.open(database.url())) {
            assertThat(store.list())
                    .singleElement()
                    .satisfies(state -> assertThat(state.nextValue()).isEqualTo(1));
        }
    }

    private static List<JsonObject> of(TypedCommand run, String experiment) {
        return run.objects("runs").stream()
                .filter(figures -> figures.get("experiment").getAsString().equals(experiment))
                .toList();
    }

    private static Set<String> modes(List<JsonObject> runs) {
        return runs.stream()
                .map(figures -> figures.get("mode").getAsString())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static long gaps(TypedCommand run, String mode) {
        return run.objects("runs").stream()
                .filter(figures -> figures.get("mode").getAsString().equals(mode))
                .mapToLong(figures -> figures.get("gaps").getAsLong())
                .sum();
    }

    private static double published(List<JsonObject> runs, String mode) {
        return runs.stream()
                .filter(figures -> figures.get("mode").getAsString().equals(mode))
                .findFirst()
                .orElseThrow()
                .getAsJsonObject("published")
                .get("values_per_second")
                .getAsDouble();
    }
}
