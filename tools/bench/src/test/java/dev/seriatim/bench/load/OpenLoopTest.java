// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class OpenLoopTest {

    private static final long MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);

    @Test
    void arrivals_come_at_even_distances() {
        OpenLoop loop = new OpenLoop(4000, 1, Duration.ofSeconds(1), 0);
        assertThat(loop.total()).isEqualTo(4000);
        assertThat(loop.due(0)).isZero();
        assertThat(loop.due(1)).isEqualTo(250_000);
        assertThat(loop.due(3999)).isEqualTo(999_750_000);
    }

    @Test
    void bursts_come_together_at_the_same_average_rate() {
        OpenLoop loop = new OpenLoop(5000, 160, Duration.ofSeconds(1), 0);
        assertThat(loop.due(159)).isZero();
        assertThat(loop.due(160)).isEqualTo(32 * MILLISECOND);
        assertThat(loop.due(319)).isEqualTo(32 * MILLISECOND);
    }

    @Test
    void a_stall_is_felt_by_all_who_arrive_during_it() {
        AtomicLong counter = new AtomicLong();
        OpenLoop loop = new OpenLoop(1000, 1, Duration.ofMillis(300), 0);
        Measured measured = run(loop, () -> {
            long value = counter.incrementAndGet();
            if (value == 100) {
                sleep(100);
            }
            return value;
        });
        assertThat(measured.completed()).isEqualTo(300);
        long delayed = 300 - measured.latencies().getCountBetweenValues(0, 10 * MILLISECOND);
        assertThat(delayed).as("with coordinated omission it would be one").isGreaterThan(80);
    }

    @Test
    void arrivals_of_the_warm_up_are_not_recorded() {
        AtomicLong counter = new AtomicLong();
        Measured measured = run(new OpenLoop(1000, 1, Duration.ofMillis(100), 50), counter::incrementAndGet);
        assertThat(measured.completed()).isEqualTo(100);
        assertThat(measured.draws().values()).hasSize(150);
    }

    private static Measured run(OpenLoop loop, java.util.function.LongSupplier numbers) {
        AtomicBoolean stop = new AtomicBoolean();
        return loop.run(1, false, Iteration.drawing(numbers, true, draw -> true), stop, begun -> {});
    }

    private static void sleep(long millis) {
        long end = System.nanoTime() + millis * MILLISECOND;
        while (end - System.nanoTime() > 0) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }
}
