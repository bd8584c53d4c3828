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
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is played in a {@link Schedule}: callers with their scripts while there is trouble, then, when that has ended, one more
 * draw, the closing, and the accounts. Used by the actors of the schedule, one at a time.
 */
abstract class Play {

    static final long MILLI = 1_000_000L;

    /** How much longer than its patience a caller may wait: for those who come together, and for what it does itself. */
    private static final long SLACK_NANOS = 2 * MILLI;

    /** How long a caller waits at most where nothing hangs: for one reservation and its repetitions, a pause, and its own. */
    private static final long PROMPT_NANOS = 3000 * MILLI;

    private static final int[] PATIENCES = {5, 40, 1000, 10_000};

    final Schedule schedule;
    final Ledger ledger = new Ledger();
    final Duration patience;
    final PlayedStore store;
    /** What is closed at the end, or in the middle. */
    final List<AutoCloseable> open = new ArrayList<>();

    final List<Schedule.Actor> callers = new ArrayList<>();

    /** How often, of a hundred times, something goes wrong. */
    final int trouble;

    /** Whether there is trouble now. */
    boolean troubled;

    /**
     * Nothing hangs, and the machine is not slow: so who waits must hear long before its patience ends what has become of its
     * draw.
     */
    boolean prompt;

    /** Nothing but what the callers do: no trouble, no interrupt, no closing in the middle, no slow machine. */
    boolean plain;

    boolean closing;

    /** Callers who have not ended. */
    private int busy;

    private final int executorTrouble;

    /** Whether the executor drops work without a word. */
    boolean drops;

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

    /** Plays it all; what is wrong, the schedule knows. */
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
            schedule.start("closer", () -> {
                schedule.sleep(schedule.pick(60) * MILLI, "will close");
                closeAll();
            });
        }
        comesToRest("callers");
        if (schedule.over()) {
            return;
        }
        schedule.start("closer", this::closeAll);
        comesToRest("closing");
        if (!schedule.over()) {
            settle();
        }
    }

    /** No more trouble, but what hangs still hangs. */
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

    /** Opens what is drawn from. */
    abstract void open();

    /** What the processes of a play have in common. */
    final StoreSequences.Builder process(SequenceStore asked, SequenceListener listener) {
        return StoreSequences.builder(asked)
                .timing(schedule)
                .patience(patience)
                .executor(executor())
                .listener(listener);
    }

    /** Opens the sequence in one process or, so many times of a hundred, in two; what is played goes first in the trace. */
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

    /** What a caller does next. */
    abstract void act();

    /** Another draw, after the trouble. */
    abstract void dealsAgain();

    /** The accounts, when everything has come to rest. */
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
            inTime("close", 250 * MILLI, () -> {
                each.close();
                return null;
            });
        }
    }

    /** Does something that must end within the patience and {@code beyond}; nothing that this thread does in the store counts. */
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

    /** What could still be dealt, so that nobody may hear that the sequence is exhausted; empty when nothing could. */
    String left() {
        return store.state.usedUp() ? "" : "its counter is at " + store.state;
    }

    /** Whether the counter has gone back, which callers are to hear. */
    boolean mayRegress() {
        return false;
    }

    /** Somebody has heard that the sequence is exhausted: it stays so, unless a closing gives values back. */
    final void exhausted(String what) {
        String left = left();
        if (!left.isEmpty() && !closing) {
            schedule.fault(what + " hears that it is exhausted, and " + left);
        }
    }

    /** What went wrong may have gone wrong; anything else is a fault. */
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

    /** What the listener hears is noted, and somebody else may go on while it listens. */
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

    private boolean strikes() {
        return troubled && executorTrouble > 0 && schedule.chance(executorTrouble);
    }

    /** An executor that may refuse, throw, throw although it has taken the work, and drop it. */
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
                        schedule.note("the executor throws, and takes the work all the same");
                        schedule.start("refill", task);
                        schedule.offer("hands over");
                        throw new OutOfMemoryError("unable to create native thread, but queued");
                    }
                    default -> {
                        schedule.note("the executor drops the work");
                        return;
                    }
                }
            }
            schedule.start("refill", task);
            schedule.offer("hands over");
        };
    }
}
