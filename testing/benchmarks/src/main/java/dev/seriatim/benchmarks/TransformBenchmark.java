// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.benchmarks;

import dev.seriatim.number.NumberPattern;
import dev.seriatim.number.PermutationKey;
import dev.seriatim.number.Transform;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The cost of a transform and a pattern per number, in addition to the draw. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
@State(Scope.Thread)
public class TransformBenchmark {

    private static final long FIRST = 100_000;
    private static final long LAST = 999_999;

    private final PermutationKey key = PermutationKey.derivedFrom("benchmark");
    private final Transform reversed = Transform.bitReversed();
    private final Transform sixDigits = Transform.permuted(key, FIRST, LAST);
    private final Transform allPositive = Transform.permuted(key, 1, Long.MAX_VALUE);
    private final NumberPattern padded = NumberPattern.of("INV-{seq:6}");
    private final NumberPattern checked = NumberPattern.of("INV-{seq:6,check=mod97}");
    private long number = FIRST;

    private long next() {
        number = number == LAST ? FIRST : number + 1;
        return number;
    }

    @Benchmark
    public long plain() {
        return next();
    }

    @Benchmark
    public long bitReversed() {
        return reversed.apply(next());
    }

    @Benchmark
    public long permutedSixDigits() {
        return sixDigits.apply(next());
    }

    @Benchmark
    public long permuted63Bits() {
        return allPositive.apply(next());
    }

    @Benchmark
    public String formatted() {
        return padded.format(next());
    }

    @Benchmark
    public String formattedWithCheckDigits() {
        return checked.format(next());
    }

    @Benchmark
    public long parsed() {
        return padded.parse("INV-123456");
    }
}
