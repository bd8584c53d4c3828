// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.testkit;

import dev.seriatim.store.GroupingStore;
import dev.seriatim.store.SavepointTransaction;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SharedTransaction;
import java.util.function.Predicate;

/**
 * A real store's shared transactions, with a hook at each step. If a hook throws, the real transaction has ended as
 * described for that step. Thread-safe.
 *
 * @param <T> the transaction handle
 */
final class HookedGroups<T> implements GroupingStore<T> {

    /** May throw anything. */
    @FunctionalInterface
    interface Hook {
        void run() throws Throwable;
    }

    private static final Hook NOTHING = () -> {};

    private final GroupingStore<T> real;

    /** Throwables that count as conflicts with another session, in addition to the store's own. */
    volatile Predicate<Throwable> conflict = thrown -> false;

    volatile Hook atBegin = NOTHING;
    volatile Hook atMark = NOTHING;
    volatile Hook atUndo = NOTHING;

    /** If it throws, nothing is committed. */
    volatile Hook beforeCommit = NOTHING;

    /** If it throws, everything is committed. */
    volatile Hook afterCommit = NOTHING;

    /** If it throws, everything is rolled back. */
    volatile Hook afterRollback = NOTHING;

    HookedGroups(GroupingStore<T> real) {
        this.real = real;
    }

    @Override
    public SharedTransaction<T> begin(String name) {
        run(atBegin);
        SharedTransaction<T> transaction = real.begin(name);
        return transaction instanceof SavepointTransaction<T> marked
                ? new HookedSavepoints(marked)
                : new Hooked(transaction);
    }

    @Override
    public boolean answers(String name) {
        return real.answers(name);
    }

    private static void run(Hook hook) {
        try {
            hook.run();
        } catch (Throwable e) {
            throw Errors.thrown(e);
        }
    }

    private class Hooked implements SharedTransaction<T> {
        private final SharedTransaction<T> transaction;

        Hooked(SharedTransaction<T> transaction) {
            this.transaction = transaction;
        }

        @Override
        public T handle(Drawn drawn) {
            return transaction.handle(drawn);
        }

        @Override
        public SequenceState counter() {
            return transaction.counter();
        }

        @Override
        public Blame blame(Throwable thrown) {
            return conflict.test(thrown) ? Blame.OTHER_SESSION : transaction.blame(thrown);
        }

        @Override
        public void commit(SequenceState counter) {
            boolean goesOn = false;
            try {
                run(beforeCommit);
                goesOn = true;
            } finally {
                if (!goesOn) {
                    transaction.rollback();
                }
            }
            transaction.commit(counter);
            run(afterCommit);
        }

        @Override
        public void rollback() {
            transaction.rollback();
            run(afterRollback);
        }
    }

    private final class HookedSavepoints extends Hooked implements SavepointTransaction<T> {
        private final SavepointTransaction<T> transaction;

        HookedSavepoints(SavepointTransaction<T> transaction) {
            super(transaction);
            this.transaction = transaction;
        }

        @Override
        public Mark mark() {
            run(atMark);
            Mark mark = transaction.mark();
            return () -> {
                run(atUndo);
                mark.undo();
            };
        }
    }
}
