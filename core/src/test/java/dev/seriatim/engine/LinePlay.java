// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import dev.seriatim.Allocation;
import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.conservation.Listening;
import dev.seriatim.store.ConfirmingStore;
import dev.seriatim.store.ImmediateStore;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SequenceStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * The modes of {@link Allocation}, in one process or two, over one store. Every reserved value is dealt, lost or given
 * back exactly once. An ordered mode deals a lower value to a draw that returned before another started, in any
 * process.
 */
final class LinePlay extends Play {

    private static final String NAME = "s";

    private final Allocation mode;
    private final List<StoreSequences> processes = new ArrayList<>();
    private final List<Sequence> sequences = new ArrayList<>();
    private final List<CompletableFuture<Long>> futures = new ArrayList<>();
    private final List<Draw> draws = new ArrayList<>();
    private final Set<Long> dealt = new HashSet<>();
    private int clock;
    private int told;
    private int regressed;
    private boolean restores;
    private boolean givesBack;
    private boolean moved;
    private final List<Block> lostOnClosing = new ArrayList<>();

    private record Draw(int began, int ended, long first, long last) {}

    LinePlay(Schedule schedule) {
        super(schedule, definition(schedule));
        mode = mode();
    }

    private static SequenceDefinition definition(Schedule schedule) {
        SequenceDefinition.Builder definition =
                SequenceDefinition.named(NAME).cache(1 + schedule.pick(12)).startWith(3L);
        if (schedule.chance(15)) {
            definition.maxValue(5L + schedule.pick(60));
        }
        return definition.build();
    }

    private Allocation mode() {
        int size = 1 + schedule.pick(20);
        return switch (schedule.pick(14)) {
            case 0, 1 -> Allocation.async();
            case 10, 11, 12, 13 -> Allocation.confirmed(size);
            case 2, 3, 4 -> Allocation.combined();
            case 5 -> Allocation.batch();
            case 6 -> Allocation.batch(size);
            case 7 -> Allocation.asyncBatch(size, 1 + schedule.pick(size));
            case 8 -> Allocation.adaptive(1, 40);
            default -> Allocation.adaptive(1 + schedule.pick(3), 10 + size);
        };
    }

    @Override
    void open() {
        store.trouble = trouble;
        restores = schedule.chance(10);
        store.restores = restores;
        drops = !prompt && schedule.chance(50); // but no callbacks
        SequenceStore asked = schedule.chance(15) ? immediate() : store;
        boolean back = schedule.chance(50) && !restores;
        givesBack = back && asked == store; // other stores cannot take values back
        openProcesses(
                mode + (asked == store ? "" : ", immediate"),
                restores ? 0 : mode.ordered() ? 60 : 30, // regressions caused by another process are not known here
                process(asked, new Hearing()).giveBackOnClose(back),
                process -> {
                    processes.add(process);
                    sequences.add(process.open(NAME, mode));
                });
    }

    @Override
    void act() {
        int way = schedule.pick(100);
        Sequence sequence = sequences.get(schedule.pick(sequences.size()));
        try {
            if (way < 45) {
                draw("next()", () -> new Block(sequence.next(), 1, 1));
            } else if (way < 57) {
                int count = 1 + schedule.pick(8);
                draw("next(" + count + ")", () -> sequence.next(count));
            } else if (way < 87 && !drops) {
                drawAsync(sequence);
            } else if (way < 89 && confirmed() && !restores) {
                moveOn();
            } else if (way < 91 && confirmed() && !restores) {
                reopen();
            } else if (way < 93 || mode.ordered()) {
                schedule.sleep(schedule.pick(30) * MILLI, "does something else");
            } else {
                try (Sequence cursor = sequence.local()) {
                    int times = 1 + schedule.pick(3);
                    for (int i = 0; i < times; i++) {
                        draw("a cursor's next()", () -> new Block(cursor.next(), 1, 1));
                    }
                }
            }
        } catch (RuntimeException | Error e) {
            failed("a draw", e);
        }
        schedule.offer("has drawn");
    }

    private boolean confirmed() {
        return mode instanceof Allocation.Confirmed;
    }

    /** Another session raises or restarts the sequence; no value repeats, since the counter only goes forward. */
    private void moveOn() {
        moved = true;
        if (!store.state.usedUp()) {
            long value = store.state.nextValue() + schedule.pick(3);
            SequenceState after = schedule.chance(50) ? store.raise(NAME, value) : store.restart(NAME, value);
            schedule.note("moved on to " + after);
        }
    }

    /** One process closes the sequence, and may give values back; then reopens it. */
    private void reopen() {
        int at = schedule.pick(sequences.size());
        closing = true; // callers get the exception that it is closed
        plain = false;
        sequences.get(at).close();
        try {
            sequences.set(at, processes.get(at).open(NAME, mode));
        } catch (IllegalStateException closed) {
            schedule.note("the process is closed");
        }
    }

    private void draw(String what, Supplier<Block> draw) {
        int began = clock++;
        Block drawn = inTime(what, 0, draw::get);
        if (schedule.tracing()) {
            schedule.note(what + ": " + drawn);
        }
        dealt(drawn, began);
    }

    private void dealt(Block drawn, int began) {
        ledger.dealt(NAME, drawn);
        draws.add(new Draw(began, clock++, drawn.first(), drawn.last()));
        drawn.values().forEach(value -> {
            if (!dealt.add(value)) {
                schedule.fault(value + " is dealt twice");
            }
        });
    }

