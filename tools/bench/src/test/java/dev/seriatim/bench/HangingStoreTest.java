// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.Allocation;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.memory.InMemoryStore;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** A store that hangs for 1 s and then fails, for 4 s, with 16 callers in every mode that deals from blocks. */
@Timeout(60)
@Tag("long")
@Isolated("it measures how long others wait")
class HangingStoreTest {

    private static final int CALLERS = 16;
    private static final Duration PATIENCE = Duration.ofMillis(500);
    /** For a machine that is busy with other things; where waits add up, it is seconds. */
    private static final Duration SLACK = Duration.ofMillis(250);

    private static final Duration BEFORE = Duration.ofMillis(300);
    private static final Duration OUTAGE = Duration.ofSeconds(4);
    private static final Duration HANG = Duration.ofSeconds(1);
    private static final Duration AFTER = Duration.ofSeconds(2);

    @Test
    void nobody_waits_longer_than_asked_what_is_left_is_dealt_and_all_recover_by_themselves() throws Exception {
        List<Allocation> modes =
                List.of(Allocation.batch(1000), Allocation.asyncBatch(1000, 250), Allocation.adaptive(1000, 1000));
        ExecutorService experiments = Executors.newCachedThreadPool();
        try {
            List<Callable<Outcome>> all = new ArrayList<>();
            modes.forEach(mode -> all.add(() -> new Experiment(mode).run()));
            for (Future<Outcome> outcome : experiments.invokeAll(all)) {
                outcome.get().check();
            }
        } finally {
            experiments.shutdownNow();
        }
    }

    private record Outcome(
            Allocation mode, long longestNanos, long reserved, long dealtByEndOfOutage, long failures, long recovered) {

        void check() {
            assertThat(Duration.ofNanos(longestNanos))
                    .as("longest wait in %s", mode)
                    .isLessThan(PATIENCE.plus(SLACK));
            assertThat(dealtByEndOfOutage)
                    .as("dealt of what was reserved before the outage, in %s", mode)
                    .isEqualTo(reserved);
            assertThat(failures).as("failures in %s", mode).isPositive();
            assertThat(recovered)
                    .as("callers that were served again in %s", mode)
                    .isEqualTo(CALLERS);
        }
    }

    private static final class Experiment {
        private final Allocation mode;
        private final HangingStore store = new HangingStore();
        private final long began = System.nanoTime();
        private final AtomicLong longest = new AtomicLong();
        private final AtomicLong dealt = new AtomicLong();
        private final AtomicLong failures = new AtomicLong();
        private final ConcurrentLinkedQueue<Integer> recovered = new ConcurrentLinkedQueue<>();

        Experiment(Allocation mode) {
            this.mode = mode;
        }

        Outcome run() throws InterruptedException {
            ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
            try (StoreSequences sequences =
                    StoreSequences.builder(store).patience(PATIENCE).build()) {
                Sequence sequence = sequences.open("s", mode);
                for (int i = 0; i < CALLERS; i++) {
                    int caller = i;
                    callers.execute(() -> draw(sequence, caller));
                }
                sleep(BEFORE);
                store.outage(OUTAGE);
                sleep(OUTAGE.minusMillis(500));
                long dealtByEnd = dealt.get();
                long reserved = store.reserved.get();
                callers.shutdown();
                assertThat(callers.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
                return new Outcome(mode, longest.get(), reserved, dealtByEnd, failures.get(), recovered.size());
            } finally {
                callers.shutdownNow();
            }
        }

        /** About 1600 values per second all together, so that a block lasts for more than half a second. */
        private void draw(Sequence sequence, int caller) {
            long end = began + BEFORE.plus(OUTAGE).plus(AFTER).toNanos();
            boolean last = false;
            while (System.nanoTime() < end) {
                long asked = System.nanoTime();
                try {
                    sequence.next();
                    dealt.incrementAndGet();
                    last = true;
                } catch (SequenceException e) {
                    failures.incrementAndGet();
                    last = false;
                }
                long took = System.nanoTime() - asked;
                longest.accumulateAndGet(took, Math::max);
                sleep(Duration.ofMillis(10));
            }
            if (last) {
                recovered.add(caller);
            }
        }
    }

    /** Hangs and then fails during an outage. */
    private static final class HangingStore implements SequenceStore {
        final AtomicLong reserved = new AtomicLong();
        private final InMemoryStore behind = new InMemoryStore(Duration.ofMillis(10));
        private volatile long outageEnds = System.nanoTime();

        HangingStore() {
            behind.create(SequenceDefinition.named("s").cache(1000).build());
        }

        void outage(Duration duration) {
            outageEnds = System.nanoTime() + duration.toNanos();
        }

        @Override
        public Reservation reserve(String name, long count) {
            if (outageEnds - System.nanoTime() > 0) {
                sleep(HANG);
                throw new SequenceException.Unavailable(name, "the line went dead", null);
            }
            Reservation reservation = behind.reserve(name, count);
            reserved.addAndGet(reservation.block().count());
            return reservation;
        }
    }

    private static void sleep(Duration duration) {
        long end = System.nanoTime() + duration.toNanos();
        for (long left = duration.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
