// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.trials;

import dev.seriatim.SequenceException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Threads of a process that draw in one mode, each a given number of times or until stopped, and report each draw. */
final class Crew {

    /** Receives a line that reports one draw. Thread-safe. */
    @FunctionalInterface
    interface Output {
        void line(String text);
    }

    private static final long PAUSE_AFTER_FAILURE_MILLIS = 10;

    private final TrialMode mode;
    private final Draws draws;
    private final int turns;
    private final long pauseMicros;
    private final Output output;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopped;

    Crew(TrialMode mode, Draws draws, int turns, long pauseMicros, Output output) {
        this.mode = mode;
        this.draws = draws;
        this.turns = turns;
        this.pauseMicros = pauseMicros;
        this.output = output;
    }

    void start(int size) {
        for (int i = 0; i < size; i++) {
            Thread thread = new Thread(this::work, mode + "-" + i);
            thread.setDaemon(true);
            threads.add(thread);
        }
        threads.forEach(Thread::start);
        Thread last = new Thread(this::tellTheEnd, mode + "-end");
        last.setDaemon(true);
        last.start();
    }

    void stop() {
        stopped = true;
    }

    private void work() {
        try {
            for (int drawn = 0; drawn < turns && !stopped; ) {
                if (draw()) {
                    drawn++;
                    TimeUnit.MICROSECONDS.sleep(pauseMicros);
                } else {
                    TimeUnit.MILLISECONDS.sleep(PAUSE_AFTER_FAILURE_MILLIS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean draw() throws InterruptedException {
        long began = System.nanoTime();
        try {
            long value = draws.next();
            output.line(mode + " drew " + began + " " + System.nanoTime() + " " + value);
            return true;
        } catch (InterruptedException e) {
            throw e;
        } catch (SequenceException | SQLException e) {
            tellFailure(began, e);
            return false;
        } catch (Exception e) {
            tellFailure(began, e);
            throw new IllegalStateException(e);
        }
    }

    private void tellFailure(long began, Exception e) {
        output.line(mode + " failed " + began + " " + System.nanoTime() + " "
                + e.toString().replaceAll("\\s+", " "));
    }

    private void tellTheEnd() {
        try {
            for (Thread thread : threads) {
                thread.join();
            }
            output.line(mode + " done");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
