// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.benchmarks;

import dev.seriatim.Block;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One draw of each kind, each in a fork of its own, so that every call site sees one implementation, as in an
 * application.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS) // so scores are in millions per second
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class NextBenchmark {

    private static final int MANY = 1000;

    @Benchmark
    public long atomicLong(OtherGenerators.Atomic state) {
        return state.value.getAndIncrement();
    }

    @Benchmark
    public UUID uuid() {
        return UUID.randomUUID();
    }

    @Benchmark
    public long cosIdChain(OtherGenerators.CosIdChain state) {
        return state.id.generate();
    }

    @Benchmark
    public Object hibernatePooledLo(OtherGenerators.HibernatePooledLo state) {
        return state.optimizer.generate(state.row);
    }

    @Benchmark
    public long batch(Ours.Batch state) {
        return state.sequence.next();
    }

    @Benchmark
    public long asyncBatch(Ours.AsyncBatch state) {
        return state.sequence.next();
    }

    @Benchmark
    public long adaptive(Ours.Adaptive state) {
        return state.sequence.next();
    }

    @Benchmark
    public long adaptiveLocal(Ours.AdaptiveCursor state) {
        return state.cursor.next();
    }

    @Benchmark
    public Block adaptiveMany(Ours.Adaptive state) {
        return state.sequence.next(MANY);
    }
}
