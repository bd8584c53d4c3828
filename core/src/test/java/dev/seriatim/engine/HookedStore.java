// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.conservation.ForwardingStore;
import dev.seriatim.memory.InMemoryStore;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceState;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.LongUnaryOperator;

/** An in-memory store with hooks around each reservation, which may wait, throw, or do something in between. */
public final class HookedStore extends ForwardingStore<InMemoryStore> {

    /** Runs before or after a reservation. */
    public interface Hook {
        void before(String name, long count) throws InterruptedException;
    }

    public final InMemoryStore memory = behind;
    final List<Long> asked = new CopyOnWriteArrayList<>();
    public volatile Hook hook = (name, count) -> {};

    /** Runs after the commit, before the answer. */
    volatile Hook committed = (name, count) -> {};

    /** Runs after the counter has been read, before the answer. */
    volatile Hook read = (name, count) -> {};

    final AtomicInteger reads = new AtomicInteger();

    /** Returns how many values are dealt of the number requested. */
    public volatile LongUnaryOperator dealing = count -> count;

    public volatile Hook givingBack = (name, count) -> {};

    /** Runs after values have been given back, before the answer. */
    public volatile BiConsumer<String, Block> givenBack = (name, block) -> {};

    /** Called with each block that is returned. */
    public volatile BiConsumer<String, Block> answered = (name, block) -> {};

    public HookedStore() {
        super(new InMemoryStore());
    }

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

    @Override
    public SequenceState read(String name) {
        reads.incrementAndGet();
        SequenceState counter = memory.read(name);
        run(read, name, 0);
        return counter;
    }

    private static void run(Hook hook, String name, long count) {
        try {
            hook.before(name, count);
        } catch (InterruptedException e) {
            throw new AssertionError("a thread that reserves must never be interrupted", e);
        }
    }

    @Override
    public boolean giveBack(String name, Block unused, long epoch) {
        run(givingBack, name, unused.count());
        boolean back = memory.giveBack(name, unused, epoch);
        givenBack.accept(name, unused);
        return back;
    }
}
