// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.Allocation;
import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceListener;
import dev.seriatim.memory.InMemorySequences;
import dev.seriatim.memory.InMemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Many instances of the library in one process, which start at once on one row. */
@Isolated("it draws at a rate that a busy machine does not keep")
class ManyInstancesTest {

    private static final int INSTANCES = 100;
    private static final double PER_SECOND = 500;
    private static final Duration LATENCY = Duration.ofMillis(10);
    private static final Duration RUN = Duration.ofSeconds(5);

    /** The row serves 100 reservations per second, so each instance must reserve at least 500 values at a time. */
    private static final double MAX_IN_HAND = 20 * PER_SECOND;

    private final LongAdder reserved = new LongAdder();
    private final LongAdder dealt = new LongAdder();

    private final SequenceListener listener = new SequenceListener() {
        @Override
        public void reserved(String sequence, Block block, Duration took) {
            reserved.add(block.count());
        }
    };

    @Test
    void instances_that_saturate_the_row_at_the_start_hold_a_few_seconds_of_values() {
        InMemoryStore store = new InMemoryStore(LATENCY);
        store.create(SequenceDefinition.named("s").build());
        List<InMemorySequences> instances = new ArrayList<>();
        List<Sequence> sequences = new ArrayList<>();
        for (int i = 0; i < INSTANCES; i++) {
            InMemorySequences instance = InMemorySequences.over(store, settings -> settings.listener(listener));
            instances.add(instance);
            sequences.add(instance.open("s", Allocation.adaptive()));
        }
        draw(sequences);
        long used = dealt.sum();
        double inHand = (double) (reserved.sum() - used) / INSTANCES;
        instances.forEach(InMemorySequences::close);
        System.out.printf(
                "%d instances at %.0f/s: %,d values dealt, %.0f reserved but not dealt in each%n",
                INSTANCES, PER_SECOND, used, inHand);
        assertThat(used).as("the rate was kept").isGreaterThan(RUN.toSeconds() * INSTANCES * 100);
        assertThat(inHand).isBetween(0.0, MAX_IN_HAND);
    }

    /** Draws at a fixed rate from all of them, without waiting for what has not arrived. */
    private void draw(List<Sequence> sequences) {
        long began = System.nanoTime();
        long each = 0;
        for (long passed = 0; passed < RUN.toNanos(); passed = System.nanoTime() - began) {
            long due = (long) (PER_SECOND * passed / TimeUnit.SECONDS.toNanos(1));
            for (; each < due; each++) {
                sequences.forEach(sequence -> sequence.nextAsync().thenRun(dealt::increment));
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }
}
