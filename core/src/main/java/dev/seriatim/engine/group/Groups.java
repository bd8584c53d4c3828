// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.group;

import dev.seriatim.SequenceException;
import dev.seriatim.engine.dispatch.BackOff;
import dev.seriatim.engine.dispatch.SequenceContext;
import dev.seriatim.engine.dispatch.Step;
import dev.seriatim.engine.dispatch.StoreFailures;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SharedTransaction;
import dev.seriatim.text.Messages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of a {@link GroupLine}: when one begins, who gets the turn in it, when it is committed, and what becomes
 * of its members when that fails. Called under the line's lock; what is to be done when that has been released is
 * returned, and the steps at the end of this class are such.
 *
 * <p>One transaction at a time takes in callers. One whose present step lasts longer than half of the patience is left behind,
 * so that a connection which died unnoticed does not stop the sequence: the next begins, and waits in the database for the
 * counter's lock if it must.
 */
final class Groups<T> {

    /** Nothing follows. */
    static final Runnable NOTHING = () -> {};

    /** No longer than this, from the first unit's end, a transaction takes in callers: that one waits, and so do others. */
    private static final long LONGEST_OPEN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final int MAX_LEFT_BEHIND = 3;

    private final GroupLine<T> line;
    private final SequenceContext context;
    private final SavepointPolicy caution = new SavepointPolicy();
    private final BackOff afterFailure;
    private final BackOff afterConflict;

    private @Nullable Slot current;
    private final List<Slot> leftBehind = new ArrayList<>();
    private boolean startScheduled;

    /** How many times the store has answered callers, with a commit or with a conflict. */
    private long answers;

    private @Nullable SequenceException lastFailure;
    private @Nullable Throwable lastConflict;

    /** The counter as our last commit left it. */
    private @Nullable SequenceState committed;

    /** The counter was found behind that: nothing is dealt any more. */
    private SequenceException.@Nullable Regressed stopped;

    /** Others were in the way of the last attempt to begin a transaction. */
    private @Nullable SequenceException notBegun;

    Groups(GroupLine<T> line) {
        this.line = line;
        this.context = line.context;
        this.afterFailure = BackOff.afterFailure(context.timing);
        this.afterConflict = BackOff.afterConflict(context.timing);
    }

    long answers() {
        return answers;
    }

    /** Whether nobody is left who may be served. Who waits for a beginning that was left behind is in the line, too. */
    boolean idle() {
        return current == null && leftBehind.stream().allMatch(slot -> slot.beginning);
    }

    boolean runsUnitOn(Thread thread) {
        return slots().anyMatch(slot -> slot.worker == thread);
    }

    void checkNotStopped() {
        if (stopped != null) {
            throw stopped.again();
        }
    }

    /** Whether the one in front waits for the counter's lock, which somebody else holds. */
    boolean waitsForLock() {
        return current != null && current.beginning && slots().anyMatch(slot -> slot.beginning && slot.locked);
    }

    /** Why no transaction could be begun for a caller who joined after so many answers; null when one could, or none is known. */
    @Nullable
    SequenceException whyNotBegun(long answersBefore) {
        boolean begun = current != null && !current.beginning;
        return !begun && answersSince(answersBefore) ? notBegun : null;
    }

    /** Whether the store has answered since, or has not been asked since it answered. */
    boolean answersSince(long answersBefore) {
        return answers > answersBefore || (current == null && lastConflict != null);
    }

    /** Whether somebody's unit runs, and others wait for its end. */
    boolean unitRuns() {
        return slots().anyMatch(slot -> slot.worker != null);
    }

    private Stream<Slot> slots() {
        return Stream.concat(Stream.ofNullable(current), leftBehind.stream());
    }

    /** What went wrong since the last commit, most telling first. */
    @Nullable
    Throwable lastTrouble() {
        return lastConflict != null ? lastConflict : lastFailure;
    }

    /** Begins a transaction, if one is called for. */
    Runnable start() {
        leaveBehindWhatHangs();
        if (current != null || line.waiting.isEmpty() || startScheduled) {
            return NOTHING;
        }
        long pause = Math.max(afterFailure.remaining(), afterConflict.remaining());
        if (pause > 0) {
            startScheduled = true;
            return () -> handAfter(pause, this::startAfterPause);
        }
        return startNow();
    }

    /** Decides after a pause; at once when there is no thread for the clock. */
    private void handAfter(long pause, Supplier<Runnable> decision) {
        Step step = () -> line.decide(decision);
        context.after(pause, () -> context.hand(step), noThread -> step.run());
    }

    private Runnable startAfterPause() {
        startScheduled = false;
        return current == null && !line.waiting.isEmpty() ? startNow() : NOTHING;
    }

    private Runnable startNow() {
        Slot slot = new Slot(context.timing, committed);
        current = slot;
        return () -> context.hand(new Beginning(slot));
    }

