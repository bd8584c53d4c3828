// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.line;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.SequenceListener;
import dev.seriatim.conservation.ForwardingStore;
import dev.seriatim.engine.dispatch.Listeners;
import dev.seriatim.engine.dispatch.SequenceContext;
import dev.seriatim.memory.InMemoryStore;
import dev.seriatim.store.AwaitingStore;
import dev.seriatim.store.ImmediateStore;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SequenceStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A sequence over an in-memory store, on one thread; other sessions use the store too. */
abstract class LineGround extends OneThread {

    static final Runnable NOTHING = () -> {};

    final InMemoryStore memory = new InMemoryStore();

    /** The calls of the store. */
    final List<String> calls = new ArrayList<>();

    /** The events of the listener, except reservations and waits. */
    final List<String> events = new ArrayList<>();

    /** Whether the store reads on callers' threads. */
    boolean readsHere;

    /** What the store waits for, whenever it is asked about a shorter wait than half of the patience. */
    Optional<String> awaited = Optional.empty();

    /** Run before the store reserves, reads or takes values back; may throw. */
    Runnable beforeReservation = NOTHING;

    Runnable beforeRead = NOTHING;
    Runnable beforeReturn = NOTHING;

    /** Run after the store has reserved or read, before it answers. */
    Runnable reserved = NOTHING;

    Runnable read = NOTHING;

    private void note(List<String> where, String what) {
        calls(what);
        where.add(what);
    }

    Sequence confirmed(SequenceStore store, boolean givesBack) {
        Listeners listeners = listeners();
        return LineSequence.confirmed(context(listeners), new Reserver("s", store, listeners, timing), 1000, givesBack);
    }

    SequenceContext context(Listeners listeners) {
        return new SequenceContext("s", listeners, task -> executor.execute(task), timing, patience, NOTHING);
    }

    Listeners listeners() {
        return new Listeners(new Telling());
    }

    /** Returns a sequence of CONFIRMED that has dealt 1 to 8 and holds 9 to 12. */
    Sequence holding() {
        return holding(SequenceDefinition.of("s"));
    }

    Sequence holding(SequenceDefinition definition) {
        memory.create(definition);
        return holding(confirmed(new Store(), false), 8);
    }

    /** Draws so many values. */
    Sequence holding(Sequence sequence, int draws) {
        for (int i = 1; i <= draws; i++) {
            assertThat(sequence.next()).isEqualTo(i);
        }
        calls.clear();
        events.clear();
        return sequence;
    }

    long counter() {
        return memory.describe("s").nextValue();
    }

    /** Returns an action that does something the first time. */
    static Runnable once(Runnable action) {
        Runnable[] next = {action};
        return () -> {
            Runnable now = next[0];
            next[0] = NOTHING;
            now.run();
        };
    }

    static Runnable failing(RuntimeException failure) {
        return once(() -> {
            throw failure;
        });
    }

    static Unavailable down() {
        return new Unavailable("s", "connection refused; start the server", null);
    }

    class Store extends ForwardingStore<InMemoryStore> implements AwaitingStore {
        Store() {
            super(memory);
        }

        @Override
        public Reservation reserve(String name, long count) {
            note(calls, "reserve " + count);
            beforeReservation.run();
            Reservation reservation = super.reserve(name, count);
            reserved.run();
            return reservation;
        }

        @Override
        public SequenceState read(String name) {
            return read(name, "read");
        }

        @Override
        public Optional<SequenceState> readHere(String name, Duration atMost) {
            return readsHere ? Optional.of(read(name, "read here, " + atMost.toMillis() + " ms")) : Optional.empty();
        }

        private SequenceState read(String name, String how) {
            note(calls, how);
            beforeRead.run();
            SequenceState counter = super.read(name);
            read.run();
            return counter;
        }

        @Override
        public boolean giveBack(String name, Block unused, long epoch) {
            note(calls, "take back " + unused.first() + " to " + unused.last());
            beforeReturn.run();
            return super.giveBack(name, unused, epoch);
        }

        @Override
        public Optional<String> awaits(Duration atLeast) {
            return atLeast.isZero() ? awaited : Optional.empty();
        }
    }

    class Immediate extends Store implements ImmediateStore {
        @Override
        public Optional<Reservation> reserveNow(String name, long count) {
            return Optional.of(reserve(name, count));
        }
    }

    private final class Telling implements SequenceListener {
        @Override
        public void failed(String sequence, SequenceException failure) {
            note(events, "failed: " + failure.getMessage());
        }

        @Override
        public void lost(String sequence, Block values) {
            note(events, "lost " + values.first() + " to " + values.last());
        }

        @Override
        public void givenBack(String sequence, Block values) {
            note(events, "given back " + values.first() + " to " + values.last());
        }

        @Override
        public void outcomeUnknown(String sequence, long count) {
            note(events, "unknown: " + count);
        }
    }
}
