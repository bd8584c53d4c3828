// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.engine.LoneTiming;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/** Closing although something in it throws. */
class ShutdownTest {

    private final LoneTiming timing = new LoneTiming();
    private final List<String> done = new ArrayList<>();
    private final ReentrantLock lock = timing.lock();
    private final Shutdown shutdown = new Shutdown(
            new SequenceContext(
                    "s",
                    Listeners.silent(),
                    work -> timing.execute(() -> onItsThread(work)),
                    timing,
                    Duration.ofMillis(400),
                    () -> done.add("closed")),
            lock,
            lock.newCondition());

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
                () -> done.add("instead"));
        assertThat(done).containsExactly("thrown");
        assertThat(timing.now()).isEqualTo(began);
        assertThat(timing.locked()).isFalse();
    }

    @Test
    void a_sequence_whose_last_step_throws_has_closed_once_all_the_same() {
        Runnable last = () -> {
            throw new StackOverflowError();
        };
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> shutdown.run(() -> () -> {}, () -> true, last))
                    .isInstanceOf(StackOverflowError.class);
        }
        assertThat(done).containsExactly("closed");
    }
}