    /** Sees after the step that everybody waits for; called by those who wait, now and then. */
    Runnable look() {
        // A unit that takes its time is not the store's affair: only who comes anew goes past it.
        Runnable next = current != null && current.worker != null ? NOTHING : start();
        Slot slot = current;
        if (slot == null || !slot.beginning || slot.probed || slot.stepLasts() < context.patienceNanos() / 4) {
            return next;
        }
        if (StoreFailures.awaited(line.store, Duration.ZERO).isPresent()) {
            return next; // who asks what it is would wait for the same
        }
        slot.probed = true;
        return () -> {
            next.run();
            context.hand(new Probing(slot));
        };
    }

    /** Gives the turn to the next in line, or closes the group. */
    Runnable passOn(Group<T> group) {
        if (group.doomed) {
            return rollBack(group, null);
        }
        Member<T> next = line.waiting.peek();
        if (next == null || group.slot != current || !group.takes(next)) {
            return close(group);
        }
        line.waiting.remove();
        next.calledTo(group);
        group.slot.step(null);
        return next::wake;
    }

    Runnable unitRan(Group<T> group, Member<T> member, SequenceState after) {
        group.ran(member, after);
        return passOn(group);
    }

    /** A unit threw, and its caller goes with the exception: at once, or when all of the transaction is undone. */
    Runnable unitFailed(Group<T> group, Member<T> member, boolean undone) {
        caution.unitFailed(group.units);
        if (undone) {
            return passOn(group);
        }
        group.thrower = member;
        return rollBack(group, null);
    }

    /** Another session was in the way of a unit. */
    Runnable conflicted(Group<T> group, Member<T> member, Throwable why) {
        member.conflicted(why);
        if (!member.standsApart()) {
            pauseAfterConflict(why);
        }
        return rollBack(group, member);
    }

