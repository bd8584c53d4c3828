// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.benchmarks;

import java.util.concurrent.atomic.AtomicLong;
import me.ahoo.cosid.segment.DefaultSegmentId;
import me.ahoo.cosid.segment.SegmentChainId;
import org.hibernate.id.enhanced.PooledLoOptimizer;
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
}
