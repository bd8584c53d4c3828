// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.bench;

import dev.seriatim.Block;
import dev.seriatim.OpenStore;
import dev.seriatim.PoolState;
import dev.seriatim.PoolingStore;
import dev.seriatim.Sequences;
import dev.seriatim.UnorderedStore;
import dev.seriatim.cli.Progress;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * Runs plans on one store, each on a sequence of its own that is dropped afterwards, whatever happens. Thread-safe.
 */
final class Laboratory {

    private final OpenStore store;
    private final StopSignal stop;
    private final boolean insertRows;
    private final long reservationNanos;

    /** Measures the store's reservation latency first; with {@code insertRows}, each number becomes a row of a table. */
    Laboratory(OpenStore store, StopSignal stop, boolean insertRows) {
        this.insertRows = insertRows;
        this.store = store;
        this.stop = stop;
        this.reservationNanos = ReservationLatency.of(store);
    }

    OpenStore store() {
        return store;
    }

    long reservationNanos() {
        return reservationNanos;
    }

    /** About how long a plan takes, in seconds. */
    double estimateSeconds(RunPlan plan) {
        return plan.workload().estimateSeconds(plan.limitPerSecond(reservationNanos));
    }

    /** Runs one plan, and shows how far it has come. */
    @SuppressWarnings("try") // the progress shows itself
    RunResult run(RunPlan plan) {
        AtomicLong begun = new AtomicLong();
        try (Progress watched =
                Progress.start(plan.fullTitle(), begun::get, plan.workload().total())) {
            return run(plan, begun::set);
        }
    }

    private RunResult run(RunPlan plan, LongConsumer begun) {
        SimulatedWork work = new SimulatedWork(plan.appLatencyNanos(), new Pause(stop));
        if (!insertRows) {
            return run(plan, begun, work, Optional::empty);
        }
        try (ScratchTable table = ScratchTable.in(store)) {
            return run(plan, begun, table.rows(work), () -> Optional.of(table.numbers()));
        }
    }

    private RunResult run(
            RunPlan plan, LongConsumer begun, Application application, Supplier<Optional<long[]>> committed) {
        try (ScratchSequence scratch = ScratchSequence.in(store)) {
            Measured measured = measured(plan, begun, application, scratch.name());
            long next = scratch.next();
            SelfCheck check = SelfCheck.of(
                    plan.mode(), measured.draws(), committed.get(), laidOut(scratch.name()), scratch.start(), next);
            boolean ordered = !(store instanceof UnorderedStore);
            return result(plan, measured, ordered ? check : check.withoutOrder(), next - scratch.start());
        }
    }

    /** When this returns nothing is reserved in the background any more, so that what is read next belongs together. */
    private Measured measured(RunPlan plan, LongConsumer begun, Application application, String sequence) {
        try (Sequences sequences = Sequences.of(store)) {
            Stage stage = new Stage(store, sequences, sequence, plan, application);
            return plan.workload().run(plan, plan.mode().iteration(stage), stop, begun);
        }
    }

    /** The numbers of the pool, where there is one. */
    private long[] laidOut(String sequence) {
        Optional<PoolState> pool =
                store instanceof PoolingStore<?> pooling ? pooling.poolState(sequence) : Optional.empty();
        return pool.stream()
                .flatMap(state -> state.laidOut().stream())
                .flatMapToLong(Block::values)
                .toArray();
    }

    private RunResult result(RunPlan plan, Measured measured, SelfCheck check, long reserved) {
        double limit = plan.limitPerSecond(reservationNanos);
        long used = measured.draws().values.length;
        return new RunResult(
                plan,
                Double.isFinite(limit) ? OptionalDouble.of(limit) : OptionalDouble.empty(),
                measured,
                check,
                plan.mode().dealsFromBlocks() && used > 0
                        ? OptionalDouble.of(reserved / (double) used)
                        : OptionalDouble.empty());
    }
}
