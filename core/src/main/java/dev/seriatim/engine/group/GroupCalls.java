// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.group;

import dev.seriatim.SequenceException;
import dev.seriatim.engine.dispatch.SequenceContext;
import dev.seriatim.engine.dispatch.Step;
import dev.seriatim.engine.dispatch.StoreFailures;
import dev.seriatim.internal.Messages;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SharedTransaction;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The calls of {@link Groups} to the store, outside the lock: on the executor, or on the thread of the caller that waits for the
 * call if the store can bound the wait. The decision that follows a call is taken whatever the store or a listener throws.
 */
final class GroupCalls<T> {

    private final GroupLine<T> line;
    private final Groups<T> groups;
    private final SequenceContext context;

    GroupCalls(GroupLine<T> line, Groups<T> groups) {
        this.line = line;
        this.groups = groups;
        this.context = line.context;
    }

    /** Begins a transaction, if possible on the thread of the caller that waits for it. */
    void begin(Slot slot, boolean byCaller) {
        if (byCaller) {
            if (beginHere(slot)) {
                return;
            }
            line.decide(() -> groups.handedOver(slot));
        }
        context.execute(new Step() {
            @Override
            public void run() {
                askToBegin(slot);
            }

            @Override
            public void refused(Throwable why) {
                line.decide(() -> groups.notBegun(slot, noThread(why)));
            }
        });
    }

    void probe(Slot slot) {
        context.execute(new Step() {
            @Override
            public void run() {
                checkAnswer(slot);
            }

            @Override
            public void refused(Throwable why) {} // the answer stays unknown
        });
    }

    /** Commits, if possible on the thread of the caller whose unit was the last; it is null on any other thread. */
    void commit(Group<T> group, @Nullable Member<T> last) {
        if (last == null || !commitHere(group, last)) {
            context.execute(() -> askToCommit(group));
        }
    }

    void rollBack(Group<T> group) {
        context.execute(() -> askToRollBack(group));
    }

    /** Returns whether a transaction has begun. If not, the executor tries again and reports the failure. */
    private boolean beginHere(Slot slot) {
        Duration quarter = context.patience().dividedBy(4);
        if (!SequenceContext.mayCallHere()) {
            return false;
        }
        SharedTransaction<T> transaction = null;
        SequenceState counter;
        try {
            Optional<SharedTransaction<T>> here = line.store.beginHere(context.name(), SequenceContext.maxHere(quarter));
            if (here.isEmpty()) {
                return false;
            }
            transaction = here.get();
            counter = Objects.requireNonNull(transaction.counter(), "no counter");
        } catch (Throwable e) {
            rollBackUnused(transaction);
            return false;
        }
        SharedTransaction<T> begun = transaction;
        line.decide(() -> groups.began(slot, begun, counter));
        return true;
    }

    private void askToBegin(Slot slot) {
        SharedTransaction<T> transaction = null;
        SequenceState counter;
        try {
            transaction = Objects.requireNonNull(line.store.begin(context.name()), "no transaction");
            counter = Objects.requireNonNull(transaction.counter(), "no counter");
        } catch (Throwable e) {
            SequenceException failure = StoreFailures.ofStore(context.name(), e);
            rollBackUnused(transaction);
            failed(failure, () -> groups.notBegun(slot, failure));
            return;
        }
        SharedTransaction<T> begun = transaction;
        line.decide(() -> groups.began(slot, begun, counter));
    }

    private void rollBackUnused(@Nullable SharedTransaction<T> unused) {
        try {
            if (unused != null) {
                unused.rollback();
            }
        } catch (Throwable e) {
            // The transaction has ended anyway, and nothing was done in it.
        }
    }

    private void checkAnswer(Slot slot) {
        boolean answers;
        try {
            answers = line.store.answers(context.name());
        } catch (Throwable e) {
            return; // no answer: beginning the transaction reports the failure
        }
        if (answers) {
            line.decide(() -> groups.answered(slot));
        }
    }

    /** Returns whether the commit was sent. A caller that has little time left does not wait for it here. */
    private boolean commitHere(Group<T> group, Member<T> last) {
        long left = last.nanosLeft();
        if (!SequenceContext.mayCallHere() || left < context.patienceNanos() / 2) {
            return false;
        }
        try {
            if (!group.transaction.commitHere(group.counter, Duration.ofNanos(left))) {
                return false;
            }
        } catch (Throwable e) {
            context.execute(() -> notCommitted(group, e)); // a listener may take its time
            return true;
        }
        line.decide(() -> groups.committed(group));
        return true;
    }

    private void askToCommit(Group<T> group) {
        try {
            group.transaction.commit(group.counter);
        } catch (Throwable e) {
            notCommitted(group, e);
            return;
        }
        line.decide(() -> groups.committed(group));
    }

    private void notCommitted(Group<T> group, Throwable thrown) {
        // An undeclared exception says nothing about the outcome.
        SequenceException failure = thrown instanceof SequenceException ours
                ? ours
                : new SequenceException.CommitOutcomeUnknown(context.name(), thrown);
        failed(failure, () -> groups.notCommitted(group, failure));
    }

    private void askToRollBack(Group<T> group) {
        try {
            group.transaction.rollback();
        } catch (Throwable e) {
            SequenceException failure = e instanceof SequenceException.CommitOutcomeUnknown ours
                    ? ours
                    : new SequenceException.CommitOutcomeUnknown(
                            context.name(),
                            "the store failed to say whether it rolled back (" + Messages.shown(e) + ")",
                            e);
            failed(failure, () -> groups.endedBefore(group, failure));
            return;
        }
        line.decide(() -> groups.rolledBack(group));
    }

    private void failed(SequenceException failure, Supplier<Runnable> decision) {
        try {
            context.listener().call(l -> l.failed(context.name(), failure));
        } finally {
            line.decide(decision);
        }
    }

    private SequenceException noThread(Throwable why) {
        return new SequenceException.Unavailable(
                context.name(), "no thread is available to call the store: " + Messages.shown(why), why);
    }
}
