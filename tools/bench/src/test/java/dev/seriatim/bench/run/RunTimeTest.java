// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.seriatim.bench.load.ClosedLoop;
import dev.seriatim.bench.load.ClosedLoop.Extent;
import dev.seriatim.bench.load.Site;
import dev.seriatim.bench.load.Workload;
import dev.seriatim.bench.simulation.StoreTimes;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.memory.InMemoryStore;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RunTimeTest {

    private static final ClosedLoop COUNTED = new ClosedLoop(1000, 100);
    private static final ClosedLoop TIMED =
            new ClosedLoop(new Extent(4_000_000, Duration.ofSeconds(3)), new Extent(1_000_000, Duration.ofSeconds(1)));

    /** 10 ms for a reservation, 50 ms to set up, 20 ms for a row. */
    private static final RunTime TIME = new RunTime(StoreTimes.of(0.010), 0.050, 0.020, 2, false, false);

    private static final RunTime CONNECTED = new RunTime(StoreTimes.of(0.010), 0.050, 0.020, 2, false, true);

    @Test
    void what_a_run_needs_is_made_and_dropped() {
        assertThat(TIME.of(plan(Contender.of(DrawMode.SYNC), 4, COUNTED)))
                .isEqualTo(0.050 + 1100 * 0.010, within(1e-6));
    }

    @Test
    void rows_take_their_time_and_make_progress_side_by_side_as_far_as_there_are_lanes() {
        assertThat(TIME.of(rows(Contender.of(DrawMode.SYNC), 4, COUNTED, 1)))
                .isEqualTo(0.050 + 1100 * 0.030, within(1e-6));
        assertThat(TIME.of(rows(Contender.of(DrawMode.ADAPTIVE), 50, COUNTED, 1)))
                .isEqualTo(0.050 + 1100 * 0.010, within(1e-6));
        assertThat(TIME.of(rows(Contender.AUTO_INCREMENT, 1, COUNTED, 1)))
                .isEqualTo(0.050 + 1100 * 0.020, within(1e-6));
    }

    @Test
    void rows_are_inserted_one_transaction_after_another_where_there_is_one_writer() {
        RunTime oneWriter = new RunTime(StoreTimes.of(0.010), 0.050, 0.020, 2, true, false);
        assertThat(oneWriter.of(rows(Contender.of(DrawMode.ADAPTIVE), 50, COUNTED, 1)))
                .isEqualTo(0.050 + 1100 * 0.020, within(1e-6));
        assertThat(oneWriter.of(plan(Contender.of(DrawMode.ASYNC), 50, COUNTED)))
                .isEqualTo(TIME.of(plan(Contender.of(DrawMode.ASYNC), 50, COUNTED)));
    }

    @Test
    void clients_end_what_they_have_begun_when_time_is_up() {
        assertThat(TIME.of(rows(Contender.EMULATED, 100, TIMED, 10)))
                .as("a hundred transactions one after another, after the warm-up and at the end")
                .isGreaterThan(0.050 + 4 + 2 * 100 * 0.200);
        assertThat(TIME.of(plan(Contender.of(DrawMode.ASYNC), 1, TIMED)))
                .isEqualTo(0.050 + 4 + 2 * 0.010, within(1e-6));
    }

    @Test
    void connections_and_a_second_process_take_a_while() {
        assertThat(CONNECTED.of(plan(Contender.of(DrawMode.SYNC), 100, COUNTED))
                        - TIME.of(plan(Contender.of(DrawMode.SYNC), 100, COUNTED)))
                .isBetween(0.1, 1.0);
        RunPlan two = plan(
                Contender.of(DrawMode.COMBINED),
                1,
                COUNTED,
                Setting.of("couchbase", "").inProcesses(2));
        assertThat(TIME.of(two) - TIME.of(plan(Contender.of(DrawMode.COMBINED), 1, COUNTED)))
                .isBetween(0.3, 2.0);
    }

    @Test
    void numbers_from_memory_do_not_last_until_time_is_up() {
        assertThat(TIME.of(plan(Contender.of(DrawMode.ADAPTIVE), 4, TIMED))).isLessThan(1);
    }

    @Test
    void a_statement_that_makes_all_rows_asks_for_each_number_in_modes_without_blocks() {
        ClosedLoop once = new ClosedLoop(1, 1);
        Setting statement = Setting.of("dsql", "").inserting(1000, Setting.Form.STATEMENT);
        RunPlan single = plan(Contender.of(DrawMode.ASYNC), 1, once, statement);
        assertThat(TIME.of(single)).isGreaterThan(2 * 1000 * 0.010);
        assertThat(TIME.of(
                        plan(Contender.of(DrawMode.BATCH), 1, once, statement).sized(65_536)))
                .isLessThan(1);
    }

    @Test
    void a_row_takes_as_long_as_a_reservation() {
        RunTime times = RunTime.on(Site.of(new InMemoryStore(), "memory:"), StoreTimes.of(0.005));
        assertThat(times.row()).isEqualTo(0.005);
        assertThat(times.setUp()).isEqualTo(0.020);
    }

    private static RunPlan plan(Contender contender, int threads, Workload workload) {
        return plan(contender, threads, workload, Setting.PLAIN);
    }

    private static RunPlan plan(Contender contender, int threads, Workload workload, Setting setting) {
        return new RunPlan(contender, threads, 200, 50, Duration.ZERO, workload, setting);
    }

    private static RunPlan rows(Contender contender, int threads, Workload workload, int rows) {
        return plan(contender, threads, workload, Setting.PLAIN.inserting(rows, Setting.Form.ROW_BY_ROW));
    }
}
