// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import dev.seriatim.verify.worker.WorkerProcess.Lane;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Drains rings on a thread of its own and keeps what was drawn. */
final class RingPump {

    private static final long PAUSE_NANOS = 200_000;

    /** What was drawn with one generator. */
    static final class Drawn {
        final Set<Long> numbers = new HashSet<>();
        final Set<Long> unsure = new HashSet<>();
        long repeated;
        long failed;
    }

    private final Queue<Lane> lanes = new ConcurrentLinkedQueue<>();
    private final Map<String, Drawn> drawn = new HashMap<>();
    private final Thread thread = new Thread(this::run, "ring-pump");
    private volatile boolean closed;

    RingPump() {
        thread.start();
    }

    void add(Lane lane) {
        lanes.add(lane);
    }

    private void run() {
        while (!closed) {
            synchronized (drawn) {
                for (Iterator<Lane> each = lanes.iterator(); each.hasNext(); ) {
                    Lane lane = each.next();
                    if (drain(lane) == Long.MAX_VALUE) {
                        each.remove();
                    }
                }
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private long drain(Lane lane) {
        Drawn of = drawn.computeIfAbsent(lane.generator(), generator -> new Drawn());
        return lane.ring().drain((kind, began, returned, first, count) -> {
            switch (kind) {
                case DREW -> {
                    for (long number = first; number < first + count; number++) {
                        of.repeated += of.numbers.add(number) ? 0 : 1;
                    }
                }
                case UNSURE -> of.unsure.add(first);
                case FAILED, UNAVAILABLE -> of.failed++;
                case COMMITTING -> {}
            }
        });
    }

    /** Waits until something is true of what was drawn. */
    void await(BooleanSupplier reached) throws InterruptedException {
        while (!ask(reached)) {
            Thread.sleep(1);
        }
    }

    private boolean ask(BooleanSupplier question) {
        synchronized (drawn) {
            return question.getAsBoolean();
        }
    }

    /** Waits until every lane has ended and all its reports are taken. */
    void awaitEnd() throws InterruptedException {
        await(lanes::isEmpty);
    }

    /** Returns what was drawn; look at it only inside {@link #await}, or after {@link #awaitEnd}. */
    Drawn of(String generator) {
        return drawn.getOrDefault(generator, new Drawn());
    }

    /** Returns the fewest numbers that one of these generators has drawn. */
    long fewest(Iterable<String> generators) {
        long fewest = Long.MAX_VALUE;
        for (String generator : generators) {
            fewest = Math.min(fewest, of(generator).numbers.size());
        }
        return fewest;
    }

    void end() throws InterruptedException {
        closed = true;
        thread.join();
    }
}
