// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.line;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.engine.dispatch.Timing;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** How long a caller's thread yields to others before it reads. */
class LingerTest {

    private final List<Long> yields = new ArrayList<>();
    private final Linger linger = new Linger(new ReentrantLock().newCondition());
    private int arrivals;

    /** A thread that yields until it may go on, one caller arriving at a time. */
    private final Timing timing = new Timing() {
        @Override
        public void yieldUntil(BooleanSupplier done, long nanos) {
            yields.add(nanos);
            while (!done.getAsBoolean() && arrivals < 10) {
                linger.arrived(++arrivals);
            }
        }
    };

    private void yieldsAfter(int callers, long tookNanos) {
        linger.ended(callers, tookNanos);
        linger.yieldToCallers(timing);
    }

    @Test
    void it_yields_until_as_many_wait_as_were_served_last() {
        yieldsAfter(3, 20_000);
        assertThat(arrivals).isEqualTo(3);
    }

    @Test
    void it_yields_for_half_of_what_the_last_request_took_and_50_microseconds_at_most() {
        yieldsAfter(2, 20_000);
        yieldsAfter(2, 100_000);
        yieldsAfter(2, 200_000);
        assertThat(yields).containsExactly(10_000L, 50_000L, 50_000L);
    }

    @Test
    void a_caller_that_was_alone_does_not_yield() {
        yieldsAfter(1, 20_000);
        assertThat(yields).isEmpty();
    }

    @Test
    void before_a_slow_request_it_does_not_yield_since_that_waits_with_the_lock() {
        yieldsAfter(3, 799_999);
        yieldsAfter(3, 800_000);
        assertThat(yields).hasSize(1);
    }
}
