// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.benchmarks;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
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
    public abstract static class OverRow {
        @Param({"0", "10"})
        int reservationMillis;

        public Row row;

        @Setup
        public void open() {
            row = new Row(reservationMillis);
            open(row);
        }

        abstract void open(Row source);
    }

    @State(Scope.Benchmark)
    public static class CosIdChain extends OverRow {
        public SegmentChainId id;

        @Override
        void open(Row source) {
            id = new SegmentChainId(source);
        }
    }

    @State(Scope.Benchmark)
    public static class HibernatePooledLo extends OverRow {
        public PooledLoOptimizer optimizer;

        @Override
        void open(Row source) {
            optimizer = new PooledLoOptimizer(Long.class, Ours.BLOCK);
        }
    }

    /**
     * The row that the baselines reserve from: locked for its latency, like that of our in-memory store. The database
     * port of CosId and of Hibernate. Thread-safe.
     */
    public static final class Row extends IdSegmentDistributor.Atomic implements AccessCallback {

        private final ReentrantLock lock = new ReentrantLock(true);
        private final long latencyNanos;

        Row(long latencyMillis) {
            super(Ours.BLOCK);
            latencyNanos = TimeUnit.MILLISECONDS.toNanos(latencyMillis);
        }

        @Override
        public long nextMaxId(long amount) {
            lock.lock();
            try {
                long end = System.nanoTime() + latencyNanos;
                for (long left = latencyNanos; left > 0; left = end - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                return super.nextMaxId(amount);
            } finally {
                lock.unlock();
            }
        }

        /** Returns the low end of the next block. */
        @Override
        public IntegralDataTypeHolder getNextValue() {
            return IdentifierGeneratorHelper.getIntegralDataTypeHolder(Long.class)
                    .initialize(nextMaxId(Ours.BLOCK) - Ours.BLOCK + 1);
        }

        @Override
        public @Nullable String getTenantIdentifier() {
            return null;
        }
    }
}
