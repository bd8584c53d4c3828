// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.trial;

import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.cli.option.StopSignal;
import dev.seriatim.verify.arena.Arena;
import dev.seriatim.verify.arena.ArenaSequence;
import dev.seriatim.verify.control.ControlGenerator;
import dev.seriatim.verify.control.ControlProgram;
import dev.seriatim.verify.fault.ServerCommand;
import dev.seriatim.verify.verdict.ControlVerdict;
import dev.seriatim.verify.verdict.LeftOut;
import dev.seriatim.verify.verdict.Violation;
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
 * @param arena where they draw
 * @param server runs the server, if that may be killed
 * @param longestAbsence how long the store may be away
 * @param stop ends it early
 * @param doing told what it does
 */
record ControlRuns(
        Arena arena, Optional<ServerCommand> server, Duration longestAbsence, StopSignal stop, Consumer<String> doing) {

    /** Each is usually found within a second. */
    static final Duration LONGEST = Duration.ofSeconds(60);

    private static final int PROCESSES = 2;
    private static final int THREADS = 4;
    private static final double ROLLED_BACK = 0.05;
    private static final long LOOK_MILLIS = 50;

    /** What the native sequence draws between two kills. */
    private static final Duration BETWEEN_KILLS = Duration.ofMillis(700);

    /**
     * Runs them.
     *
     * @param leftOut takes those that cannot be run here
     * @throws Unavailable if the store is away for longer than it may be
     */
    List<ControlVerdict> run(List<LeftOut> leftOut) throws InterruptedException {
        List<ControlVerdict> verdicts = new ArrayList<>();
        for (ControlGenerator each : ControlGenerator.values()) {
            if (!stop.isSet()) {
                doing.accept("control " + each.name());
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
            leftOut.add(new LeftOut("other controls", "it was stopped before"));
        }
        return verdicts;
    }

    private void runNative(ControlGenerator control, List<ControlVerdict> verdicts, List<LeftOut> leftOut)
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
            verdicts.add(run(there, control)); // made there, and drawn from in transactions of this arena's store
        }
    }

    private ControlVerdict run(Arena there, ControlGenerator control) throws InterruptedException {
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
        try (WorkerFolder folder = WorkerFolder.open(ControlProgram.class, DrawRing.DEFAULT_CAPACITY);
                RingReader reader = new RingReader();
                WorkerCrew crew = new WorkerCrew(
                        folder,
                        reader,
                        place -> arena.url(),
                        () -> List.of(order),
                        Map.of(control.name(), watch),
                        longestAbsence)) {
            crew.start(PROCESSES);
            Silence silence = new Silence(longestAbsence, arena, crew);
            while (found.isEmpty() && !stop.isSet() && System.nanoTime() - began < LONGEST.toNanos()) {
                reader.checkAlive();
                if (control == ControlGenerator.NATIVE) {
                    TimeUnit.NANOSECONDS.sleep(BETWEEN_KILLS.toNanos());
                    server.orElseThrow().restart();
                } else {
                    Thread.sleep(LOOK_MILLIS);
                }
                found = reader.locked(watch::violations);
                silence.check(reader.locked(() -> watch.numbers), reader.locked(() -> watch.unavailable));
                if (found.isEmpty() && sequence.hasLedger()) {
                    found = gap(there, sequence);
                }
            }
            crew.kill();
            reader.awaitEnd();
            return new ControlVerdict(
                    control.name(),
                    control.title(),
                    !found.isEmpty(),
                    found.stream()
                            .flatMap(violation -> violation.examples().stream())
                            .findFirst()
                            .orElse(""),
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
            return List.of(); // asked again
        }
    }
}
