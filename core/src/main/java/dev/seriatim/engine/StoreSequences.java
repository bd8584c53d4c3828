// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import dev.seriatim.Allocation;
import dev.seriatim.GaplessSequence;
import dev.seriatim.GroupedSequence;
import dev.seriatim.PooledSequence;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceListener;
import dev.seriatim.Sequences;
import dev.seriatim.UnitStart;
import dev.seriatim.draw.Closing;
import dev.seriatim.draw.Counts;
import dev.seriatim.engine.dispatch.JvmTiming;
import dev.seriatim.engine.dispatch.Listeners;
import dev.seriatim.engine.dispatch.RefillThreads;
import dev.seriatim.engine.dispatch.SequenceContext;
import dev.seriatim.engine.dispatch.Timing;
import dev.seriatim.engine.group.GroupLine;
import dev.seriatim.engine.line.Reserver;
import dev.seriatim.engine.pool.PoolDraws;
import dev.seriatim.store.DefaultCache;
import dev.seriatim.store.GaplessStore;
import dev.seriatim.store.GroupingStore;
import dev.seriatim.store.PoolingStore;
import dev.seriatim.store.SequenceCatalog;
import dev.seriatim.store.SequenceStore;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.store.TransactionalSequence;
import dev.seriatim.store.UnorderedStore;
import dev.seriatim.striped.StripedSequence;
import dev.seriatim.striped.Striping;
import dev.seriatim.text.Messages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Opens a store's sequences, each once, and closes them all.
 *
 * <p>Thread-safe. Does not close the store, unless it has opened it.
 */
public final class StoreSequences implements Sequences {

    private final SequenceStore store;
    private final Listeners listener;
    private final Duration patience;
    private final boolean giveBackOnClose;
    private final @Nullable RefillThreads ownThreads;
    private final Executor executor;
    private final Timing timing;
    private final boolean createsMissing;
    private final @Nullable AutoCloseable ownStore;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Opened> open = new HashMap<>();
    private final Map<Striping, Opened> striped = new HashMap<>();
    private final Map<String, Grouped> grouped = new HashMap<>();
    private final Map<String, Pooled> pooled = new HashMap<>();
    private volatile boolean closed;

    /** Sequences that have been seen in the store, so that it is not asked again before they are opened. */
    private final Set<String> present = ConcurrentHashMap.newKeySet();

    private record Opened(Allocation allocation, Sequence sequence) {
        Sequence as(Allocation asked) {
            if (!allocation.equals(asked)) {
                throw new SequenceException.Misconfigured(
                        sequence.name(), "already open as " + allocation + "; close that one first or use it");
            }
            return sequence;
        }
    }

    private record Grouped(GroupingStore<?> store, UnitStart<?> start, GroupedSequence<?> sequence) {}

    private record Pooled(PoolingStore<?> store, PoolDraws<?> sequence) {}

    private StoreSequences(Builder builder) {
        store = builder.store;
        listener = builder.listener == null ? Listeners.silent() : new Listeners(builder.listener);
        patience = builder.patience;
        giveBackOnClose = builder.giveBackOnClose;
        ownThreads = builder.executor == null ? new RefillThreads() : null;
        executor = ownThreads == null ? builder.requireExecutor() : ownThreads;
        timing = builder.timing;
        createsMissing = builder.createMissing;
        ownStore = builder.ownStore;
    }

    /**
     * Opens the store that a URL names, and its sequences; those that are missing are made. Closing them closes the store.
     *
     * @throws SequenceException as {@link StoreDriver#open(String)}
     */
    public static StoreSequences open(String url) {
        return builder(StoreDriver.open(url))
                .createMissing(true)
                .closesStore(true)
                .build();
    }

    /** The sequences of a store, with a patience of 10 s, no listener and threads of their own; they make none that is missing. */
    public static StoreSequences of(SequenceStore store) {
        return builder(store).build();
    }

    /** Returns a builder for the sequences of this store. */
    public static Builder builder(SequenceStore store) {
        return new Builder(store);
    }

