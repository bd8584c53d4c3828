// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.benchmarks;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import me.ahoo.cosid.segment.DefaultSegmentId;
import me.ahoo.cosid.segment.IdSegmentDistributor;
import me.ahoo.cosid.segment.SegmentChainId;
import org.hibernate.id.IdentifierGeneratorHelper;
import org.hibernate.id.IntegralDataTypeHolder;
import org.hibernate.id.enhanced.AccessCallback;
import org.hibernate.id.enhanced.PooledLoOptimizer;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Baselines from other libraries, with blocks of the same size from a source of the same latency. */
@SuppressWarnings("NullAway.Init") // JMH sets the fields
public final class OtherGenerators {

    private OtherGenerators() {}

    /** A single atomic increment, the upper limit for anything that is ordered within a process. */
    @State(Scope.Benchmark)
    public static class Atomic {
        public final AtomicLong value = new AtomicLong();
    }

    @State(Scope.Benchmark)
    public static class CosIdSegment {
        @Param({"0", "10"})
        int reservationMillis;

        public DefaultSegmentId id;

        @Setup
        public void open() {
            id = new DefaultSegmentId(new CosIdSource(Ours.BLOCK, reservationMillis));
        }
    }

    @State(Scope.Benchmark)
    public static class CosIdChain {
        @Param({"0", "10"})
        int reservationMillis;

        public SegmentChainId id;

        @Setup
        public void open() {
            id = new SegmentChainId(new CosIdSource(Ours.BLOCK, reservationMillis));
        }
    }

    @State(Scope.Benchmark)
    public static class HibernatePooledLo {
        @Param({"0", "10"})
        int reservationMillis;

        public PooledLoOptimizer optimizer;
        public HibernateSource source;

        @Setup
        public void open() {
            optimizer = new PooledLoOptimizer(Long.class, Ours.BLOCK);
            source = new HibernateSource(Ours.BLOCK, reservationMillis);
        }
    }

    /** The row that the baselines reserve from: locked for its latency, like that of our in-memory store. Thread-safe. */
    private static final class Counter {

        private final ReentrantLock row = new ReentrantLock(true);
        private final long latencyNanos;
        private long value;

        Counter(long latencyMillis) {
            latencyNanos = TimeUnit.MILLISECONDS.toNanos(latencyMillis);
        }

        long addAndGet(long step) {
            row.lock();
            try {
                long end = System.nanoTime() + latencyNanos;
                for (long left = latencyNanos; left > 0; left = end - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                value += step;
                return value;
            } finally {
                row.unlock();
            }
        }
    }

    /** The database port of CosId. Thread-safe. */
    private static final class CosIdSource implements IdSegmentDistributor {

        private final Counter counter;
        private final long step;

        CosIdSource(long step, long latencyMillis) {
            this.step = step;
            this.counter = new Counter(latencyMillis);
        }

        @Override
        public String getNamespace() {
            return "benchmark";
        }

        @Override
        public String getName() {
            return "s";
        }

        @Override
        public long getStep() {
            return step;
        }

        @Override
        public long nextMaxId(long amount) {
            return counter.addAndGet(amount);
        }
    }

    /** The database port of Hibernate: returns the low end of the next block. Thread-safe. */
    public static final class HibernateSource implements AccessCallback {

        private final Counter counter;
        private final long step;

        HibernateSource(long step, long latencyMillis) {
            this.step = step;
            this.counter = new Counter(latencyMillis);
        }

        @Override
        public IntegralDataTypeHolder getNextValue() {
            return IdentifierGeneratorHelper.getIntegralDataTypeHolder(Long.class)
                    .initialize(counter.addAndGet(step) - step + 1);
        }

        @Override
        public @Nullable String getTenantIdentifier() {
            return null;
        }
    }
}
