// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.group;

import dev.seriatim.SequenceException;
import dev.seriatim.engine.dispatch.Retry;
import dev.seriatim.engine.dispatch.SequenceContext;
import dev.seriatim.engine.dispatch.Step;
import dev.seriatim.engine.dispatch.StoreFailures;
import dev.seriatim.engine.dispatch.Tasks;
import dev.seriatim.internal.Messages;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SharedTransaction;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of a {@link GroupLine}: when one begins, which member has the turn, when it is committed, and what happens to
 * its members if that fails. Decisions are taken under the line's lock, and return the action to run outside.
 *
 * <p>One transaction at a time accepts callers. If its current step lasts longer than half of the patience, it is abandoned: a
 * connection that died unnoticed must not stop the sequence. The next transaction may wait in the database for its lock.
 */
final class Groups<T> {

    static final Runnable NOTHING = () -> {};

    /** Maximum time after the first unit for which a transaction accepts callers: that unit's caller waits. */
    private static final long MAX_OPEN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final GroupLine<T> line;
    private final SequenceContext context;
    private final SavepointPolicy policy = new SavepointPolicy();
    private final Retry retry;
    private final Tasks<Slot> slots;

    /** Commits and conflicts so far. */
    private long answers;

    private @Nullable SequenceException lastFailure;
    private @Nullable Throwable lastConflict;

    /** The counter as our last commit left it. */
    private @Nullable SequenceState committed;

    /** The counter has gone back behind that: nothing more is dealt. */
    private SequenceException.@Nullable Regressed stopped;

    /** The conflict of the last attempt to begin a transaction. */
    private @Nullable SequenceException notBegun;

    Groups(GroupLine<T> line) {
        this.line = line;
        this.context = line.context;
        this.retry = new Retry(context.timing());
        this.slots = new Tasks<>(context.timing(), context.patienceNanos() / 2, 1);
    }

    long answers() {
        return answers;
    }

    /** Whether no transaction may still serve its members. Members of an abandoned beginning are still in the line. */
    boolean idle() {
        return slots.isEmpty() && !slots.anyAbandoned(slot -> !slot.beginning);
    }

    boolean runsUnitOn(Thread thread) {
        return slots.any(slot -> slot.worker == thread);
    }

    void checkNotStopped() {
        if (stopped != null) {
            throw stopped.again();
        }
    }

    /** Whether another session holds the counter's lock. */
    boolean waitsForLock() {
        Slot current = slots.oldest();
        return current != null && current.beginning && slots.any(slot -> slot.beginning && slot.locked);
    }

    /** Returns why no transaction has begun since a caller joined; null if one has, or if unknown. */
    @Nullable
    SequenceException whyNotBegun(long answersBefore) {
        Slot current = slots.oldest();
        boolean begun = current != null && !current.beginning;
        return !begun && answersSince(answersBefore) ? notBegun : null;
    }

    /** Whether the store has answered since, or has not been called since it answered. */
    boolean answersSince(long answersBefore) {
        return answers > answersBefore || (slots.isEmpty() && lastConflict != null);
    }

    boolean unitRuns() {
        return slots.any(slot -> slot.worker != null);
    }

    @Nullable
    Throwable lastTrouble() {
        return lastConflict != null ? lastConflict : lastFailure;
    }

    /** Begins a transaction if one is due; with {@code byCaller}, on the thread of the caller that has just joined. */
    Runnable start(boolean byCaller) {
        abandonOverdue();
        if (!slots.isEmpty() || line.waiting.isEmpty() || retry.scheduled()) {
            return NOTHING;
        }
        long pause = retry.pause();
        if (pause > 0) {
            retry.schedule();
            return () -> decideAfter(pause, this::startAfterPause);
        }
        return startNow(byCaller);
    }

    /** Decides after a pause; immediately if there is no thread for the clock. */
    private void decideAfter(long pause, Supplier<Runnable> decision) {
        Step step = () -> line.decide(decision);
        context.after(pause, () -> context.execute(step), noThread -> step.run());
    }

    private Runnable startAfterPause() {
        retry.due();
        return slots.isEmpty() && !line.waiting.isEmpty() ? startNow(false) : NOTHING;
    }

    private Runnable startNow(boolean byCaller) {
        Slot slot = new Slot(committed);
        slots.add(slot);
        slots.begin(slot); // an abandoned beginning continues, so it counts
        return () -> begin(slot, byCaller);
    }

    /** Checks the current step; called periodically by the members that wait. */
    Runnable check() {
        Slot current = slots.oldest();
        // A long unit does not mean that the store hangs: only newcomers begin another transaction.
        Runnable next = current != null && current.worker != null ? NOTHING : start(false);
        Slot slot = slots.oldest();
        if (slot == null
                || !slot.beginning
                || slot.probed
                || slot.stepLasts(context.timing().now()) < context.patienceNanos() / 4) {
            return next;
        }
        if (StoreFailures.awaited(line.store, Duration.ZERO).isPresent()) {
            return next; // a probe would wait for the same resource
        }
        slot.probed = true;
        return () -> {
            next.run();
            probe(slot);
        };
    }