    @Override
    public boolean define(SequenceDefinition definition) {
        checkOpen(definition.name());
        if (!(store instanceof SequenceCatalog catalog)) {
            throw new SequenceException.Misconfigured(
                    definition.name(),
                    store + " has no catalogue, so that no sequence can be made in it; make it in the database");
        }
        return define(catalog, () -> definition, definition.name());
    }

    @Override
    public Sequence unique(String name) {
        return open(name, Allocation.adaptive());
    }

    @Override
    public Sequence ordered(String name) {
        if (store instanceof UnorderedStore) {
            throw new SequenceException.Misconfigured(
                    name,
                    store
                            + " spreads its numbers, so that none of its modes is ordered; take unique, or the library's own table");
        }
        return open(name, Allocation.combined());
    }

    @Override
    public Sequence open(String name, Allocation allocation) {
        SequenceDefinition.checkName(name);
        checkOpen(name);
        createIfMissing(name);
        return opened(name, allocation);
    }

    private Sequence opened(String name, Allocation allocation) {
        lock.lock();
        try {
            checkOpen(name);
            Opened opened = open.get(name);
            if (opened == null) {
                opened = new Opened(allocation, openAlone(name, allocation));
                open.put(name, opened);
            }
            return opened.as(allocation);
        } finally {
            lock.unlock();
        }
    }

    /**
     * A sequence that is spread over several counters, each of which is opened in this mode. Opening it again in the same mode returns
     * the same one, until it is closed.
     *
     * <p>Each thread draws from a counter of its own, and from others only when that is exhausted. So values are unique and not
     * ordered, whatever the mode; those of one counter are as the mode says. A block lies in one counter: its step is increment ×
     * stripes, and it is shorter when that counter has fewer values left. Any mode has {@link Sequence#local()}, which draws from one
     * counter. Listeners and errors name the counters.
     *
     * @throws SequenceException.Misconfigured when it, or one of its counters, is open in another mode
     * @throws IllegalStateException when closed
     */
    public Sequence striped(Striping striping, Allocation allocation) {
        checkOpen(striping.name());
        createIfMissing(striping);
        lock.lock();
        try {
            checkOpen(striping.name());
            Opened opened = striped.get(striping);
            if (opened == null) {
                opened = new Opened(allocation, openStripes(striping, allocation));
                striped.put(striping, opened);
            }
            return opened.as(allocation);
        } finally {
            lock.unlock();
        }
    }

    private Sequence openStripes(Striping striping, Allocation allocation) {
        Sequence[] stripes = new Sequence[striping.stripes()];
        for (int stripe = 0; stripe < stripes.length; stripe++) {
            stripes[stripe] = opened(striping.counter(stripe), allocation);
        }
        return new StripedSequence(striping, stripes, allocation.ordered(), forgetting(striped, striping));
    }

    /**
     * The sequence of this name, to draw gapless numbers from in transactions of its callers.
     *
     * @param store where transactions come from: the store of these sequences, if its numbers can be gapless, or another way to the same
     *     database
     * @throws SequenceException.Misconfigured when the name is not one
     * @throws SequenceException as {@link #unique(String)}
     * @throws IllegalStateException when closed
     */
    public <T> GaplessSequence<T> gapless(String name, GaplessStore<T> store) {
        SequenceDefinition.checkName(name);
        checkOpen(name);
        createIfMissing(name);
        return new GaplessDraws<>(
                this, store, TransactionalSequence.of(store, name).patience(patience));
    }

    /**
     * The sequence of this name in the mode GROUPED, over a store in whose transactions its callers work. Opening it again
     * over the same store returns the same one, until it is closed. The store is first asked by the first caller.
     *
     * @param store where transactions come from: the store of these sequences, if it can group, or another way to the same
     *     database
     * @throws SequenceException.Misconfigured when it is open over another store, or with a {@link UnitStart}, or the name is
     *     not one
     * @throws IllegalStateException when closed
     */
    public <T> GroupedSequence<T> grouped(String name, GroupingStore<T> store) {
        return grouped(name, store, GroupLine.NO_START);
    }

