// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceListener;
import dev.seriatim.conservation.Ledger;
import dev.seriatim.memory.PlayedStore;
import dev.seriatim.store.SequenceStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A play for a {@link Schedule}: callers with their scripts while there is trouble; then, after the trouble, another
 * draw, the close, and the accounts. Used by the actors of the schedule, one at a time.
 */
abstract class Play {

    static final long MILLI = 1_000_000L;

    /** Time a caller may wait beyond its patience, for callers that arrive together and for its own work. */
    private static final long SLACK_NANOS = 2 * MILLI;

    /**
     * Maximum wait of a caller if nothing hangs: for one reservation and its repetitions, a pause, and its own work.
     */
    private static final long PROMPT_NANOS = 3000 * MILLI;

    private static final String CLOSER = "closer";
    private static final int[] PATIENCES = {5, 40, 1000, 10_000};

    final Schedule schedule;
    final Ledger ledger = new Ledger();
    final Duration patience;
    final PlayedStore store;
    /** Closed at the end, or in between. */
    final List<AutoCloseable> open = new ArrayList<>();

    final List<Schedule.Actor> callers = new ArrayList<>();

    /** Percentage of calls that go wrong. */
    final int trouble;

    /** Whether there is trouble now. */
    boolean troubled;

    /**
     * Nothing hangs and the machine is not slow, so a waiting caller must learn the outcome of its draw long before its
     * patience ends.
     */
    boolean prompt;

    /** Only the callers' actions: no trouble, no interrupt, no close in between, no slow machine. */
    boolean plain;

    boolean closing;

    /** Number of callers that have not ended. */
    private int busy;

    private final int executorTrouble;

    /** Whether the executor drops work silently. */
    boolean drops;

    /** When each closing thread began to close. */
    private final Map<Schedule.Actor, Long> closingSince = new HashMap<>();

    Play(Schedule schedule, SequenceDefinition definition) {
        this.schedule = schedule;
        patience = Duration.ofMillis(PATIENCES[schedule.pick(PATIENCES.length)]);
        store = new PlayedStore(schedule, ledger, definition, patience);
        prompt = patience.toMillis() >= 10_000 && schedule.chance(40);
        store.hangs = !prompt;
        int[] troubles = {0, 3, 15, 50};
        trouble = troubles[schedule.pick(troubles.length)];
        executorTrouble = schedule.chance(30) ? 20 : 0;
        plain = trouble == 0 && executorTrouble == 0 && patience.toMillis() >= 1000;
    }

    /** Plays everything; the schedule records the faults. */
    final void play() {
        troubled = true;
        if (prompt) {
            schedule.calm();
        }
        open();
        int scripts = 1 + schedule.pick(4);
        busy = scripts;
        for (int i = 0; i < scripts; i++) {
            int of = 1 + schedule.pick(5);
            callers.add(schedule.start("caller", () -> {
                for (int at = 0; at < of; at++) {
                    act();
                }
                if (--busy == 0) {
                    troubleEnds();
                }
            }));
        }
        if (schedule.chance(20)) {
            plain = false;
            schedule.start("interrupter", this::interruptSome);
        }
        if (schedule.chance(20)) {
            plain = false;
            closing = true;
            schedule.start(CLOSER, () -> {
                schedule.sleep(schedule.pick(60) * MILLI, "will close");
                closeAll();
            });
        }
        comesToRest("callers");
        if (schedule.over()) {
            return;
        }
        schedule.start(CLOSER, this::closeAll);
        comesToRest("closing");
        if (!schedule.over()) {
            settle();
        }
    }

    /** No new trouble, but hanging calls still hang. */
    private void troubleEnds() {
        schedule.note("the trouble has ended");
        troubled = false;
        store.trouble = 0;
        schedule.calm();
        if (!closing) {
            schedule.start("last", () -> {
                schedule.sleep(patience.toNanos() + 700 * MILLI, "lets the trouble pass");
                dealsAgain();
            });
        }
    }

    /** Opens what callers draw from. */
    abstract void open();

    /** Returns the common settings of the processes in a play. */
    final StoreSequences.Builder process(SequenceStore asked, SequenceListener listener) {
        return StoreSequences.builder(asked)
                .timing(schedule)
                .patience(patience)
                .executor(executor())
                .listener(listener);
    }

    /**
     * Opens the sequence in one process or, with the given percentage, in two; {@code what} comes first in the trace.
     */
    final void openProcesses(String what, int two, StoreSequences.Builder builder, Consumer<StoreSequences> opens) {
        int count = schedule.chance(two) ? 2 : 1;
        for (int i = 0; i < count; i++) {
            StoreSequences process = builder.build();
            open.add(process);
            opens.accept(process);
        }
        schedule.note(what + ", " + count + (count == 1 ? " process" : " processes") + ", patience " + patience
                + ", trouble " + trouble + " %");
    }

    /** Performs a caller's next action. */
    abstract void act();

    /** Draws once more after the trouble. */
    abstract void dealsAgain();

    /** Checks the accounts after all actors have ended. */
    abstract void settle();

    private void comesToRest(String who) {
        schedule.play();
        if (!schedule.over() && !schedule.left().isEmpty()) {
            schedule.fault("deadlock, " + who + ": "
                    + schedule.left().stream().map(Schedule::shown).toList());
        }
    }

