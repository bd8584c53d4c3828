// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.bench.load.ClosedLoop;
import dev.seriatim.bench.load.Extent;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.time.Duration;

/** Serializes a plan of a closed loop without rows, for another process. */
final class PlanText {

    private PlanText() {}

    static void write(RunPlan plan, DataOutput to) throws IOException {
        if (!(plan.workload() instanceof ClosedLoop loop)
                || plan.setting().use().insertsRows()) {
            throw new IllegalStateException(plan.fullTitle() + " cannot be run in two processes");
        }
        to.writeUTF(plan.mode().name());
        to.writeInt(plan.threads());
        to.writeLong(plan.batchSize());
        to.writeLong(plan.lowWaterMark());
        to.writeLong(plan.appLatencyNanos());
        write(loop.measured(), to);
        write(loop.warmUp(), to);
    }

    static RunPlan read(DataInput from) throws IOException {
        return new RunPlan(
                new ContenderName().convert(from.readUTF()),
                from.readInt(),
                from.readLong(),
                from.readLong(),
                Duration.ofNanos(from.readLong()),
                new ClosedLoop(extent(from), extent(from)));
    }

    private static void write(Extent extent, DataOutput to) throws IOException {
        to.writeLong(extent.iterations());
        to.writeLong(extent.time().toNanos());
    }

    private static Extent extent(DataInput from) throws IOException {
        return new Extent(from.readLong(), Duration.ofNanos(from.readLong()));
    }
}