    /**
     * As {@link #grouped(String, GroupingStore)}, with something done before each unit: what one unit has set in the transaction,
     * such as {@code SET LOCAL}, the next one sees, unless this sets it anew.
     *
     * @param start runs before each unit, on its caller's thread; keep it in a field, since opening the sequence again asks for
     *     an equal one
     * @throws SequenceException.Misconfigured when it is open over another store or with another start, or the name is not one
     * @throws IllegalStateException when closed
     */
    public <T> GroupedSequence<T> grouped(String name, GroupingStore<T> store, UnitStart<? super T> start) {
        SequenceDefinition.checkName(name);
        lock.lock();
        try {
            checkOpen(name);
            Grouped opened = grouped.computeIfAbsent(
                    name, absent -> new Grouped(store, start, new GroupLine<>(context(name, grouped), store, start)));
            if (!opened.store().equals(store)) {
                throw new SequenceException.Misconfigured(
                        name, "already grouped over " + opened.store() + "; close that one first or use it");
            }
            if (!opened.start().equals(start)) {
                throw new SequenceException.Misconfigured(
                        name, "already grouped with another start of its units; close that one first or use it");
            }
            @SuppressWarnings("unchecked") // it was opened over a store that is equal to this one
            GroupedSequence<T> sequence = (GroupedSequence<T>) opened.sequence();
            return sequence;
        } finally {
            lock.unlock();
        }
    }

    /**
     * The sequence of this name in the mode POOLED, over a store in which numbers can be laid out ahead. Opening it again over
     * the same store returns the same one, until it is closed. The first numbers are laid out at once, in the background.
     *
     * @param store the store of these sequences, if it can pool, or another way to the same database
     * @throws SequenceException.Misconfigured when that database cannot pool, when the sequence is open over another store,
     *     or the name is not one
     * @throws IllegalStateException when closed
     */
    public <T> PooledSequence<T> pooled(String name, PoolingStore<T> store) {
        SequenceDefinition.checkName(name);
        PoolDraws<T> sequence;
        lock.lock();
        try {
            checkOpen(name);
            sequence = openPooled(name, store);
        } finally {
            lock.unlock();
        }
        sequence.layOutAhead();
        return sequence;
    }

    @SuppressWarnings("unchecked") // it was opened over a store that is equal to this one
    private <T> PoolDraws<T> openPooled(String name, PoolingStore<T> store) {
        Pooled opened = pooled.get(name);
        if (opened == null) {
            opened = new Pooled(store, new PoolDraws<>(context(name, pooled), store));
            pooled.put(name, opened);
        } else if (!opened.store().equals(store)) {
            throw new SequenceException.Misconfigured(
                    name, "already pooled over " + opened.store() + "; close that one first or use it");
        }
        return (PoolDraws<T>) opened.sequence();
    }

    /** Closes every sequence that is open, and the threads they used. Calling it again does nothing. */
    @Override
    public void close() {
        List<AutoCloseable> left = new ArrayList<>();
        lock.lock();
        try {
            closed = true;
            open.values().forEach(opened -> left.add(opened.sequence()));
            grouped.values().forEach(opened -> left.add(opened.sequence()));
            pooled.values().forEach(opened -> left.add(opened.sequence()));
            if (ownThreads != null) {
                left.add(ownThreads);
            }
            if (ownStore != null) {
                left.add(ownStore);
            }
        } finally {
            lock.unlock();
        }
        Closing.each(left);
    }

    private Sequence openAlone(String name, Allocation allocation) {
        Reserver reserver = new Reserver(name, store, listener, timing);
        return Modes.open(allocation, context(name, open), reserver, giveBackOnClose);
    }

    private SequenceContext context(String name, Map<String, ?> openedIn) {
        return new SequenceContext(name, listener, executor, timing, patience, forgetting(openedIn, name));
    }

    private void createIfMissing(String name) {
        if (createsMissing && store instanceof SequenceCatalog catalog && !present.contains(name)) {
            define(catalog, () -> DefaultCache.definition(catalog, name).build(), name);
        }
    }

