// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.LongUnaryOperator;
import java.util.function.UnaryOperator;

/** A real in-memory store with hooks around each reservation: they may wait, throw, or do something in between. */
final class HookedStore implements SequenceStore, SequenceCatalog {

    /** What happens before or after a reservation. */
    interface Hook {
        void before(String name, long count) throws InterruptedException;
    }

    final InMemoryStore memory = new InMemoryStore();
    final List<Long> asked = new CopyOnWriteArrayList<>();
    volatile Hook hook = (name, count) -> {};

    /** When it is committed, and before the answer arrives. */
    volatile Hook committed = (name, count) -> {};

    /** How many values are dealt of so many that are asked for. */
    volatile LongUnaryOperator dealing = count -> count;

    volatile Hook givingBack = (name, count) -> {};

    /** When values have gone back, and before the answer arrives. */
    volatile BiConsumer<String, Block> givenBack = (name, block) -> {};

    /** Hears what is answered. */
    volatile BiConsumer<String, Block> answered = (name, block) -> {};

    HookedStore with(String name) {
        memory.create(SequenceDefinition.of(name));
        return this;
    }

    @Override
    public Reservation reserve(String name, long count) {
        asked.add(count);
        run(hook, name, count);
        Reservation reservation = memory.reserve(name, dealing.applyAsLong(count));
        run(committed, name, count);
        answered.accept(name, reservation.block());
        return reservation;
    }

    private static void run(Hook hook, String name, long count) {
        try {
            hook.before(name, count);
        } catch (InterruptedException e) {
            throw new AssertionError("a thread that reserves must never be interrupted", e);
        }
    }

    @Override
    public void create(SequenceDefinition definition) {
        memory.create(definition);
    }

    @Override
    public SequenceState describe(String name) {
        return memory.describe(name);
    }

    @Override
    public List<SequenceState> list() {
        return memory.list();
    }

    @Override
    public SequenceState alter(String name, UnaryOperator<SequenceDefinition> change) {
        return memory.alter(name, change);
    }

    @Override
    public SequenceState raise(String name, long value) {
        return memory.raise(name, value);
    }

    @Override
    public SequenceState restart(String name, long value) {
        return memory.restart(name, value);
    }

    @Override
    public void drop(String name) {
        memory.drop(name);
    }

    @Override
    public boolean giveBack(String name, Block unused, long epoch) {
        run(givingBack, name, unused.count());
        boolean back = memory.giveBack(name, unused, epoch);
        givenBack.accept(name, unused);
        return back;
    }
}
