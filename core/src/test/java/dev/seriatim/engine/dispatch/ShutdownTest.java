// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.engine.LoneTiming;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;

/** Closing although something in it throws. */
class ShutdownTest {

    private final LoneTiming timing = new LoneTiming();
    private final List<String> done = new ArrayList<>();
    private final ReentrantLock lock = timing.lock();
    private final Condition change = lock.newCondition();
    private Executor executor = work -> timing.execute(() -> onItsThread(work));
    private final Shutdown shutdown = new Shutdown(
            new SequenceContext(
                    "s",
                    Listeners.silent(),
                    work -> executor.execute(work),
                    timing,
                    Duration.ofMillis(400),
                    () -> done.add("closed")),
            lock,
            change);

    private void onItsThread(Runnable work) {
        try {
            work.run();
        } catch (StackOverflowError e) {
            done.add("thrown");
        }
    }

    @Test
    void a_last_call_that_throws_has_ended_and_nothing_runs_in_its_place() {
        long began = timing.now();
        shutdown.runLast(
                () -> {
                    throw new StackOverflowError();
                },
                () -> done.add("instead"),
                began + 1);
        assertThat(done).containsExactly("thrown");
        assertThat(timing.now()).isEqualTo(began);
        assertThat(timing.locked()).isFalse();
    }

    @Test
    void the_wait_for_calls_under_way_shortens_the_wait_for_the_last_call() {
        List<Runnable> held = new ArrayList<>();
        executor = held::add;
        boolean[] idle = {false};
        timing.after(Duration.ofMillis(300).toNanos(), () -> {
            lock.lock();
            try {
                idle[0] = true;
                change.signalAll();
            } finally {
                lock.unlock();
            }
        });
        long began = timing.now();
        shutdown.run(() -> () -> {}, () -> idle[0], deadline -> {
            assertThat(timing.now() - began).isEqualTo(Duration.ofMillis(300).toNanos());
            shutdown.runLast(() -> done.add("called"), () -> done.add("instead"), deadline);
        });
        assertThat(timing.now() - began).isEqualTo(Duration.ofMillis(400).toNanos());
        held.forEach(Runnable::run);
        assertThat(done).containsExactly("instead", "closed");
    }

    @Test
    void a_sequence_whose_last_step_throws_has_closed_once_all_the_same() {
        LongConsumer last = deadline -> {
            throw new StackOverflowError();
        };
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> shutdown.run(() -> () -> {}, () -> true, last))
                    .isInstanceOf(StackOverflowError.class);
        }
        assertThat(done).containsExactly("closed");
    }
}
