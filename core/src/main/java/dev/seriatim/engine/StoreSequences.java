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
import dev.seriatim.engine.block.BlockSequence;
import dev.seriatim.engine.dispatch.Listeners;
import dev.seriatim.engine.dispatch.SequenceContext;
import dev.seriatim.engine.dispatch.Suspendable;
import dev.seriatim.engine.dispatch.Timing;
import dev.seriatim.engine.group.GroupLine;
import dev.seriatim.engine.line.LineSequence;
import dev.seriatim.engine.line.Reserver;
import dev.seriatim.engine.pool.PoolDraws;
import dev.seriatim.engine.sizing.AdaptiveSizing;
import dev.seriatim.engine.sizing.FixedSizing;
import dev.seriatim.engine.sizing.Sizing;
import dev.seriatim.internal.Closing;
import dev.seriatim.internal.Messages;
import dev.seriatim.store.ConfirmingStore;
import dev.seriatim.store.GaplessStore;
import dev.seriatim.store.GroupingStore;
import dev.seriatim.store.PoolingStore;
import dev.seriatim.store.SequenceCatalog;
import dev.seriatim.store.SequenceStore;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.store.TransactionalSequence;
import dev.seriatim.striped.StripedSequence;
import dev.seriatim.striped.Striping;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The sequences of any store. Stores with transactions have a subclass that also opens gapless sequences. Thread-safe. Does
 * not close the store unless it opened it.
 */
public class StoreSequences implements Sequences {

    /** Maximum number of concurrent reservations per ASYNC sequence; further callers queue. */
    static final int ASYNC_RESERVATIONS = 16;

    private static final AtomicInteger THREADS = new AtomicInteger();

    private final SequenceStore store;
    private final @Nullable SequenceListener listener;
    private final Duration patience;
    private final boolean giveBackOnClose;
    private final @Nullable ExecutorService ownThreads;
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
    private boolean suspended;

    @SuppressWarnings("UnusedVariable") // the context that it is registered with does not keep it
    private final @Nullable Object checkpoints;

    /** Opened by {@link #gapless}; these are never closed. */
    private final Set<String> gapless = new HashSet<>();

    /** Sequences known to exist in the store, so that opening them does not ask it again. */
    private final Set<String> present = ConcurrentHashMap.newKeySet();

    private record Opened(Allocation allocation, Sequence sequence) {
        Sequence as(Allocation asked) {
            if (!allocation.equals(asked)) {
                throw inUse(sequence.name(), "open as " + allocation);
            }
            return sequence;
        }
    }

    private record Grouped(GroupingStore<?> store, UnitStart<?> start, GroupedSequence<?> sequence) {}

    private record Pooled(PoolingStore<?> store, PoolDraws<?> sequence) {}

    StoreSequences(Builder builder) {
        store = Objects.requireNonNull(builder.store);
        listener = builder.listener;
        patience = builder.patience;
        giveBackOnClose = builder.giveBackOnClose;
        ownThreads = builder.executor == null ? refillThreads() : null;
        executor = ownThreads == null ? Objects.requireNonNull(builder.executor) : ownThreads;
        timing = builder.timing;
        createsMissing = builder.createMissing;
        ownStore = builder.closesStore && store instanceof AutoCloseable opened ? opened : null;
        checkpoints = registered();
    }

