// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import dev.seriatim.Allocation;
import dev.seriatim.Sequence;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.verify.worker.LaneDraws;
import dev.seriatim.verify.worker.LaneLog;
import dev.seriatim.verify.worker.LaneOrder;
import dev.seriatim.verify.worker.WorkerProgram;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** The program of a process that draws in CONFIRMED in bursts, with pauses, so that it is sometimes the only one. */
final class BurstProgram {

    static final String GENERATOR = "BURSTS";

    private BurstProgram() {}

    public static void main(String[] arguments) {
        WorkerProgram.run(name -> name.equals(GENERATOR)
                ? Optional.of((store, order, listener) -> new Bursts(
                        StoreSequences.builder(store)
                                .giveBackOnClose(true)
                                .patience(Duration.ofSeconds(20))
                                .listener(listener)
                                .build(),
                        order))
                : Optional.empty());
    }

    /** Between bursts, closes the sequence, which gives back what it holds, and opens it anew. Thread-safe. */
    private static final class Bursts implements LaneDraws {

        private final StoreSequences sequences;
        private final String name;
        private final ReentrantReadWriteLock use = new ReentrantReadWriteLock();
        private final AtomicBoolean pausing = new AtomicBoolean();
        private volatile long burstEnds = endOfBurst();
        private Sequence sequence;

        Bursts(StoreSequences sequences, LaneOrder order) {
            this.sequences = sequences;
            name = order.sequence();
            sequence = opened();
        }

        private Sequence opened() {
            return sequences.open(name, Allocation.confirmed());
        }

        private static long endOfBurst() {
            return System.nanoTime()
                    + TimeUnit.MILLISECONDS.toNanos(ThreadLocalRandom.current().nextInt(100, 900));
        }

        @Override
        public void turn(LaneLog log) throws InterruptedException {
            if (System.nanoTime() - burstEnds > 0 && pausing.compareAndSet(false, true)) {
                pause(log);
            }
            use.readLock().lock();
            try {
                log.begin();
                log.drew(sequence.next(), 1);
            } finally {
                use.readLock().unlock();
            }
        }

        private void pause(LaneLog log) throws InterruptedException {
            use.writeLock().lock();
            try {
                sequence.close();
                sequence = opened();
                log.waitAndBegin(ThreadLocalRandom.current().nextInt(400));
            } finally {
                burstEnds = endOfBurst();
                pausing.set(false);
                use.writeLock().unlock();
            }
        }

        @Override
        public void close() {
            sequences.close();
        }
    }
}