    private void createIfMissing(Striping striping) {
        if (createsMissing && store instanceof SequenceCatalog catalog && !present.contains(striping.counter(0))) {
            try {
                striping.describe(catalog);
            } catch (SequenceException.NotFound missing) {
                try {
                    striping.create(
                            catalog,
                            DefaultCache.definition(catalog, striping.name()).build());
                } catch (SequenceException.AlreadyExists e) {
                    // another process was faster
                }
            }
            present.add(striping.counter(0));
        }
    }

    /** Whether it was missing, and was created here and not by another process in the meantime. */
    private boolean define(SequenceCatalog catalog, Supplier<SequenceDefinition> definition, String name) {
        boolean created = false;
        try {
            catalog.describe(name);
        } catch (SequenceException.NotFound missing) {
            try {
                catalog.create(definition.get());
                created = true;
            } catch (SequenceException.AlreadyExists e) {
                // another process was faster
            }
        }
        present.add(name);
        return created;
    }

    void checkOpen(String name) {
        if (closed) {
            throw new IllegalStateException("these sequences are closed; make others to open " + Messages.quoted(name));
        }
    }

    /** What a sequence does when it is closed; only the first time, since another may have been opened in its place. */
    private <K> Runnable forgetting(Map<K, ?> sequences, K name) {
        AtomicBoolean closedBefore = new AtomicBoolean();
        return () -> {
            if (!closedBefore.getAndSet(true)) {
                forget(sequences, name);
            }
        };
    }

    private <K> void forget(Map<K, ?> sequences, K name) {
        lock.lock();
        try {
            sequences.remove(name);
        } finally {
            lock.unlock();
        }
    }

    /** Collects how sequences work. Not thread-safe. */
    public static final class Builder {
        private final SequenceStore store;
        private Duration patience = Duration.ofSeconds(10);
        private boolean giveBackOnClose;
        private boolean createMissing;
        private @Nullable AutoCloseable ownStore;
        private @Nullable SequenceListener listener;
        private @Nullable Executor executor;
        private Timing timing = JvmTiming.INSTANCE;

        private Builder(SequenceStore store) {
            this.store = store;
        }

        /**
         * How long a caller waits at most, for its turn and for the store together.
         *
         * @throws SequenceException.Misconfigured when it is not positive
         */
        public Builder patience(Duration atMost) {
            patience = Counts.positive(atMost);
            return this;
        }

        /**
         * Whether values in hand go back to the store on close, as far as they are the last that it has dealt: nobody has
         * reserved since, and none behind them has been drawn from this sequence.
         */
        public Builder giveBackOnClose(boolean value) {
            giveBackOnClose = value;
            return this;
        }

        /**
         * Whether a sequence that is missing is made when it is opened: counting up from 1 by 1, in a store that has a catalogue. It is not,
         * unless this says so.
         */
        public Builder createMissing(boolean value) {
            createMissing = value;
            return this;
        }

        /** Applies settings that were written down elsewhere. */
        public Builder with(Consumer<? super Builder> settings) {
            settings.accept(this);
            return this;
        }

        /** Who is told what happens to reservations. */
        public Builder listener(SequenceListener value) {
            listener = value;
            return this;
        }

        /**
         * What reservations run on: it must have threads to spare, which nobody interrupts. Not closed by the sequences.
         */
        public Builder executor(Executor value) {
            executor = value;
            return this;
        }

        /** Whether closing the sequences closes the store. It does not, unless this says so. */
        public Builder closesStore(boolean value) {
            ownStore = value && store instanceof AutoCloseable opened ? opened : null;
            return this;
        }

        /** What they wait by; another than the virtual machine is for tests. */
        Builder timing(Timing value) {
            timing = value;
            return this;
        }

        /** The sequences. */
        public StoreSequences build() {
            return new StoreSequences(this);
        }

        private Executor requireExecutor() {
            return Objects.requireNonNull(executor);
        }
    }
}