    /** Waits for the future, cancels it now or later, gives it a timeout, or leaves it. */
    private void drawAsync(Sequence sequence) {
        int began = clock++;
        long since = schedule.now();
        long passed = schedule.passed();
        CompletableFuture<Long> future =
                inTime("nextAsync()", 0, () -> sequence.nextAsync().toCompletableFuture());
        futures.add(future);
        CompletionStage<Long> stage = future;
        stage.whenComplete((value, failure) -> {
            long took = schedule.now() - since - (schedule.passed() - passed);
            checkTime("nextAsync()", took, 0);
            if (failure == null && value >= 0) {
                schedule.note("nextAsync(): " + value);
                dealt(new Block(value, 1, 1), began);
            } else if (failure != null && !future.isCancelled()) {
                Throwable cause = failure instanceof CompletionException && failure.getCause() != null
                        ? failure.getCause()
                        : failure;
                failed("nextAsync()", cause);
            }
            schedule.offer("draw answered");
        });
        switch (schedule.pick(5)) {
            case 0 -> future.cancel(true);
            case 1 -> {
                schedule.sleep(schedule.pick(4000) * 1000L, "will cancel");
                schedule.note("cancels");
                future.cancel(false);
            }
            case 2 -> schedule.after(schedule.pick(8) * MILLI, () -> future.complete(-1L));
            case 3 -> {}
            default -> {
                try {
                    var unused = schedule.await(future, 3 * patience.toNanos() + 3600_000 * MILLI);
                } catch (TimeoutException e) {
                    schedule.fault("a future that never completes");
                } catch (ExecutionException | CancellationException e) {
                    // reported above
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    @Override
    void dealsAgain() {
        if (store.hanging > 2) {
            schedule.sleep(3600_000 * MILLI, "lets hang what hangs");
        }
        for (Sequence sequence : sequences) {
            try {
                draw("the last next()", () -> new Block(sequence.next(), 1, 1));
            } catch (SequenceException.Exhausted e) {
                exhausted("the last next()");
            } catch (SequenceException.Regressed e) {
                failed("the last next()", e);
            } catch (RuntimeException | Error e) {
                schedule.fault("the trouble has ended, and the next draw throws " + e);
            }
        }
    }

    @Override
    void settle() {
        for (CompletableFuture<Long> future : futures) {
            if (!future.isDone()) {
                schedule.fault("a future that never completes");
            }
        }
        String fault = restores ? "" : ledger.fault(); // values that were answered twice are on no account
        if (!fault.isEmpty()) {
            schedule.fault(fault);
        }
        int back = restores ? store.repeated : 0; // what was given back is dealt again, too
        if (regressed != back) {
            schedule.fault("the listener was called " + regressed + " times for a counter that went back, and " + back
                    + " reservations brought what had been seen");
        }
        if (told != store.unknown) {
            schedule.fault("the listener was called " + told + " times for an unknown outcome, and " + store.unknown
                    + " were");
        }
        if (mode.ordered()) {
            checkOrder();
        }
        if (givesBack && !moved && sequences.size() == 1 && store.refused.isEmpty()) {
            long last = store.state.nextValue() - 1;
            for (Block lost : lostOnClosing) {
                if (lost.last() == last) {
                    schedule.fault(lost + " is not given back, and nothing was dealt behind it");
                }
            }
        }
    }

    @Override
    String left() {
        return restores ? "" : super.left();
    }

    @Override
    boolean mayRegress() {
        return restores && store.repeated > 0;
    }

    private void checkOrder() {
        for (Draw earlier : draws) {
            for (Draw later : draws) {
                if (earlier.ended() < later.began() && earlier.last() >= later.first()) {
                    schedule.fault("out of order: " + later + " began after " + earlier + " had returned");
                }
            }
        }
    }

    private SequenceStore immediate() {
        return confirmed() ? new ImmediateReads() : new Immediate();
    }

    /** Reads, too. */
    private final class ImmediateReads extends Immediate implements ConfirmingStore {
        @Override
        public SequenceState read(String name) {
            return store.read(name);
        }

        @Override
        public Optional<SequenceState> readHere(String name, Duration atMost) {
            return store.readHere(name, atMost);
        }
    }

    /** Sometimes answers immediately. */
    private class Immediate implements ImmediateStore {
        @Override
        public Optional<Reservation> reserveNow(String name, long count) {
            return store.reserveNow(name, count);
        }

        @Override
        public Reservation reserve(String name, long count) {
            return store.reserve(name, count);
        }

        @Override
        public String toString() {
            return store.toString();
        }
    }

    private final class Hearing extends Listening {
        @Override
        public void failed(String sequence, SequenceException failure) {
            regressed += failure instanceof SequenceException.Regressed ? 1 : 0;
            super.failed(sequence, failure);
        }

        /**
         * Closing reports values as lost only if the store would have refused them, or if they were not offered within the
         * patience.
         */
        @Override
        public void lost(String sequence, Block values) {
            Block refused = store.refused.get(schedule.me());
            if (refused != null && sequences.size() == 1 && values.first() > refused.first()) {
                schedule.fault(values + " is not given back because " + refused + ", dealt before it, was refused");
            }
            if (closes() && !waitedInVain()) {
                lostOnClosing.add(values);
            }
            super.lost(sequence, values);
        }

        @Override
        public void outcomeUnknown(String sequence, long count) {
            told++;
            hears("outcome unknown");
        }
    }
}