    /**
     * Returns the threads that call the store. Their number is unbounded here because each sequence bounds its own calls. They are
     * daemons, end after 10 s without work, and are never interrupted.
     */
    private static ExecutorService refillThreads() {
        return new ThreadPoolExecutor(0, Integer.MAX_VALUE, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), work -> {
            Thread thread = new Thread(work, "seriatim-refill-" + THREADS.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Returns null without org.crac, which announces checkpoints. */
    private @Nullable Object registered() {
        try {
            return new Checkpoints(this);
        } catch (LinkageError e) {
            return null;
        }
    }

    /**
     * Opens the store that a URL names. Missing sequences are created when opened. Closing this instance closes the store.
     *
     * @throws SequenceException as {@link StoreDriver#open(String)}
     */
    public static StoreSequences open(String url) {
        return builder(StoreDriver.open(url))
                .createMissing(true)
                .closesStore(true)
                .build();
    }

    /** Returns a store's sequences, with a patience of 10 s, no listener, and separate threads. Creates no missing sequence. */
    public static StoreSequences of(SequenceStore store) {
        return builder(store).build();
    }

    public static Builder builder(SequenceStore store) {
        return new Builder(store);
    }

    @Override
    public boolean define(SequenceDefinition definition) {
        checkOpen(definition.name());
        if (!(store instanceof SequenceCatalog catalog)) {
            throw new SequenceException.Misconfigured(
                    definition.name(),
                    store
                            + " has no catalogue, so sequences cannot be created through it; create them in the database");
        }
        return define(definition.name(), () -> catalog.describe(definition.name()), () -> catalog.create(definition));
    }

    @Override
    public Sequence unique(String name) {
        return open(name, Allocation.adaptive());
    }

    @Override
    public Sequence ordered(String name) {
        if (!store.ordered()) {
            throw new SequenceException.Misconfigured(
                    name,
                    store
                            + " distributes its numbers, so none of its modes is ordered; use unique, or the library's own table");
        }
        return open(
                name,
                openAs(name)
                        .filter(Allocation::ordered)
                        .orElseGet(() -> ConfirmingStore.whyNot(store).isEmpty()
                                ? Allocation.confirmed()
                                : Allocation.combined()));
    }

    /** The mode in which the sequence is open; empty if it is not. */
    private Optional<Allocation> openAs(String name) {
        return locked(() -> Optional.ofNullable(open.get(name)).map(Opened::allocation));
    }

    @Override
    public Sequence open(String name, Allocation allocation) {
        SequenceDefinition.checkName(name);
        checkOpen(name);
        createIfMissing(name);
        checkPossible(name, allocation);
        return opened(name, allocation);
    }

    /** May query the store, so not under the lock. */
    private void checkPossible(String name, Allocation allocation) {
        if (allocation instanceof Allocation.Confirmed && openAs(name).isEmpty()) {
            ConfirmingStore.whyNot(store).ifPresent(why -> {
                throw new SequenceException.Misconfigured(
                        name, "CONFIRMED is not possible over " + store + ": " + why + "; use COMBINED");
            });
        }
    }

    private Sequence opened(String name, Allocation allocation) {
        return locked(() -> {
            checkOpen(name);
            Opened opened = open.get(name);
            if (opened == null) {
                if (gapless.contains(name) || grouped.containsKey(name) || pooled.containsKey(name)) {
                    throw new SequenceException.Misconfigured(
                            name,
                            "already open as gapless, and " + allocation + " would leave gaps; use another sequence");
                }
                opened = new Opened(allocation, openAlone(name, allocation));
                if (suspended && opened.sequence() instanceof Suspendable suspendable) {
                    suspendable.suspend();
                }
                open.put(name, opened);
            }
            return opened.as(allocation);
        });
    }

    /** Under the lock. */
    private void checkMayBeGapless(String name) {
        Opened opened = open.get(name);
        if (opened != null) {
            throw new SequenceException.Misconfigured(
                    name,
                    "already open as " + opened.allocation()
                            + ", which leaves gaps; use another sequence for gapless numbers, or close that one first");
        }
    }

    /**
     * Opens a sequence that is striped over several counters, each opened in this mode. Until it is closed, opening it
     * again in the same mode returns the same instance.
     *
     * <p>Each thread draws from its own counter, and from others only if that one is exhausted. Values are therefore
     * unique but not ordered, whatever the mode. A block comes from one counter: its step is increment × stripes, and it
     * is shorter if that counter has fewer values left. {@link Sequence#local()} is available in every mode and draws
     * from one counter. Listeners and errors name the counters.
     *
     * @throws SequenceException.Misconfigured if the sequence or one of its counters is already open in another mode
     */
    public Sequence striped(Striping striping, Allocation allocation) {
        checkOpen(striping.name());
        createIfMissing(striping.name(), striping.counter(0), striping::describe, striping::create);
        checkPossible(striping.name(), allocation);
        return locked(() -> {
            checkOpen(striping.name());
            Opened opened = striped.get(striping);
            if (opened == null) {
                Sequence[] stripes = new Sequence[striping.stripes()];
                for (int stripe = 0; stripe < stripes.length; stripe++) {
                    stripes[stripe] = opened(striping.counter(stripe), allocation);
                }
                List<AutoCloseable> closing =
                        List.of(() -> closeTogether(List.of(stripes)), forgetting(striped, striping)::run);
                opened = new Opened(
                        allocation,
                        new StripedSequence(striping, stripes, allocation.ordered(), () -> Closing.each(closing)));
                striped.put(striping, opened);
            }
            return opened.as(allocation);
        });
    }

    /**
     * Opens a sequence for gapless draws in the callers' transactions.
     *
     * @param store provides the transactions: the store of these sequences, or another connection to the same database
     * @throws SequenceException.Misconfigured if it is already open in a mode that leaves gaps, or the name is invalid
     * @throws SequenceException as {@link #unique(String)}
     */
    public <T> GaplessSequence<T> gapless(String name, GaplessStore<T> store) {
        SequenceDefinition.checkName(name);
        checkOpen(name);
        createIfMissing(name);
        locked(() -> {
            checkMayBeGapless(name);
            return gapless.add(name);
        });
        return new Gapless<>(name, store);
    }

    /** Draws directly from a store while these sequences are open. */
    private final class Gapless<T> extends TransactionalSequence<T> implements GaplessSequence<T> {
        private final GaplessStore<T> store;

        Gapless(String name, GaplessStore<T> store) {
            super(store, name, patience);
            this.store = store;
        }

        @Override
        protected void checkOpen() {
            StoreSequences.this.checkOpen(name());
        }

        @Override
        public GroupedSequence<T> grouped() {
            return StoreSequences.this.grouped(name(), store);
        }

        @Override
        public GroupedSequence<T> grouped(UnitStart<? super T> start) {
            return StoreSequences.this.grouped(name(), store, start);
        }

        @Override
        public PooledSequence<T> pooled() {
            return StoreSequences.this.pooled(name(), store);
        }
    }

    /** Opens a sequence as {@link #grouped(String, GroupingStore, UnitStart)} does, with nothing to run before each unit. */
    public <T> GroupedSequence<T> grouped(String name, GroupingStore<T> store) {
        return grouped(name, store, GroupLine.NO_START);
    }

    /**
     * Opens a sequence in GROUPED mode, like {@link GaplessSequence#grouped(UnitStart)}. Does not access the store before the first caller.
     *
     * @param store as {@link #gapless}
     * @throws SequenceException.Misconfigured if it is already open over another store, with another start, or in a mode that leaves gaps,
     *     or the name is invalid
     */
    public <T> GroupedSequence<T> grouped(String name, GroupingStore<T> store, UnitStart<? super T> start) {
        SequenceDefinition.checkName(name);
        return locked(() -> {
            checkOpen(name);
            checkMayBeGapless(name);
            Grouped opened = grouped.computeIfAbsent(
                    name, absent -> new Grouped(store, start, new GroupLine<>(context(name, grouped), store, start)));
            if (!opened.store().equals(store)) {
                throw inUse(name, "grouped over " + opened.store());
            }
            if (!opened.start().equals(start)) {
                throw inUse(name, "grouped with another start for its units");
            }
            @SuppressWarnings("unchecked") // opened over an equal store
            GroupedSequence<T> sequence = (GroupedSequence<T>) opened.sequence();
            return sequence;
        });
    }

    /**
     * Opens a sequence in POOLED mode, like {@link GaplessSequence#pooled()}.
     *
     * @param store as {@link #gapless}
     * @throws SequenceException.Misconfigured if the database does not support pools, if the sequence is already open
     *     over another store or in a mode that leaves gaps, or if the name is invalid
     */
    public <T> PooledSequence<T> pooled(String name, PoolingStore<T> store) {
        SequenceDefinition.checkName(name);
        Pooled sequence = locked(() -> {
            checkOpen(name);
            checkMayBeGapless(name);
            Pooled opened = pooled.computeIfAbsent(
                    name, absent -> new Pooled(store, new PoolDraws<>(context(name, pooled), store)));
            if (!opened.store().equals(store)) {
                throw inUse(name, "pooled over " + opened.store());
            }
            return opened;
        });
        @SuppressWarnings("unchecked") // opened over an equal store
        PoolDraws<T> draws = (PoolDraws<T>) sequence.sequence();
        draws.layOutAhead();
        return draws;
    }

    private static SequenceException inUse(String name, String how) {
        return new SequenceException.Misconfigured(name, "already " + how + "; use that instance or close it first");
    }

    /** Returns the underlying store. If it is a {@link SequenceCatalog}, it lists, changes and removes sequences. */
    public SequenceStore store() {
        return store;
    }

    /**
     * Returns the sequences that are open here, ordered by name. Does not query the store. A {@link GaplessSequence} is
     * listed only in the modes GROUPED and POOLED.
     */
    public List<OpenSequence> opened() {
        List<OpenSequence> opened = new ArrayList<>();
        List<Opened> drawing = locked(() -> {
            grouped.keySet().forEach(name -> opened.add(new OpenSequence(name, "GROUPED", 0)));
            pooled.keySet().forEach(name -> opened.add(new OpenSequence(name, "POOLED", 0)));
            return List.copyOf(open.values());
        });
        drawing.forEach(each -> opened.add(OpenSequence.of(each.sequence(), each.allocation())));
        opened.sort(Comparator.comparing(OpenSequence::name).thenComparing(OpenSequence::mode));
        return opened;
    }

    @Override
    public void close() {
        List<AutoCloseable> drawing = locked(() -> {
            closed = true;
            List<AutoCloseable> all = new ArrayList<>();
            open.values().forEach(opened -> all.add(opened.sequence()));
            grouped.values().forEach(opened -> all.add(opened.sequence()));
            pooled.values().forEach(opened -> all.add(opened.sequence()));
            return all;
        });
        List<AutoCloseable> left = new ArrayList<>();
        left.add(() -> closeTogether(drawing));
        if (ownThreads != null) {
            left.add(ownThreads::shutdown); // calls under way continue: an interrupt may break the driver
        }
        if (ownStore != null) {
            left.add(ownStore);
        }
        Closing.each(left);
    }

    private void closeTogether(List<? extends AutoCloseable> drawing) {
        Closing.together(drawing, patience, Listeners::thread);
    }

    @Override
    public String toString() {
        return "sequences of " + store;
    }

    void suspend() {
        try {
            Closing.each(suspendables(true).stream()
                    .map(each -> (AutoCloseable) each::suspend)
                    .toList());
        } catch (Throwable e) {
            resume();
            throw e;
        }
    }

    void resume() {
        suspendables(false).forEach(Suspendable::resume);
    }

    private List<Suspendable> suspendables(boolean suspend) {
        return locked(() -> {
            suspended = suspend;
            return open.values().stream()
                    .map(each -> (Suspendable) each.sequence())
                    .toList();
        });
    }

    private <R> R locked(Supplier<R> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }

    private Sequence openAlone(String name, Allocation allocation) {
        SequenceContext context = context(name, open);
        Reserver reserver = new Reserver(name, store, context.listener(), timing);
        if (allocation instanceof Allocation.Async) {
            return LineSequence.async(context, reserver, ASYNC_RESERVATIONS);
        }
        if (allocation instanceof Allocation.Combined) {
            return LineSequence.combined(context, reserver);
        }
        if (allocation instanceof Allocation.Confirmed confirmed) {
            return LineSequence.confirmed(context, reserver, confirmed.maxBlock(), giveBackOnClose);
        }
        return new BlockSequence(context, reserver, sizing(allocation), giveBackOnClose);
    }

    private static Sizing sizing(Allocation blocks) {
        if (blocks instanceof Allocation.Batch batch) {
            return new FixedSizing(batch.size(), FixedSizing.NO_MARK);
        }
        return blocks instanceof Allocation.AsyncBatch batch
                ? new FixedSizing(batch.size(), batch.lowWaterMark())
                : new AdaptiveSizing((Allocation.Adaptive) blocks);
    }

    private SequenceContext context(String name, Map<String, ?> openedIn) {
        Listeners listeners = listener == null ? Listeners.silent() : new Listeners(listener);
        return new SequenceContext(name, listeners, executor, timing, patience, forgetting(openedIn, name));
    }

    private void createIfMissing(String name) {
        createIfMissing(name, name, catalog -> catalog.describe(name), SequenceCatalog::create);
    }

    private void createIfMissing(
            String name,
            String counter,
            Consumer<SequenceCatalog> describe,
            BiConsumer<SequenceCatalog, SequenceDefinition> create) {
        if (createsMissing && store instanceof SequenceCatalog catalog && !present.contains(counter)) {
            define(
                    counter,
                    () -> describe.accept(catalog),
                    () -> create.accept(catalog, catalog.newDefinition(name).build()));
        }
    }

    /** Returns whether the sequence was missing and this call, not another process, created it. */
    private boolean define(String name, Runnable describe, Runnable create) {
        boolean created = false;
        try {
            describe.run();
        } catch (SequenceException.NotFound missing) {
            try {
                create.run();
                created = true;
            } catch (SequenceException.AlreadyExists e) {
                // another process created it first
            }
        }
        present.add(name);
        return created;
    }

    /** Called by each gapless draw, so the message is built only if it is needed. */
    void checkOpen(String name) {
        if (closed) {
            checkOpenTo("open " + Messages.quoted(name));
        }
    }

    void checkOpenTo(String what) {
        if (closed) {
            throw new IllegalStateException("these sequences are closed; create new ones to " + what);
        }
    }

    /** Returns the action to run when a sequence closes. Acts once, because another instance may be open by the second time. */
    private <K> Runnable forgetting(Map<K, ?> sequences, K name) {
        AtomicBoolean closedBefore = new AtomicBoolean();
        return () ->
                locked(() -> closedBefore.getAndSet(true) || sequences.keySet().remove(name));
    }

    /** Configures a store's sequences. Not thread-safe. */
    public static final class Builder {
        private @Nullable SequenceStore store;
        private Duration patience = Duration.ofSeconds(10);
        private boolean giveBackOnClose;
        private boolean createMissing;
        private boolean closesStore;
        private @Nullable SequenceListener listener;
        private @Nullable Executor executor;
        private Timing timing = Timing.JVM;

        Builder() {}

        private Builder(SequenceStore store) {
            this.store = store;
        }

        /** Opens the store with the patience set so far. */
        Builder opening(Function<Duration, ? extends SequenceStore> opening) {
            store = opening.apply(patience);
            return this;
        }

        /**
         * Sets the maximum time a caller waits for its turn and for the store together.
         *
         * @throws SequenceException.Misconfigured if it is not positive
         */
        public Builder patience(Duration atMost) {
            patience = TransactionalSequence.checkPatience(atMost);
            return this;
        }

        /**
         * Sets whether closing gives unused values back. A store takes back only the values that it reserved last. If the
         * store hangs, closing waits no longer than the patience, for up to 16 sequences at once, and reports as lost what has not
         * begun to go back.
         */
        public Builder giveBackOnClose(boolean value) {
            giveBackOnClose = value;
            return this;
        }

        /** Sets whether opening creates a missing sequence, from 1 by 1, if the store has a catalogue. The default is false. */
        public Builder createMissing(boolean value) {
            createMissing = value;
            return this;
        }

        /** Applies settings that are defined elsewhere. */
        public Builder with(Consumer<? super Builder> settings) {
            settings.accept(this);
            return this;
        }

        /** Sets the listener that is notified about reservations. */
        public Builder listener(SequenceListener value) {
            listener = value;
            return this;
        }

        /** Sets the executor for reservations. Its threads must not be interrupted. Closing the sequences does not close it. */
        public Builder executor(Executor value) {
            executor = value;
            return this;
        }

        /** Sets whether closing the sequences closes the store. The default is false. */
        public Builder closesStore(boolean value) {
            closesStore = value;
            return this;
        }

        /** Replaces the clock, locks and timers, for tests. */
        Builder timing(Timing value) {
            timing = value;
            return this;
        }

        public StoreSequences build() {
            return new StoreSequences(this);
        }
    }
}
