// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.bench.load.ClosedLoop;
import dev.seriatim.bench.load.DrawnNumbers;
import dev.seriatim.bench.load.Site;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.SchemaInstaller;
import dev.seriatim.store.StoreDriver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class InsertedRowsTest {

    private static final int ITERATIONS = 60;
    private static final int WARM_UP = 20;

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL", "MARIADB"})
    void every_number_becomes_a_row_and_the_table_is_gone_afterwards(Engine engine) throws Exception {
        Database database = engine.freshDatabase();
        try (OpenStore store = StoreDriver.open(database.url())) {
            Site site = Site.of(store, database.url());
            assertThat(site.hasOneWriter()).isFalse();
            PlanRunner runner = new PlanRunner(site, new AtomicBoolean());
            for (Contender mode : List.of(
                    Contender.of(DrawMode.SYNC), Contender.of(DrawMode.GROUPED), Contender.of(DrawMode.COMBINED))) {
                RunResult result = runner.run(
                        new RunPlan(
                                mode,
                                4,
                                10,
                                5,
                                Duration.ZERO,
                                new ClosedLoop(ITERATIONS, WARM_UP),
                                Setting.PLAIN.inserting(1, Setting.Form.ROW_BY_ROW)),
                        "test");
                assertThat(result.check().faults()).isEmpty();
                assertThat(result.measured().completed()).isEqualTo(ITERATIONS);
                assertThat(result.measured().errors()).isZero();
            }
        }
        String schema = engine == Engine.POSTGRESQL ? "current_schema()" : "SCHEMA()"; // other tests share the server
        assertThat(database.number("SELECT COUNT(*) FROM INFORMATION_SCHEMA.TABLES"
                        + " WHERE LOWER(TABLE_NAME) LIKE 'seriatim_bench_%' AND TABLE_SCHEMA = " + schema))
                .isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL", "MARIADB"})
    void numbers_drawn_last_are_checked_in_their_rows(Engine engine) throws Exception {
        Database database = engine.freshDatabase();
        try (OpenStore store = StoreDriver.open(database.url())) {
            Site site = Site.of(store, database.url());
            PlanRunner runner = new PlanRunner(site, new AtomicBoolean());
            ((SchemaInstaller) store).install();
            for (Contender mode : List.of(Contender.LAST, Contender.AT_COMMIT)) {
                RunPlan plan = new RunPlan(
                        mode,
                        4,
                        10,
                        5,
                        Duration.ofMillis(1),
                        new ClosedLoop(ITERATIONS, WARM_UP),
                        Setting.PLAIN.inserting(1, Setting.Form.ROW_BY_ROW));
                assertThat(runner.missing(new RunPlan(mode, 4, 10, 5, Duration.ZERO, plan.workload(), Setting.PLAIN)))
                        .hasValueSatisfying(why -> assertThat(why).contains("--insert-rows"));
                boolean offered = Contender.LAST.equals(mode) || engine == Engine.POSTGRESQL;
                assertThat(runner.missing(plan).isEmpty()).isEqualTo(offered);
                if (offered) {
                    RunResult result = runner.run(plan, "test");
                    assertThat(result.check().faults()).isEmpty();
                    assertThat(result.check().gaps()).hasValue(0);
                    assertThat(result.measured().completed()).isEqualTo(ITERATIONS);
                    assertThat(result.measured().numbers()).isEqualTo(ITERATIONS);
                }
            }
        }
        if (engine == Engine.POSTGRESQL) {
            assertThat(database.number("SELECT COUNT(*) FROM pg_proc WHERE proname LIKE '%at_commit%'"))
                    .isZero();
        }
    }

    @Test
    void a_number_without_its_row_is_a_fault_and_so_is_a_gap_in_the_table() {
        long[] times = {1, 2, 3};
        DrawnNumbers draws = new DrawnNumbers(new long[] {1, 2, 3}, times, times, new long[0], 0);
        long[] rows = {1, 3};
        SelfCheck check = SelfCheck.of(Contender.of(DrawMode.SYNC), true, draws, Optional.of(rows), new long[0], 1, 4);
        assertThat(check.faults()).contains("1 gap", "1 lost row");
        assertThat(SelfCheck.of(
                                Contender.of(DrawMode.SYNC),
                                true,
                                draws,
                                Optional.of(new long[] {1, 2, 3}),
                                new long[0],
                                1,
                                4)
                        .faults())
                .doesNotContain("1 gap", "1 lost row");
    }

    @Test
    void an_sqlite_file_has_one_writer(@TempDir Path folder) {
        try (Site site = Site.open("sqlite:" + folder.resolve("s.db"), 2)) {
            assertThat(site.hasOneWriter()).isTrue();
        }
    }
}