    /** Before a member's turn, the transaction turned out to be of no use any more. Nothing of its work is in it. */
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
        afterConflict.heldUp();
    }

    /** One unit has spoiled it for all, nobody knows which: each gets a transaction to itself, and so does the last. */
    Runnable partCompany(Group<T> group, Member<T> last) {
        last.alone = true;
        group.ran.forEach(member -> member.alone = true);
        return rollBack(group, last);
    }

    /**
     * Ends the transaction. Its members, and the one whose turn it is if it has to run again, go back to their places when that
     * has been done, and not before: a unit that ended the transaction itself may have committed their work.
     */
    Runnable rollBack(Group<T> group, @Nullable Member<T> again) {
        if (again != null) {
            group.ran.add(again);
        }
        group.returning();
        group.slot.step(null);
        return () -> context.hand(() -> rollBack(group));
    }

    private Runnable close(Group<T> group) {
        if (group.units == 0) {
            return rollBack(group, null);
        }
        group.sent();
        group.slot.step(null);
        return () -> context.hand(() -> commit(group));
    }

    private void leaveBehindWhatHangs() {
        if (current == null
                || leftBehind.size() == MAX_LEFT_BEHIND
                || current.stepLasts() <= context.patienceNanos() / 2) {
            return;
        }
        // Behind a transaction of our own that holds the counter's lock, one is enough to wait for it.
        if (!current.beginning || leftBehind.stream().allMatch(slot -> slot.beginning)) {
            leftBehind.add(current);
            current = null;
        }
    }

    private Runnable began(Slot slot, SharedTransaction<T> transaction, SequenceState counter) {
        slot.beginning = false;
        notBegun = null;
        long open = Math.min(LONGEST_OPEN_NANOS, context.patienceNanos() / 4);
        Group<T> group = new Group<>(context.timing, transaction, counter, slot, caution, open);
        SequenceState before = slot.committedBefore;
        if (before == null || !counter.isBehind(before)) {
            return passOn(group);
        }
        SequenceException.Regressed regressed =
                new SequenceException.Regressed(context.name, counter.nextValue(), before.lastDealt());
        stopped = regressed;
        List<Member<T>> told = failAll(regressed, member -> true);
        Runnable end = rollBack(group, null);
        return () -> {
            end.run();
            told.forEach(Member::wake);
            context.listener.tell(l -> l.failed(context.name, regressed));
        };
    }

    private Runnable notBegun(Slot slot, SequenceException failure) {
        slot.beginning = false;
        List<Member<T>> told = List.of();
        if (failure instanceof SequenceException.Overloaded) {
            notBegun = failure;
            pauseAfterConflict(failure);
        } else if (slot == current) {
            lastFailure = failure;
            lastConflict = null;
            notBegun = null;
            afterFailure.failed(failure);
            boolean refused = afterFailure.refused();
            // Who came after it was asked may find it otherwise, such as a sequence that has been created.
            told = failAll(failure, member -> !refused || member.joined - slot.calledFor <= 0);
        }
        return ended(slot, told);
    }

    /** Fails those of all who wait for a turn. */
    private List<Member<T>> failAll(SequenceException failure, Predicate<Member<T>> whom) {
        List<Member<T>> told = Stream.concat(line.waiting.stream(), line.apart.stream())
                .filter(whom)
                .toList();
        line.waiting.removeIf(whom);
        line.apart.removeIf(whom);
        told.forEach(member -> member.fail(failure));
        return told;
    }

    private Runnable committed(Group<T> group) {
        answers++;
        lastConflict = null;
        lastFailure = null;
        afterConflict.succeeded();
        afterFailure.succeeded();
        caution.committed();
        // A counter that was only looked at may have been others', who can give their values back.
        if (group.hasDrawn() && (committed == null || committed.isBehind(group.counter))) {
            committed = group.counter;
        }
        List<Member<T>> told = group.dissolve();
        told.forEach(member -> member.place = Member.Place.COMMITTED);
        return ended(group.slot, told);
    }

    private Runnable notCommitted(Group<T> group, SequenceException failure) {
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

    private Runnable rolledBack(Group<T> group) {
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

    /** Before it could be rolled back, the transaction had been ended: what was done in it may be committed. */
    private Runnable endedBefore(Group<T> group, SequenceException failure) {
        List<Member<T>> told = group.dissolve();
        if (group.thrower != null) {
            told.add(group.thrower);
        }
        told.forEach(member -> member.fail(failure));
        return ended(group.slot, told);
    }

    /** Nothing of a group is committed: its members go back in front, and behind the others who stood in everybody's way. */
    private Runnable again(Group<T> group, List<Member<T>> members) {
        List<Member<T>> apart = members.stream().filter(Member::standsApart).toList();
        members.removeAll(apart);
        line.backInFront(members);
        line.apart.addAll(apart);
        Runnable next = ended(group.slot, List.of());
        return () -> {
            next.run();
            apart.forEach(member -> handAfter(member.pauseNanos(), () -> queueBehind(member)));
        };
    }

    private Runnable queueBehind(Member<T> member) {
        if (line.apart.remove(member)) {
            line.waiting.add(member);
        }
        return start();
    }

    /** The next transaction begins before the members of this one wake, since they will want to join it. */
    private Runnable ended(Slot slot, List<Member<T>> told) {
        if (!leftBehind.remove(slot)) {
            current = null;
        }
        Runnable next = start();
        return () -> {
            next.run();
            told.forEach(Member::wake);
        };
    }

    // Steps, outside the lock. Whatever a store or a listener throws, the decision that follows is taken.

    private final class Beginning implements Step {
        private final Slot slot;

        Beginning(Slot slot) {
            this.slot = slot;
        }

        @Override
        public void run() {
            begin(slot);
        }

        @Override
        public void refused(Throwable why) {
            line.decide(() -> notBegun(slot, noThread(why)));
        }
    }

    private final class Probing implements Step {
        private final Slot slot;

        Probing(Slot slot) {
            this.slot = slot;
        }

        @Override
        public void run() {
            probe(slot);
        }

        @Override
        public void refused(Throwable why) {} // then nobody knows
    }

    private void begin(Slot slot) {
        SharedTransaction<T> transaction = null;
        SequenceState counter;
        try {
            transaction = Objects.requireNonNull(line.store.begin(context.name), "no transaction");
            counter = Objects.requireNonNull(transaction.counter(), "no counter");
        } catch (Throwable e) {
            notBegun(slot, transaction, StoreFailures.ofStore(context.name, e));
            return;
        }
        SharedTransaction<T> begun = transaction;
        line.decide(() -> began(slot, begun, counter));
    }

    private void notBegun(Slot slot, @Nullable SharedTransaction<T> useless, SequenceException failure) {
        try {
            if (useless != null) {
                useless.rollback();
            }
        } catch (Throwable e) {
            // It has ended all the same, and nothing was done in it.
        }
        try {
            context.listener.tell(l -> l.failed(context.name, failure));
        } finally {
            line.decide(() -> notBegun(slot, failure));
        }
    }

    private void probe(Slot slot) {
        boolean answers;
        try {
            answers = line.store.answers(context.name);
        } catch (Throwable e) {
            return; // no answer; the beginning itself says why
        }
        if (answers) {
            line.decide(() -> {
                slot.locked = true;
                return NOTHING;
            });
        }
    }

    private void commit(Group<T> group) {
        try {
            group.transaction.commit(group.counter);
        } catch (Throwable e) {
            // What a store throws that breaks its contract says nothing about what happened.
            SequenceException failure = e instanceof SequenceException ours
                    ? ours
                    : new SequenceException.CommitOutcomeUnknown(context.name, e);
            try {
                context.listener.tell(l -> l.failed(context.name, failure));
            } finally {
                line.decide(() -> notCommitted(group, failure));
            }
            return;
        }
        line.decide(() -> committed(group));
    }

    private void rollBack(Group<T> group) {
        try {
            group.transaction.rollback();
        } catch (Throwable e) {
            SequenceException failure = e instanceof SequenceException.CommitOutcomeUnknown ours
                    ? ours
                    : new SequenceException.CommitOutcomeUnknown(
                            context.name,
                            "the store failed to say whether it rolled back (" + Messages.shown(e) + ")",
                            e);
            try {
                context.listener.tell(l -> l.failed(context.name, failure));
            } finally {
                line.decide(() -> endedBefore(group, failure));
            }
            return;
        }
        line.decide(() -> rolledBack(group));
    }

    private SequenceException noThread(Throwable why) {
        return new SequenceException.Unavailable(
                context.name, "no thread can be had to ask the store: " + Messages.shown(why), why);
    }
}
