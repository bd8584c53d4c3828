// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.memory;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.store.GroupingStore;
import dev.seriatim.store.SavepointTransaction;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SharedTransaction;
import dev.seriatim.store.SharedTransaction.Blame;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Counters in memory and a ledger with savepoints, as an application's table in the same database; with a hook at each
 * step that may wait, throw, or do something in between.
 */
public final class LedgerStore implements GroupingStore<LedgerStore.Pages> {

    @Override
    public String toString() {
        return "the store";
    }

    /** Runs at a step. */
    public interface Hook {
        void at(int time) throws InterruptedException;
    }

    /** The transaction's entries. After a failed entry, all others fail until it is undone, as in PostgreSQL. */
    public static final class Pages {
        private final List<Long> entries = new ArrayList<>();
        private boolean spoiled;

        public void enter(long number) {
            if (spoiled) {
                throw new IllegalArgumentException("nothing works since a statement failed");
            }
            entries.add(number);
        }

        public void spoil() {
            spoiled = true;
            throw new IllegalArgumentException("a statement failed");
        }
    }

    public static final class Conflict extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    public final InMemoryStore memory = new InMemoryStore();
    public final List<Long> ledger = new CopyOnWriteArrayList<>();
    public final AtomicInteger begun = new AtomicInteger();
    public final AtomicInteger marks = new AtomicInteger();
    public final AtomicInteger undone = new AtomicInteger();
    public final AtomicInteger commits = new AtomicInteger();
    public final AtomicInteger rollbacks = new AtomicInteger();
    public volatile boolean answers;
    public volatile boolean failsToAnswer;
    public volatile Hook beforeBegin = time -> {};
    public volatile Hook beforeCounter = time -> {};
    public volatile Hook beforeMark = time -> {};
    public volatile Hook beforeUndo = time -> {};
    public volatile Hook beforeCommit = time -> {};
    public volatile Hook beforeRollback = time -> {};
    public volatile Consumer<List<Long>> beforeCommitOf = entries -> {};
    public volatile Hook afterCommit = time -> {};

    public LedgerStore() {
        memory.create(SequenceDefinition.of("s"));
    }

    @Override
    public SharedTransaction<Pages> begin(String name) {
        run(beforeBegin, begun);
        return new Shared(memory.begin(name), new Pages());
    }

    @Override
    public boolean answers(String name) {
        if (failsToAnswer) {
            throw new SequenceException.Unavailable(name, "the connection broke", null);
        }
        return answers && memory.answers(name);
    }

    private static void run(Hook hook, AtomicInteger times) {
        try {
            hook.at(times.incrementAndGet());
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted inside the store", e);
        }
    }

    private final class Shared implements SavepointTransaction<Pages> {
        private final SharedTransaction<InMemoryTransaction> counter;
        private final InMemoryTransaction handle;
        private final Pages pages;

        Shared(SharedTransaction<InMemoryTransaction> counter, Pages pages) {
            this.counter = counter;
            handle = ((InMemoryStore.Group) counter).transaction();
            this.pages = pages;
        }

        @Override
        public Pages handle(Drawn drawn) {
            return pages;
        }

        @Override
        public SequenceState counter() {
            run(beforeCounter, new AtomicInteger());
            return counter.counter();
        }

        @Override
        public Blame blame(Throwable thrown) {
            if (thrown instanceof Conflict) {
                return Blame.OTHER_SESSION;
            }
            return pages.spoiled ? Blame.EARLIER_UNIT : Blame.UNIT;
        }

        @Override
        public Mark mark() {
            run(beforeMark, marks);
            checkNotSpoiled();
            int mark = pages.entries.size();
            return () -> {
                run(beforeUndo, undone);
                pages.entries.subList(mark, pages.entries.size()).clear();
                pages.spoiled = false;
            };
        }

        @Override
        public void commit(SequenceState after) {
            try {
                run(beforeCommit, commits);
                beforeCommitOf.accept(pages.entries);
                checkNotSpoiled();
                handle.onCommit(() -> ledger.addAll(pages.entries));
            } catch (RuntimeException | Error e) {
                counter.rollback();
                throw e;
            }
            counter.commit(after);
            try {
                afterCommit.at(commits.get());
            } catch (InterruptedException e) {
                throw new AssertionError("interrupted inside the store", e);
            }
        }

        @Override
        public void rollback() {
            try {
                run(beforeRollback, rollbacks);
            } finally {
                counter.rollback();
            }
        }

        private void checkNotSpoiled() {
            if (pages.spoiled) {
                throw new SequenceException.Misconfigured("s", "a unit failed without reporting it");
            }
        }
    }
}
