// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.benchmarks;

import me.ahoo.cosid.segment.IdSegmentDistributor;

/** The database port of CosId. Thread-safe. */
final class CosIdSource implements IdSegmentDistributor {

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
