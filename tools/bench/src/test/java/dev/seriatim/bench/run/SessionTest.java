// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.bench.load.ClosedLoop;
import dev.seriatim.bench.load.Pause;
import dev.seriatim.bench.load.Site;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.cli.terminal.ExitCode;
import dev.seriatim.memory.InMemoryStore;
import dev.seriatim.memory.InMemoryTransaction;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.Reservation;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class SessionTest {

    private final AtomicBoolean stop = new AtomicBoolean();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void every_mode_keeps_its_promises_and_leaves_nothing_behind() {
        InMemoryStore store = new InMemoryStore();
        store.create(SequenceDefinition.of("orders"));
        int code = run(store, Contender.MODES.stream().map(SessionTest::plan).toList());
        assertThat(code).isZero();
        assertThat(store.list()).singleElement().satisfies(state -> {
            assertThat(state.definition().name()).isEqualTo("orders");
            assertThat(state.nextValue()).isEqualTo(1);
        });
    }

    @Test
    void a_store_that_deals_a_value_twice_is_found_out() {
        int code = run(new Repeating(), List.of(plan(Contender.of(DrawMode.SYNC))));
        assertThat(code).isEqualTo(ExitCode.WRONG_NUMBERS);
        assertThat(err.toString())
                .contains("SYNC, 4 threads: ")
                .contains("duplicates")
                .contains("order violations")
                .contains("gaps");
    }

    @Test
    void a_store_that_skips_values_is_found_out() {
        int code = run(new Skipping(), List.of(plan(Contender.of(DrawMode.SYNC))));
        assertThat(code).isEqualTo(ExitCode.WRONG_NUMBERS);
        assertThat(err.toString()).contains("gaps").doesNotContain("duplicates");
    }

    @Test
    void a_run_in_which_every_iteration_failed_is_no_success() {
        RunPlan plan = plan(Contender.of(DrawMode.SYNC));
        int code = run(new Failing(), List.of(plan));
        assertThat(code).isEqualTo(1);
        assertThat(err.toString()).contains("every iteration failed: ").contains("out of order");
        assertThat(out.toString()).contains("Errors: 100, the first: ").contains("out of order");
    }

    @Test
    void what_a_failed_run_has_made_is_dropped() {
        Failing store = new Failing();
        store.failsOutside = true;
        assertThatThrownBy(() -> run(store, List.of(plan(Contender.of(DrawMode.SYNC)))))
                .isInstanceOf(SequenceException.Unavailable.class);
        assertThat(store.list()).isEmpty();
    }

    @Test
    void a_mode_that_the_store_does_not_offer_is_named_with_the_reason() {
        int code = run(
                withoutTransactions(),
                List.of(
                        plan(Contender.of(DrawMode.SYNC)),
                        plan(Contender.of(DrawMode.CONFIRMED)),
                        plan(Contender.of(DrawMode.BATCH))));
        assertThat(code).isZero();
        assertThat(out.toString())
                .contains("SYNC: not offered by this store: it has no transactions")
                .contains("CONFIRMED: not offered by this store: its reads do not show every earlier reservation")
                .contains("BATCH, batch size 200\n");
    }

    @Test
    void a_run_that_goes_beyond_the_limit_has_the_store_measured_again() {
        Thawing store = new Thawing();
        RunPlan plan = new RunPlan(
                Contender.of(DrawMode.ASYNC), 1, 200, 50, Duration.ZERO, new ClosedLoop(500, 100), Setting.PLAIN);
        store.slow = true;
        PlanRunner runner = new PlanRunner(Site.of(store, "memory:"), stop);
        double cold = runner.calls().fastest().reservation();
        assertThat(cold).isGreaterThan(0.002);
        store.slow = false;
        RunResult result = runner.run(plan, "thawed");
        assertThat(runner.calls().fastest().reservation()).isLessThan(cold / 2);
        assertThat(limitRatio(result)).isBetween(0.0, 1.0);
        assertThat(runner.calls().usual().reservation())
                .as("what it took at first")
                .isGreaterThanOrEqualTo(cold);
        assertThat(store.list()).isEmpty();
    }

    @Test
    void no_mode_goes_beyond_its_limit() {
        PlanRunner runner =
                new PlanRunner(Site.of(new InMemoryStore(Duration.ofMillis(2), Duration.ofMillis(1)), "memory:"), stop);
        for (Contender mode : Contender.MODES) {
            RunPlan plan = new RunPlan(mode, 4, 200, 50, Duration.ofMillis(1), new ClosedLoop(200, 50), Setting.PLAIN);
            RunResult result = runner.run(plan, mode.name());
            assertThat(limitRatio(result)).as(mode.name()).isBetween(0.1, 1.0);
        }
    }

    @Test
    void a_stop_ends_the_session_with_a_report() {
        RunPlan endless = new RunPlan(
                Contender.of(DrawMode.ADAPTIVE),
                4,
                200,
                50,
                Duration.ofMillis(1),
                new ClosedLoop(10_000_000, 0),
                Setting.PLAIN);
        InMemoryStore store = new InMemoryStore();
        PlanRunner runner = new PlanRunner(Site.of(store, "memory:"), stop);
        Thread interrupter = new Thread(() -> {
            Pause pause = new Pause(new AtomicBoolean());
            do {
                pause.until(System.nanoTime() + 300_000_000);
            } while (store.list().stream().noneMatch(sequence -> sequence.nextValue() > 1000));
            stop.set(true);
        });
        interrupter.start();
        int code = run(runner, List.of(endless, endless));
        assertThat(code).isZero();
        assertThat(out.toString().lines().filter(line -> line.matches("ADAPTIVE +4 .*")))
                .hasSize(1);
        assertThat(err.toString()).contains("interrupted");
        assertThat(store.list()).isEmpty();
    }

    @Test
    void what_the_checks_of_any_round_found_is_reported_and_not_that_of_the_median_alone() {
        OpenStore store = new Repeating();
        Site site = Site.of(store, "memory:");
        Session session = new Session(
                new PlanRunner(site, stop),
                stop,
                new TextReport(new PrintWriter(out)),
                new PrintWriter(err, true),
                "seriatim bench");
        session.run(List.of(new PlannedComparison(List.of(plan(Contender.of(DrawMode.SYNC))), 3, false)));
        long once = err.toString()
                .lines()
                .filter(line -> line.contains(" duplicates"))
                .mapToLong(line -> Long.parseLong(line.replaceAll(".*: (\\d+) duplicates.*", "$1")))
                .max()
                .orElseThrow();
        assertThat(session.measurements().runs().get(0).duplicates()).isGreaterThan(2 * once);
    }

    @Test
    void a_store_that_offers_none_of_the_runs_is_an_error() {
        Site site = Site.of(new InMemoryStore(), "memory:");
        int code = new Session(
                        new PlanRunner(site, stop),
                        stop,
                        new TextReport(new PrintWriter(out)),
                        new PrintWriter(err, true),
                        "seriatim bench")
                .run(List.of(new PlannedComparison(
                        List.of(new RunPlan(
                                Contender.NATIVE, 1, 10, 5, Duration.ZERO, new ClosedLoop(1, 0), Setting.PLAIN)),
                        1,
                        false)));
        assertThat(code).isEqualTo(1);
        assertThat(err.toString())
                .isEqualTo("seriatim: memory offers none of these runs: no native sequences;"
                        + " name another --store, --mode or --scenario\n");
    }

    @Test
    void rounds_are_announced_with_what_comes_of_them() {
        Site site = Site.of(new InMemoryStore(), "memory:");
        new Session(
                        new PlanRunner(site, stop),
                        stop,
                        new TextReport(new PrintWriter(out)),
                        new PrintWriter(err, true),
                        "seriatim bench")
                .run(List.of(new PlannedComparison(
                        List.of(plan(Contender.of(DrawMode.SYNC)), plan(Contender.of(DrawMode.ASYNC))), 3, true)));
        assertThat(err.toString().lines())
                .containsExactly(
                        "seriatim: 8 runs on memory, about 1 s",
                        "seriatim: 2 results in the report, each the median of its rounds; 2 of the runs are warm-up and do",
                        "  not count");
        assertThat(out.toString()).contains("2 results from 6 runs, 2 of them ordered and 1 gapless: ");
        assertThat(out.toString().lines().limit(3))
                .satisfiesExactly(
                        line -> assertThat(line)
                                .matches("mode +threads +values/s +of limit +rounds +p50 ms +p90 ms +p99 ms +max ms"),
                        line -> assertThat(line).matches("SYNC +4 +[\\d,.]+ +[\\d.]+ +[±>]\\d+%( +[\\d,.]+){4}"),
                        line -> assertThat(line).matches("ASYNC +4 +[\\d,.]+ +[\\d.]+ +[±>]\\d+%( +[\\d,.]+){4}"));
    }

    private static double limitRatio(RunResult result) {
        return result.valuesPerSecond() / Objects.requireNonNull(result.limitPerSecond());
    }

    private int run(OpenStore store, List<RunPlan> plans) {
        return run(new PlanRunner(Site.of(store, "memory:"), stop), plans);
    }

    private int run(PlanRunner runner, List<RunPlan> plans) {
        TextReport report = new TextReport(new PrintWriter(out));
        PrintWriter errors = new PrintWriter(err, true);
        return new Session(runner, stop, report, errors, "seriatim bench")
                .run(plans.stream()
                        .map(plan -> new PlannedComparison(List.of(plan), 1, false))
                        .toList());
    }

    private static RunPlan plan(Contender mode) {
        return new RunPlan(mode, 4, 200, 50, Duration.ofNanos(1000), new ClosedLoop(100, 20), Setting.PLAIN);
    }

    private static OpenStore withoutTransactions() {
        InMemoryStore store = new InMemoryStore();
        return (OpenStore) java.lang.reflect.Proxy.newProxyInstance(
                SessionTest.class.getClassLoader(),
                new Class<?>[] {OpenStore.class},
                (proxy, method, args) -> method.invoke(store, args));
    }

    /** Deals a value of two rounds ago again, now and then. */
    private static final class Repeating extends FlawedStore {
        @Override
        public Reservation reserve(InMemoryTransaction transaction, String name, long count) {
            Reservation honest = super.reserve(transaction, name, count);
            long value = honest.block().first();
            return value % 10 == 9
                    ? new Reservation(new Block(value - 8, 1, 1), honest.definition(), honest.epoch())
                    : honest;
        }
    }

    /** Grows faster as it warms up. */
    private static final class Thawing extends FlawedStore {
        volatile boolean slow;

        @Override
        public Reservation reserve(String name, long count) {
            if (slow) {
                LockSupport.parkNanos(3_000_000);
            }
            return super.reserve(name, count);
        }
    }

    /** Takes another value now and then, for nobody. */
    private static final class Skipping extends FlawedStore {
        @Override
        public Reservation reserve(InMemoryTransaction transaction, String name, long count) {
            Reservation first = super.reserve(transaction, name, count);
            return first.block().first() % 10 == 0 ? super.reserve(transaction, name, count) : first;
        }
    }

    /** Fails in transactions, and if told so, when asked how a sequence stands. */
    private static final class Failing extends FlawedStore {
        private final AtomicLong asked = new AtomicLong();
        boolean failsOutside;

        @Override
        public Reservation reserve(InMemoryTransaction transaction, String name, long count) {
            throw new SequenceException.Unavailable(name, "out of order, call " + asked.incrementAndGet(), null);
        }

        @Override
        public dev.seriatim.store.SequenceState describe(String name) {
            if (failsOutside) {
                throw new SequenceException.Unavailable(name, "out of order", null);
            }
            return super.describe(name);
        }
    }
}
