// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.benchmarks;

import dev.seriatim.Allocation;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.memory.InMemoryStore;
import java.time.Duration;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Sequences of this library over the in-memory store, in blocks of 1000. */
@SuppressWarnings("NullAway.Init") // JMH sets the fields
public final class Ours {

    static final int BLOCK = 1000;

    private Ours() {}

    /** One sequence shared by all threads. */
    @State(Scope.Benchmark)
    public abstract static class Shared {
        @Param({"0", "10"})
        int reservationMillis;

        public Sequence sequence;
        private StoreSequences sequences;

        abstract Allocation allocation();

        @Setup
        public void open() {
            InMemoryStore store = new InMemoryStore(Duration.ofMillis(reservationMillis));
            store.create(SequenceDefinition.named("s").cache(BLOCK).build());
            sequences = StoreSequences.of(store);
            sequence = sequences.open("s", allocation());
        }

        @TearDown
        public void close() {
            sequences.close();
        }
    }

    @State(Scope.Benchmark)
    public static class Batch extends Shared {
        @Override
        Allocation allocation() {
            return Allocation.batch(BLOCK);
        }
    }

    @State(Scope.Benchmark)
    public static class AsyncBatch extends Shared {
        @Override
        Allocation allocation() {
            return Allocation.asyncBatch(BLOCK, BLOCK / 4);
        }
    }

    /** Default settings, except that the first block is as large as those of the others. */
    @State(Scope.Benchmark)
    public static class Adaptive extends Shared {
        @Override
        Allocation allocation() {
            return Allocation.adaptive();
        }
    }

    /** A cursor per thread over the shared sequence. */
    @State(Scope.Thread)
    public static class AdaptiveCursor {
        public Sequence cursor;

        @Setup
        public void open(Adaptive shared) {
            cursor = shared.sequence.local();
        }
    }
}
