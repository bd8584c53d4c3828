// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ClosingTogetherTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    private final AtomicInteger closed = new AtomicInteger();

    @Test
    void all_are_closed_here_where_no_thread_can_start() {
        AutoCloseable counts = closed::incrementAndGet;
        Closing.together(Collections.nCopies(40, counts), LONG, work -> new Thread(work) {
            @Override
            public synchronized void start() {
                throw new OutOfMemoryError("unable to create native thread");
            }
        });
        assertThat(closed).hasValue(40);
    }

    @Test
    void all_are_closed_where_some_fail_and_one_failure_holds_the_others() {
        AutoCloseable counts = closed::incrementAndGet;
        AutoCloseable fails = () -> {
            throw new IllegalStateException("failure " + closed.incrementAndGet());
        };
        assertThatThrownBy(() -> Closing.together(List.of(fails, counts, fails, fails), LONG, Thread::new))
                .isInstanceOf(IllegalStateException.class)
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(2));
        assertThat(closed).hasValue(4);
    }

    @Test
    void a_thread_that_has_waited_itself_waits_no_second_time_for_the_others() throws Exception {
        Thread here = Thread.currentThread();
        CountDownLatch end = new CountDownLatch(1);
        AutoCloseable waits = () -> {
            if (Thread.currentThread() == here) {
                TimeUnit.MILLISECONDS.sleep(2900);
            } else {
                end.await();
            }
        };
        long began = System.nanoTime();
        Closing.together(List.of(waits, waits), Duration.ofSeconds(3), Thread::new);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
        end.countDown();
    }

    /** As an error that the JVM has prepared. */
    @Test
    void a_failure_that_comes_twice_is_thrown() {
        OutOfMemoryError prepared = new OutOfMemoryError("prepared");
        AutoCloseable fails = () -> {
            throw prepared;
        };
        assertThatThrownBy(() -> Closing.each(List.of(fails, fails))).isSameAs(prepared);
        assertThatThrownBy(() -> Closing.together(List.of(fails, fails), LONG, Thread::new))
                .isSameAs(prepared);
    }
}