    /** Gives the turn to the next member, or closes the group after its {@code last} unit has run on this thread. */
    Runnable passOn(Group<T> group, @Nullable Member<T> last) {
        if (group.doomed) {
            return rollBack(group, null);
        }
        Member<T> next = line.waiting.peek();
        if (next == null || group.slot.abandoned() || !group.takes(next)) {
            return close(group, last);
        }
        line.waiting.remove();
        next.calledTo(group);
        step(group);
        return next::wake;
    }

    Runnable unitRan(Group<T> group, Member<T> member, SequenceState after) {
        group.ran(member, after);
        return passOn(group, member);
    }

    /** The caller gets the exception at once if the unit was undone, otherwise after the rollback. */
    Runnable unitFailed(Group<T> group, Member<T> member, boolean undone) {
        policy.unitFailed(group.units);
        if (undone) {
            return passOn(group, null);
        }
        group.thrower = member;
        return rollBack(group, null);
    }

    Runnable conflicted(Group<T> group, Member<T> member, Throwable why) {
        member.conflicted(why);
        if (!member.standsApart()) {
            pauseAfterConflict(why);
        }
        return rollBack(group, member);
    }

    /** The savepoint before a member's turn failed, so the transaction is unusable. None of the member's work is in it. */
    Runnable markFailed(Group<T> group, Member<T> member, Throwable why) {
        member.again();
        line.waiting.addFirst(member);
        if (why instanceof SequenceException.Overloaded) {
            pauseAfterConflict(why);
        } else {
            member.alone = true;
            group.ran.forEach(other -> other.alone = true);
        }
        return rollBack(group, null);
    }

    private void pauseAfterConflict(Throwable why) {
        answers++;
        lastConflict = why;
        retry.conflicted();
    }

    /** An unknown unit broke the transaction: each member, the last one included, runs alone. */
    Runnable separate(Group<T> group, Member<T> last) {
        last.alone = true;
        group.ran.forEach(member -> member.alone = true);
        return rollBack(group, last);
    }

    /** Members return to the line only after the rollback: a unit that ended the transaction may have committed their work. */
    Runnable rollBack(Group<T> group, @Nullable Member<T> again) {
        if (again != null) {
            group.ran.add(again);
        }
        group.returning();
        step(group);
        return () -> context.execute(() -> askToRollBack(group));
    }

    private Runnable close(Group<T> group, @Nullable Member<T> last) {
        if (group.units == 0) {
            return rollBack(group, null);
        }
        group.sent();
        step(group);
        return () -> commit(group, last);
    }

    private void step(Group<T> group) {
        group.slot.step(null, context.timing().now());
    }

    private void abandonOverdue() {
        Slot hung = slots.overdue();
        // If a transaction of our own holds the counter's lock, one other is enough to wait for it.
        if (hung != null && (!hung.beginning || !slots.anyAbandoned(slot -> !slot.beginning))) {
            slots.abandon(hung);
        }
    }

    // Results of calls to the store

    Runnable began(Slot slot, SharedTransaction<T> transaction, SequenceState counter) {
        slot.beginning = false;
        notBegun = null;
        long open = Math.min(MAX_OPEN_NANOS, context.patienceNanos() / 4);
        Group<T> group = new Group<>(context.timing(), transaction, counter, slot, policy, open);
        SequenceState before = slot.committedBefore;
        if (before == null || !counter.isBehind(before)) {
            return passOn(group, null);
        }
        SequenceException.Regressed regressed =
                new SequenceException.Regressed(context.name(), counter.nextValue(), before.lastDealt());
        stopped = regressed;
        List<Member<T>> failed = failAll(regressed, member -> true);
        Runnable end = rollBack(group, null);
        return () -> {
            end.run();
            failed.forEach(Member::wake);
            context.listener().call(l -> l.failed(context.name(), regressed));
        };
    }

    Runnable notBegun(Slot slot, SequenceException failure) {
        slot.beginning = false;
        List<Member<T>> failed = List.of();
        if (failure instanceof SequenceException.Overloaded) {
            notBegun = failure;
            pauseAfterConflict(failure);
        } else if (!slot.abandoned()) {
            lastFailure = failure;
            lastConflict = null;
            notBegun = null;
            retry.failed(failure);
            boolean refused = retry.refused();
            // Callers that came later may succeed, for example if the sequence has been created since.
            failed = failAll(failure, member -> !refused || member.joined - slot.calledAt() <= 0);
        }
        return ended(slot, failed);
    }

    private List<Member<T>> failAll(SequenceException failure, Predicate<Member<T>> matches) {
        List<Member<T>> failed = Stream.concat(line.waiting.stream(), line.apart.stream())
                .filter(matches)
                .toList();
        line.waiting.removeIf(matches);
        line.apart.removeIf(matches);
        failed.forEach(member -> member.fail(failure));
        return failed;
    }

