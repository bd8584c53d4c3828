// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.cli.option.StopSignal;
import dev.seriatim.verify.Verdict.Control;
import dev.seriatim.verify.Verdict.LeftOut;
import dev.seriatim.verify.fault.ServerCommand;
import dev.seriatim.verify.worker.ControlGenerator;
import dev.seriatim.verify.worker.DrawRing;
import dev.seriatim.verify.worker.LaneOrder;
import dev.seriatim.verify.worker.TurnShares;
import dev.seriatim.verify.worker.WorkerFolder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Runs generators that break their promise, each until the checks find it. Not thread-safe.
 *
 * @param server the server, if it may be killed
 * @param longestAbsence how long the store may be unavailable
 * @param step receives the current step
 */
record ControlRuns(
        Arena arena, Optional<ServerCommand> server, Duration longestAbsence, StopSignal stop, Consumer<String> step) {

    /** Usually, each is found within a second. */
    static final Duration LONGEST = Duration.ofSeconds(60);

    private static final int PROCESSES = 2;
    private static final int THREADS = 4;
    private static final double ROLLED_BACK = 0.05;
    private static final long POLL_MILLIS = 50;

    /** The time for draws between two kills. */
    private static final Duration BETWEEN_KILLS = Duration.ofMillis(700);

    /**
     * @param leftOut receives the controls that cannot be run here
     * @throws Unavailable if the store is unavailable for too long
     */
    List<Control> run(List<LeftOut> leftOut) throws InterruptedException {
        List<Control> verdicts = new ArrayList<>();
        for (ControlGenerator each : ControlGenerator.values()) {
            if (!stop.isSet()) {
                step.accept("control " + each.name());
                switch (each) {
                    case READ_THEN_WRITE, JOINS_SENT -> verdicts.add(run(arena, each));
                    case TWO_TRANSACTIONS -> {
                        if (arena.keepsLedgers()) {
                            verdicts.add(run(arena, each));
                        } else {
                            leftOut.add(new LeftOut(
                                    "control " + each.name(),
                                    "needs a transaction in which a number is stored, and this store has none"));
                        }
                    }
                    case NATIVE -> runNative(each, verdicts, leftOut);
                }
            }
        }
        if (stop.isSet()) {
            verdicts.removeIf(verdict -> !verdict.red());
            leftOut.add(new LeftOut("other controls", "stopped before"));
        }
        return verdicts;
    }

    private void runNative(ControlGenerator control, List<Control> verdicts, List<LeftOut> leftOut)
            throws InterruptedException {
        String name = "control " + control.name();
        if (server.isEmpty()) {
            leftOut.add(new LeftOut(
                    name,
                    "a native sequence repeats values after its server has crashed; "
                            + (Arena.hasServer(arena.originalUrl()) ? "add --server-command" : "this store has none")));
            return;
        }
        Optional<Arena> natives = Arena.ofNativeSequences(arena.originalUrl());
        if (natives.isEmpty()) {
            leftOut.add(new LeftOut(name, arena + " has no native sequences"));
            return;
        }
        try (Arena there = natives.get()) {
            verdicts.add(run(there, control)); // drawn from in transactions of this arena's store
        }
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
                new TurnShares(ROLLED_BACK, 0, 0, 0));
        List<Violation> found = List.of();
        try (WorkerFolder folder = WorkerFolder.open(DrawRing.DEFAULT_CAPACITY);
                RingReader reader = new RingReader();
                WorkerCrew crew = new WorkerCrew(
                        folder,
                        reader,
                        place -> arena.url(),
                        () -> List.of(order),
                        Map.of(control.name(), watch),
                        longestAbsence)) {
            crew.start(PROCESSES);
            while (found.isEmpty() && !stop.isSet() && System.nanoTime() - began < LONGEST.toNanos()) {
                reader.checkAlive();
                if (control == ControlGenerator.NATIVE) {
                    TimeUnit.NANOSECONDS.sleep(BETWEEN_KILLS.toNanos());
                    server.orElseThrow().restart();
                } else {
                    Thread.sleep(POLL_MILLIS);
                }
                found = reader.locked(watch::violations);
                crew.checkProgress(arena, reader.locked(() -> watch.numbers), reader.locked(() -> watch.unavailable));
                if (found.isEmpty() && sequence.hasLedger()) {
                    found = gap(there, sequence);
                }
            }
            crew.kill();
            reader.awaitEnd();
            return new Control(
                    control.name(),
                    control.title(),
                    !found.isEmpty(),
                    found.stream()
                            .flatMap(violation -> violation.examples().stream())
                            .findFirst()
                            .orElse(null),
                    watch.numbers,
                    Duration.ofNanos(System.nanoTime() - began));
        }
    }

    private static List<Violation> gap(Arena there, ArenaSequence sequence) {
        try {
            return new Judge(there)
                    .look(sequence)
                    .map(text -> List.of(new Violation(Violation.Kind.GAP, 1, List.of(text))))
                    .orElse(List.of());
        } catch (Unavailable e) {
            return List.of(); // the next look decides
        }
    }
}