    private void interruptSome() {
        int times = 1 + schedule.pick(4);
        for (int i = 0; i < times; i++) {
            schedule.sleep(schedule.pick(20) * MILLI, "will interrupt");
            Schedule.Actor one = callers.get(schedule.pick(callers.size()));
            schedule.note("interrupts " + one.name);
            schedule.interrupt(one);
        }
    }

    private void closeAll() {
        for (AutoCloseable each : open) {
            closingSince.put(schedule.me(), schedule.now());
            inTime("close", 250 * MILLI, () -> {
                each.close();
                return null;
            });
        }
    }

    /**
     * Runs a call that must end within the patience and {@code beyond}; time that this thread spends in the store does
     * not count.
     */
    final <R> R inTime(String what, long beyond, Callable<R> call) {
        Schedule.Actor me = schedule.me();
        long began = schedule.now();
        long passed = schedule.passed();
        long stored = me.storeNanos;
        schedule.note(what);
        try {
            return call.call();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError(e);
        } finally {
            long took = schedule.now() - began - (schedule.passed() - passed) - (me.storeNanos - stored);
            checkTime(what, took, beyond);
        }
    }

    final void checkTime(String what, long took, long beyond) {
        if (took > patience.toNanos() + SLACK_NANOS + beyond) {
            schedule.fault(what + " took " + took / 1e6 + " ms, with a patience of " + patience.toMillis() + " ms");
        } else if (prompt && took > PROMPT_NANOS) {
            schedule.fault(what + " took " + took / 1e6 + " ms, though nothing hung");
        }
    }

    /**
     * Returns what could still be dealt, in which case no caller may get Exhausted; empty if
     * nothing could.
     */
    String left() {
        return store.state.usedUp() ? "" : "its counter is at " + store.state;
    }

    /** Returns whether the counter has gone back, in which case callers must get Regressed. */
    boolean mayRegress() {
        return false;
    }

    /** A caller got Exhausted: the sequence stays exhausted, unless a close gives values back. */
    final void exhausted(String what) {
        String left = left();
        if (!left.isEmpty() && !closing) {
            schedule.fault(what + " is exhausted, and " + left);
        }
    }

    /** Accepts expected failures; any other is a fault. */
    final void failed(String what, Throwable thrown) {
        if (thrown instanceof SequenceException.Exhausted) {
            exhausted(what);
        }
        if (schedule.tracing()) {
            schedule.note(what + " throws " + thrown);
        }
        boolean closed = thrown instanceof IllegalStateException && closing && !(thrown instanceof SequenceException);
        boolean declared = thrown instanceof SequenceException
                && (mayRegress() || !(thrown instanceof SequenceException.Regressed))
                && !(thrown instanceof SequenceException.NotFound);
        boolean unasked = plain
                && schedule.passed() == 0
                && !(thrown instanceof SequenceException.Exhausted)
                && !(thrown instanceof SequenceException.Regressed);
        if (!(closed || declared) || unasked) {
            schedule.fault(what + " threw " + thrown + at(thrown));
        }
    }

    private static String at(Throwable thrown) {
        @Nullable StackTraceElement[] trace = thrown.getStackTrace();
        return trace.length == 0 ? "" : " at " + trace[0];
    }

    /** Records what the listener is notified of; another actor may run during the call. */
    class Listening implements SequenceListener {
        @Override
        public void reserved(String sequence, Block block, Duration took) {
            hears("reserved " + block);
        }

        @Override
        public void waited(String sequence, Duration howLong) {
            hears("waited");
        }

        @Override
        public void failed(String sequence, SequenceException failure) {
            hears("failed");
        }

        @Override
        public void lost(String sequence, Block values) {
            ledger.lost(sequence, values);
            hears("lost " + values);
        }

        @Override
        public void givenBack(String sequence, Block values) {
            ledger.givenBack(sequence, values);
            hears("given back " + values);
        }

        final void hears(String what) {
            schedule.note("listener: " + what);
            schedule.offer("listens");
        }
    }

    /** Whether this is a thread that closes, or the executor's with the work of one. */
    final boolean closes() {
        return schedule.me().name.startsWith(CLOSER);
    }

    /** Whether this is a thread that closes, and has done so as long as patience lasts. */
    final boolean waitedInVain() {
        Long since = closingSince.get(schedule.me());
        return since != null && schedule.now() - since >= patience.toNanos();
    }

    private boolean strikes() {
        return troubled && executorTrouble > 0 && schedule.chance(executorTrouble);
    }

    /** Returns an executor that may refuse, throw, throw despite accepting the work, or drop it. */
    private Executor executor() {
        return task -> {
            if (strikes()) {
                switch (schedule.pick(drops ? 4 : 3)) {
                    case 0 -> {
                        schedule.note("the executor refuses");
                        throw new RejectedExecutionException("refused");
                    }
                    case 1 -> {
                        schedule.note("the executor has no thread");
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    case 2 -> {
                        schedule.note("the executor throws, but accepts the work");
                        begin(task);
                        throw new OutOfMemoryError("unable to create native thread, but queued");
                    }
                    default -> {
                        schedule.note("the executor drops the work");
                        return;
                    }
                }
            }
            begin(task);
        };
    }

    private void begin(Runnable task) {
        schedule.start(closes() ? CLOSER + "'s" : "refill", task);
        schedule.offer("hands over");
    }
}