    Runnable committed(Group<T> group) {
        answers++;
        lastConflict = null;
        lastFailure = null;
        retry.succeeded();
        policy.committed();
        // If the group drew nothing, the counter may show values of another session, which can give them back.
        if (group.hasDrawn() && (committed == null || committed.isBehind(group.counter))) {
            committed = group.counter;
        }
        List<Member<T>> members = group.dissolve();
        members.forEach(member -> member.place = Member.Place.COMMITTED);
        return ended(group.slot, members);
    }

    Runnable notCommitted(Group<T> group, SequenceException failure) {
        boolean single = group.units == 1;
        List<Member<T>> members = group.dissolve();
        if (failure instanceof SequenceException.Overloaded) {
            members.forEach(single ? member -> member.conflicted(failure) : Member::lostItsGroup);
            if (!members.stream().allMatch(Member::standsApart)) {
                pauseAfterConflict(failure);
            }
        } else if (failure instanceof SequenceException.CommitOutcomeUnknown || single) {
            members.forEach(member -> member.fail(failure));
            return ended(group.slot, members);
        } else {
            members.forEach(member -> member.alone = true);
        }
        return again(group, members);
    }

    Runnable rolledBack(Group<T> group) {
        Member<T> thrower = group.thrower;
        List<Member<T>> members = group.dissolve();
        Runnable next = again(group, members);
        if (thrower == null) {
            return next;
        }
        thrower.place = Member.Place.UNDONE;
        return () -> {
            thrower.wake();
            next.run();
        };
    }

    /** The transaction had ended before the rollback, so its work may be committed. */
    Runnable endedBefore(Group<T> group, SequenceException failure) {
        List<Member<T>> failed = group.dissolve();
        if (group.thrower != null) {
            failed.add(group.thrower);
        }
        failed.forEach(member -> member.fail(failure));
        return ended(group.slot, failed);
    }

    /** Returns members to the head of the line, because nothing is committed; members whose own units conflict go to the end. */
    private Runnable again(Group<T> group, List<Member<T>> members) {
        List<Member<T>> apart = members.stream().filter(Member::standsApart).toList();
        members.removeAll(apart);
        line.backInFront(members);
        line.apart.addAll(apart);
        Runnable next = ended(group.slot, List.of());
        return () -> {
            next.run();
            apart.forEach(member -> decideAfter(member.pauseNanos(), () -> queueBehind(member)));
        };
    }

    private Runnable queueBehind(Member<T> member) {
        if (line.apart.remove(member)) {
            line.waiting.add(member);
        }
        return start(false);
    }

    /** The next transaction begins before the members of this one wake, so that they can join it. */
    private Runnable ended(Slot slot, List<Member<T>> answered) {
        slots.end(slot);
        Runnable next = start(false);
        return () -> {
            next.run();
            answered.forEach(Member::wake);
        };
    }

    // Calls to the store, outside the lock: on the executor, or on the thread of the caller that waits for the call if
    // the store can
    // bound the wait. The decision that follows a call is taken whatever the store or a listener throws.

    /** Begins a transaction, if possible on the thread of the caller that waits for it. */
    private void begin(Slot slot, boolean byCaller) {
        if (byCaller) {
            if (beginHere(slot)) {
                return;
            }
            line.decide(() -> {
                slot.step(null, context.timing().now());
                return NOTHING;
            });
        }
        context.execute(new Step() {
            @Override
            public void run() {
                askToBegin(slot);
            }

            @Override
            public void refused(Throwable why) {
                line.decide(() -> notBegun(slot, noThread(why)));
            }
        });
    }

    private void probe(Slot slot) {
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
    private void commit(Group<T> group, @Nullable Member<T> last) {
        if (last == null || !commitHere(group, last)) {
            context.execute(() -> askToCommit(group));
        }
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
            Optional<SharedTransaction<T>> here =
                    line.store.beginHere(context.name(), SequenceContext.maxHere(quarter));
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
        line.decide(() -> began(slot, begun, counter));
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
            failed(failure, () -> notBegun(slot, failure));
            return;
        }
        SharedTransaction<T> begun = transaction;
        line.decide(() -> began(slot, begun, counter));
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
        try {
            if (!line.store.answers(context.name())) {
                return;
            }
        } catch (Throwable e) {
            return; // no answer: beginning the transaction reports the failure
        }
        line.decide(() -> {
            slot.locked = true;
            return NOTHING;
        });
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
            context.execute(() -> commitFailed(group, e)); // a listener may take its time
            return true;
        }
        line.decide(() -> committed(group));
        return true;
    }

    private void askToCommit(Group<T> group) {
        try {
            group.transaction.commit(group.counter);
        } catch (Throwable e) {
            commitFailed(group, e);
            return;
        }
        line.decide(() -> committed(group));
    }

    private void commitFailed(Group<T> group, Throwable thrown) {
        // An undeclared exception says nothing about the outcome.
        SequenceException failure = thrown instanceof SequenceException ours
                ? ours
                : new SequenceException.CommitOutcomeUnknown(context.name(), thrown);
        failed(failure, () -> notCommitted(group, failure));
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
            failed(failure, () -> endedBefore(group, failure));
            return;
        }
        line.decide(() -> rolledBack(group));
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
