// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import dev.seriatim.verify.Verdict.Control;
import dev.seriatim.verify.Verdict.LeftOut;
import dev.seriatim.verify.fault.LinkedUrl;
import dev.seriatim.verify.worker.ControlGenerator;
import dev.seriatim.verify.worker.DrawRing;
import dev.seriatim.verify.worker.LaneOrder;
import dev.seriatim.verify.worker.WorkerFolder;
import dev.seriatim.verify.worker.WorkerProgram;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Runs generators that break their promise, each until the checks find it. Not thread-safe. */
record ControlRuns(Arena arena, TrialPlan plan, AtomicBoolean stop, StatusLine progress) {

    /** Usually, each is found within a second. */
    static final Duration LONGEST = Duration.ofSeconds(60);

    private static final int PROCESSES = 2;
    private static final int THREADS = 4;
    private static final double ROLLED_BACK = 0.05;
    private static final long POLL_MILLIS = 50;

    /** The time for draws between two kills. */
    private static final Duration BETWEEN_KILLS = Duration.ofMillis(700);

    /** @param leftOut receives the controls that cannot be run here */
    void run(List<Control> verdicts, List<LeftOut> leftOut) throws InterruptedException {
        for (ControlGenerator each : ControlGenerator.values()) {
            if (!stop.get()) {
                progress.begin("control " + each, Duration.ZERO);
                Optional<String> missing = run(each, verdicts);
                missing.ifPresent(why -> leftOut.add(new LeftOut("control " + each, why)));
            }
        }
        if (stop.get()) {
            verdicts.removeIf(verdict -> !verdict.red());
            leftOut.add(new LeftOut("other controls", "stopped before"));
        }
    }

    /** Returns why a control cannot be run here; otherwise empty. */
    private Optional<String> run(ControlGenerator control, List<Control> verdicts) throws InterruptedException {
        if (control == ControlGenerator.TWO_TRANSACTIONS && !arena.keepsLedgers()) {
            return Optional.of("needs a transaction in which a number is stored, and this store has none");
        }
        if (control != ControlGenerator.NATIVE) {
            verdicts.add(run(arena, control));
            return Optional.empty();
        }
        if (plan.faults().server().isEmpty()) {
            return Optional.of("a native sequence repeats values after its server has crashed; "
                    + (LinkedUrl.hasServer(plan.url(0)) ? "add --server-command" : "this store has none"));
        }
        Optional<Arena> natives = Arena.ofNativeSequences(plan.url(0));
        if (natives.isEmpty()) {
            return Optional.of(arena + " has no native sequences");
        }
        try (Arena there = natives.get()) {
            verdicts.add(run(there, control)); // drawn from in transactions of this arena's store
        }
        return Optional.empty();
    }

    private Control run(Arena there, ControlGenerator control) throws InterruptedException {
        long began = System.nanoTime();
        ArenaSequence sequence = there.add(control.name(), control.pretended());
        Watch watch = new Watch(sequence, began);
        LaneOrder order = new LaneOrder(
                sequence.generator(),
                sequence.sequence(),
                sequence.ledger(),
                THREADS,
                0,
                1,
                1,
                new LaneOrder.Shares(ROLLED_BACK, 0, 0, 0));
        List<Violation> found = List.of();
        try (WorkerCrew crew = new WorkerCrew(
                WorkerFolder.open(WorkerProgram.class, DrawRing.DEFAULT_CAPACITY),
                place -> arena.url(),
                place -> List.of(order),
                Map.of(control.name(), watch),
                plan.longestAbsence())) {
            crew.start(PROCESSES);
            while (found.isEmpty() && !stop.get() && System.nanoTime() - began < LONGEST.toNanos()) {
                if (control == ControlGenerator.NATIVE) {
                    TimeUnit.NANOSECONDS.sleep(BETWEEN_KILLS.toNanos());
                    plan.faults().server().orElseThrow().start();
                } else {
                    Thread.sleep(POLL_MILLIS);
                }
                crew.check(arena);
                watch.look(there);
                found = crew.reader.locked(watch::violations);
            }
            crew.end();
            String example = found.isEmpty() ? null : found.get(0).examples().get(0);
            Duration took = Duration.ofNanos(System.nanoTime() - began);
            return new Control(control.name(), control.title(), example != null, example, watch.numbers, took);
        }
    }
}
