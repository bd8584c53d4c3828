// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class ClosedLoopTest {

    private final AtomicLong counter = new AtomicLong();
    private final AtomicBoolean stop = new AtomicBoolean();

    @Test
    void the_threads_together_do_all_iterations_and_no_more() {
        Measured measured = run(new ClosedLoop(1000, 100), counter::incrementAndGet, Duration.ofNanos(1));
        assertThat(measured.completed()).isEqualTo(1000);
        assertThat(measured.latencies().getTotalCount()).isEqualTo(1000);
        assertThat(measured.draws().values()).hasSize(1100);
        assertThat(counter).hasValue(1100);
    }

    @Test
    void latency_includes_the_application_transaction() {
        Measured measured = run(new ClosedLoop(40, 0), counter::incrementAndGet, Duration.ofMillis(5));
        assertThat(measured.latencies().getMinValue()).isGreaterThanOrEqualTo(4_990_000); // within its precision
    }

    @Test
    void failed_iterations_are_errors_and_in_no_other_figure() {
        Measured measured = run(
                new ClosedLoop(100, 0),
                () -> {
                    long value = counter.incrementAndGet();
                    if (value % 4 == 0) {
                        throw new IllegalStateException("out of paper");
                    }
                    return value;
                },
                Duration.ofNanos(1));
        assertThat(measured.errors()).isEqualTo(25);
        assertThat(measured.completed()).isEqualTo(75);
        assertThat(measured.latencies().getTotalCount()).isEqualTo(75);
        assertThat(measured.failure()).isEqualTo("out of paper");
    }

    @Test
    void errors_of_the_warm_up_are_forgotten() {
        Measured measured = run(
                new ClosedLoop(50, 20),
                () -> {
                    long value = counter.incrementAndGet();
                    if (value <= 20) {
                        throw new IllegalStateException("not yet");
                    }
                    return value;
                },
                Duration.ofNanos(1));
        assertThat(measured.errors()).isZero();
        assertThat(measured.completed()).isEqualTo(50);
    }

    @Test
    void draws_without_work_are_all_counted_but_only_sampled_for_time() {
        Measured measured = run(new ClosedLoop(6400, 0), counter::incrementAndGet, Duration.ZERO);
        assertThat(measured.completed()).isEqualTo(6400);
        assertThat(measured.draws().values()).hasSize(6400);
        assertThat(measured.latencies().getTotalCount()).isEqualTo(100);
    }

    @Test
    void a_stop_ends_it_early_with_what_was_measured_until_then() {
        Measured measured = run(
                new ClosedLoop(1_000_000, 0),
                () -> {
                    long value = counter.incrementAndGet();
                    if (value >= 50) { // who draws the 50th may lose the processor
                        stop.set(true);
                    }
                    return value;
                },
                Duration.ofMillis(1));
        assertThat(measured.completed()).isBetween(1L, 60L);
    }

    private Measured run(ClosedLoop loop, LongSupplier numbers, Duration work) {
        Pause pause = new Pause(stop);
        Iteration iteration = Iteration.drawing(
                numbers, work.isZero(), draw -> work.isZero() || pause.until(System.nanoTime() + work.toNanos()));
        return loop.run(4, false, iteration, stop, begun -> {});
    }
}
