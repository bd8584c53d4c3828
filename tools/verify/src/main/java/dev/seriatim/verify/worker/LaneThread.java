// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.worker;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Takes turns until it is stopped. */
final class LaneThread extends Thread {

    private static final long SHORTEST_REST_MILLIS = 5;
    private static final long LONGEST_REST_MILLIS = 200;

    private final LaneOrder order;
    private final LaneDraws draws;
    final LaneLog log;
    private final DrawFailures failures;
    private final Consumer<Error> onError;

    private volatile boolean stopping;
    private long restAfterFailure = SHORTEST_REST_MILLIS;

    LaneThread(LaneOrder order, LaneDraws draws, LaneLog log, DrawFailures failures, Consumer<Error> onError) {
        super("lane-" + order.generator());
        setDaemon(true);
        this.order = order;
        this.draws = draws;
        this.log = log;
        this.failures = failures;
        this.onError = onError;
    }

    /** Returns at once; the thread ends after its turn. */
    void stopSoon() {
        stopping = true;
    }

    @Override
    public void run() {
        try {
            log.ring.resume();
            takeTurns();
        } catch (InterruptedException e) {
            // no code interrupts it
        } catch (Error e) {
            onError.accept(e);
        } finally {
            log.ring.end();
        }
    }

    private void takeTurns() throws InterruptedException {
        long interval = order.pace() == 0 ? 0 : TimeUnit.SECONDS.toNanos(1) / order.pace();
        long due = System.nanoTime();
        while (!stopping) {
            takeTurn();
            if (interval > 0) {
                due += interval;
                long millis = TimeUnit.NANOSECONDS.toMillis(due - System.nanoTime());
                if (millis > 0) {
                    log.rest(millis);
                } else if (millis < -TimeUnit.SECONDS.toMillis(1)) {
                    due = System.nanoTime(); // missed turns are not made up for
                }
            }
        }
    }

    private void takeTurn() throws InterruptedException {
        try {
            draws.turn(log);
            restAfterFailure = SHORTEST_REST_MILLIS;
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            log.failed(failures.add(order.generator(), e));
            log.rest(restAfterFailure);
            restAfterFailure = Math.min(2 * restAfterFailure, LONGEST_REST_MILLIS);
        }
    }
}
